// RUN: tessera opt %s --lower-transposes=vector-bytes=16 | FileCheck %s
// Blocks are transposed in registers: as many vectors as a vector has lanes, in log2 steps.

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func @transpose(
//       CHECK:   scf.parallel
// CHECK-COUNT-4:       vector.load %arg0{{.*}} vector<4xf32>
//       CHECK:       vector.shuffle %{{.*}}, %{{.*}} [0, 4, 2, 6]
//       CHECK:       vector.shuffle %{{.*}}, %{{.*}} [1, 5, 3, 7]
//       CHECK:       vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5]
//       CHECK:       vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7]
// CHECK-COUNT-4:       vector.store {{.*}} vector<4xf32>
//       CHECK:       memref.store
//       CHECK:   {tessera.work = 4096 : i64}
func.func @transpose(%x: memref<?x?xf32>, %o: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%o : memref<?x?xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  }
  return
}

// Nothing to gain: the same order, a few elements, or more than a copy.
// CHECK-LABEL: func @others(
//   CHECK-NOT:   vector
//       CHECK:   return
func.func @others(%x: memref<?x?xf32>, %o: memref<?x?xf32>, %s: memref<4x100xf32>, %t: memref<100x4xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%o : memref<?x?xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<4x100xf32>) outs(%t : memref<100x4xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%o : memref<?x?xf32>) {
  ^bb0(%a: f32, %old: f32):
    %r = arith.addf %a, %a : f32
    linalg.yield %r : f32
  }
  return
}
