// RUN: tessera opt %s --lower-scatters | FileCheck %s
// Sums into elements that the data select change one element per iteration.

#n = affine_map<(k, n) -> (n)>
#k = affine_map<(k, n) -> (k)>
#nd = affine_map<(k, d, n) -> (n, d)>
#label = affine_map<(k, d, n) -> (n)>
#kd = affine_map<(k, d, n) -> (k, d)>

// CHECK-LABEL: func @count(
//   CHECK-NOT:   scf.parallel
//       CHECK:   scf.for
//       CHECK:     %[[L:.*]] = memref.load %arg0
//       CHECK:     %[[K:.*]] = arith.index_cast %[[L]]
//       CHECK:     %[[IN:.*]] = arith.cmpi ult, %[[K]]
//       CHECK:     scf.if %[[IN]] {
//       CHECK:       memref.load %arg1[%[[K]]]
//       CHECK:       arith.addi
//       CHECK:       memref.store %{{.*}}, %arg1[%[[K]]]
//   CHECK-NOT:   linalg.generic
func.func @count(%label: memref<1000xi32>, %count: memref<16xi32>) {
  linalg.generic {indexing_maps = [#n, #k], iterator_types = ["parallel", "reduction"]}
      ins(%label : memref<1000xi32>) outs(%count : memref<16xi32>) {
  ^bb0(%l: i32, %old: i32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %e = arith.cmpi eq, %l, %c : i32
    %one = arith.extui %e : i1 to i32
    %r = arith.addi %old, %one : i32
    linalg.yield %r : i32
  }
  return
}

// With many elements, each part has separate sums.
// CHECK-LABEL: func @parts(
//       CHECK:   %[[P:.*]] = memref.alloc(%{{.*}}, %{{.*}}, %{{.*}}) : memref<?x?x?xf32>
//       CHECK:   scf.parallel
//       CHECK:     memref.store %{{.*}}, %[[P]]
//       CHECK:     scf.if
//       CHECK:       memref.store %{{.*}}, %[[P]]
//       CHECK:   memref.load %arg2
//       CHECK:   memref.store %{{.*}}, %arg2
//       CHECK:   memref.dealloc %[[P]]
func.func @parts(%label: memref<?xi32>, %x: memref<?x?xf32>, %sum: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#label, #nd, #kd], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%label, %x : memref<?xi32>, memref<?x?xf32>) outs(%sum : memref<?x?xf32>) {
  ^bb0(%l: i32, %v: f32, %old: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %e = arith.cmpi eq, %l, %c : i32
    %a = arith.select %e, %v, %zero : f32
    %r = arith.addf %old, %a fastmath<reassoc> : f32
    linalg.yield %r : f32
  }
  return
}

// A sum in a fixed order adds the zeros, too; and the added value may not depend on the selected index.
// CHECK-LABEL: func @others(
//       CHECK:   linalg.generic
//       CHECK:   linalg.generic
func.func @others(%label: memref<1000xi32>, %x: memref<1000xf32>, %f: memref<16xf32>, %count: memref<16xi32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  linalg.generic {indexing_maps = [#n, #n, #k], iterator_types = ["parallel", "reduction"]}
      ins(%label, %x : memref<1000xi32>, memref<1000xf32>) outs(%f : memref<16xf32>) {
  ^bb0(%l: i32, %v: f32, %old: f32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %e = arith.cmpi eq, %l, %c : i32
    %a = arith.select %e, %v, %zero : f32
    %r = arith.addf %old, %a : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#n, #k], iterator_types = ["parallel", "reduction"]}
      ins(%label : memref<1000xi32>) outs(%count : memref<16xi32>) {
  ^bb0(%l: i32, %old: i32):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i32
    %e = arith.cmpi eq, %l, %c : i32
    %a = arith.select %e, %c, %none : i32
    %r = arith.addi %old, %a : i32
    linalg.yield %r : i32
  }
  return
}
