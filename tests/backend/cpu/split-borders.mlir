// RUN: tessera opt %s --split-borders --canonicalize --cse | FileCheck %s
// The interior is computed without the guards of the border.

// The first element, the last, and all in between.
// CHECK-LABEL: func @padded(
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : memref<1xf32, strided<[1]>>)
// CHECK-COUNT-1:   memref.load
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : memref<1xf32, strided<[1], offset: 4095>>)
// CHECK-COUNT-1:   memref.load
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : memref<4094xf32, strided<[1], offset: 1>>)
//   CHECK-NOT:     scf.if
// CHECK-COUNT-2:   memref.load
//       CHECK:     linalg.yield
//       CHECK:   return
func.func @padded(%a: memref<4096xf32>, %o: memref<4096xf32>) {
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c4096 = arith.constant 4096 : i32
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : memref<4096xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %before = arith.subi %n, %one : i32
    %hasLeft = arith.cmpi sge, %before, %c0 : i32
    %left = scf.if %hasLeft -> f32 {
      %at = arith.subi %i, %c1 : index
      %x = memref.load %a[%at] : memref<4096xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    %after = arith.addi %n, %one : i32
    %hasRight = arith.cmpi sgt, %c4096, %after : i32
    %right = scf.if %hasRight -> f32 {
      %at = arith.addi %i, %c1 : index
      %x = memref.load %a[%at] : memref<4096xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    %sum = arith.addf %left, %right : f32
    linalg.yield %sum : f32
  }
  return
}

// Clamped indices; dynamic sizes. No part is out of bounds, however small they are.
// CHECK-LABEL: func @clamped(
//       CHECK:   %[[N:.*]] = memref.dim
//       CHECK:   %[[BEGIN:.*]] = arith.minsi %[[N]], %c1
//       CHECK:   linalg.generic
//       CHECK:     arith.maxsi
//       CHECK:   linalg.generic
//   CHECK-NOT:     arith.maxsi
//       CHECK:     memref.load
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @clamped(%a: memref<?xf32>, %o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : memref<?xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %before = arith.subi %i, %c1 : index
    %at = arith.maxsi %before, %c0 : index
    %x = memref.load %a[%at] : memref<?xf32>
    linalg.yield %x : f32
  }
  return
}

// Neither side is a border, the number of elements is small, or the guard depends on two loops: nothing changes.
// CHECK-LABEL: func @others(
// CHECK-COUNT-3: linalg.generic
//   CHECK-NOT: linalg.generic
func.func @others(%a: memref<8xf32>, %b: memref<64x64xf32>, %o: memref<8xf32>, %p: memref<64x64xf32>, %q: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : memref<8xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %has = arith.cmpi sge, %i, %c1 : index
    %r = scf.if %has -> f32 {
      %x = memref.load %a[%i] : memref<8xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%p : memref<64x64xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %low = arith.cmpi slt, %i, %c32 : index
    %left = arith.cmpi slt, %j, %c32 : index
    %has = arith.andi %low, %left : i1
    %r = scf.if %has -> f32 {
      %x = memref.load %b[%j, %i] : memref<64x64xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%q : memref<64x64xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %has = arith.cmpi sle, %i, %j : index
    %r = scf.if %has -> f32 {
      %x = memref.load %b[%j, %i] : memref<64x64xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %r : f32
  }
  return
}
