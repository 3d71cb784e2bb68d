// RUN: tessera opt %s --stream-results=smallest=65536 | FileCheck %s
// Results that are too large for the caches are written past them.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @large(
//       CHECK:   linalg.generic
//       CHECK:   tessera.stream
func.func @large(%x: memref<256x256xf32>) -> memref<256x256xf32> {
  %o = memref.alloc() : memref<256x256xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<256x256xf32>) outs(%o : memref<256x256xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return %o : memref<256x256xf32>
}

// Results that fit the caches are likely to be read there.
// CHECK-LABEL: func @small(
//   CHECK-NOT:   tessera.stream
//       CHECK:   return
func.func @small(%x: memref<64x256xf32>) -> memref<64x256xf32> {
  %o = memref.alloc() : memref<64x256xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x256xf32>) outs(%o : memref<64x256xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return %o : memref<64x256xf32>
}

// The size decides at run time if the type does not tell: the limit is 16384 elements of 4 bytes.
// CHECK-LABEL: func @unknown(
//   CHECK-DAG:   %[[LIMIT:.*]] = arith.constant 16384 : index
//       CHECK:   %[[LARGE:.*]] = arith.cmpi sgt, %{{.*}}, %[[LIMIT]]
//       CHECK:   scf.if %[[LARGE]] {
//       CHECK:     tessera.stream
//       CHECK:   } else {
//   CHECK-NOT:     tessera.stream
//       CHECK:   return
func.func @unknown(%x: memref<?x256xf32>) -> memref<?x256xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x256xf32>
  %o = memref.alloc(%m) : memref<?x256xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x256xf32>) outs(%o : memref<?x256xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return %o : memref<?x256xf32>
}

// A result that is read again, a division that must not see other lanes, columns instead of rows.
// CHECK-LABEL: func @others(
//   CHECK-NOT:   tessera.stream
//       CHECK:   return
func.func @others(%x: memref<256x256xi32>) -> (memref<256x256xi32>, memref<256x256xi32>, memref<256x256xi32>) {
  %o = memref.alloc() : memref<256x256xi32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<256x256xi32>) outs(%o : memref<256x256xi32>) {
  ^bb0(%a: i32, %old: i32):
    %s = arith.addi %a, %a : i32
    linalg.yield %s : i32
  }
  %p = memref.alloc() : memref<256x256xi32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %o : memref<256x256xi32>, memref<256x256xi32>) outs(%p : memref<256x256xi32>) {
  ^bb0(%a: i32, %c: i32, %old: i32):
    %s = arith.divui %a, %c : i32
    linalg.yield %s : i32
  }
  %q = memref.alloc() : memref<256x256xi32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<256x256xi32>) outs(%q : memref<256x256xi32>) {
  ^bb0(%a: i32, %old: i32):
    linalg.yield %a : i32
  }
  return %o, %p, %q : memref<256x256xi32>, memref<256x256xi32>, memref<256x256xi32>
}

// A row that is read again stays in a buffer until its last operation.
// CHECK-LABEL: func @rows(
//       CHECK:   scf.parallel
//       CHECK:     %[[B:.*]] = memref.alloc() : memref<1x256xf32>
//       CHECK:     scf.for
//       CHECK:       %[[V:.*]] = memref.subview %alloc[
//       CHECK:       linalg.generic {{.*}} outs(%[[B]] :
//       CHECK:       linalg.generic {{.*}} ins(%[[B]] : {{.*}} outs(%[[V]] : {{.*}} attrs = {tessera.stream}
//       CHECK:     memref.dealloc %[[B]]
func.func @rows(%x: memref<256x256xf32>) -> memref<256x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %o = memref.alloc() : memref<256x256xf32>
  scf.parallel (%i) = (%c0) to (%c128) step (%c1) {
    %from = arith.muli %i, %c2 : index
    %to = arith.addi %from, %c2 : index
    scf.for %m = %from to %to step %c1 {
      %r = memref.subview %x[%m, 0] [1, 256] [1, 1] : memref<256x256xf32> to memref<1x256xf32, strided<[256, 1], offset: ?>>
      %v = memref.subview %o[%m, 0] [1, 256] [1, 1] : memref<256x256xf32> to memref<1x256xf32, strided<[256, 1], offset: ?>>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%r : memref<1x256xf32, strided<[256, 1], offset: ?>>) outs(%v : memref<1x256xf32, strided<[256, 1], offset: ?>>) {
      ^bb0(%a: f32, %old: f32):
        %s = arith.addf %a, %a : f32
        linalg.yield %s : f32
      }
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%v : memref<1x256xf32, strided<[256, 1], offset: ?>>) outs(%v : memref<1x256xf32, strided<[256, 1], offset: ?>>) {
      ^bb0(%a: f32, %old: f32):
        %s = arith.mulf %a, %a : f32
        linalg.yield %s : f32
      }
    }
    scf.reduce
  }
  return %o : memref<256x256xf32>
}
