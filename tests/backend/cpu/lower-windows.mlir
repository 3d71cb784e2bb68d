// RUN: tessera opt %s --lower-windows | FileCheck %s
// RUN: tessera opt %s --lower-windows=vector-bytes=32 | FileCheck %s --check-prefix=AVX2
// A window is reduced for a vector of results at a time, which stays in registers.

#window = affine_map<(c, h, w, i, j) -> (c, h * 2 + i, w * 2 + j)>
#shape = affine_map<(c, h, w, i, j) -> (i, j)>
#result = affine_map<(c, h, w, i, j) -> (c, h, w)>

// Every other element is selected from two vectors.
// CHECK-LABEL: func @pool(
//       CHECK:   scf.parallel
//       CHECK:     %[[OLD:.*]] = vector.maskedload {{.*}} vector<8xf32>
//       CHECK:     %[[FIRST:.*]] = vector.maskedload
//       CHECK:     %[[SECOND:.*]] = vector.maskedload
//       CHECK:     %[[EVEN:.*]] = vector.shuffle %[[FIRST]], %[[SECOND]] [0, 2, 4, 6, 8, 10, 12, 14]
//       CHECK:     arith.maximumf %[[OLD]], %[[EVEN]]
// CHECK-COUNT-3:   arith.maximumf
//   CHECK-NOT:     arith.maximumf
//       CHECK:     vector.maskedstore
//   CHECK-NOT:   linalg.generic
//  AVX2-LABEL: func @pool(
//        AVX2:   vector<8xf32>
func.func @pool(%a: memref<3x10x14xf32>, %s: memref<2x2xi8>, %o: memref<3x5x7xf32>) {
  linalg.generic {indexing_maps = [#window, #shape, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %s : memref<3x10x14xf32>, memref<2x2xi8>) outs(%o : memref<3x5x7xf32>) {
  ^bb0(%x: f32, %n: i8, %old: f32):
    %r = arith.maximumf %old, %x : f32
    linalg.yield %r : f32
  }
  return
}

// A window of unknown size is a loop.
// CHECK-LABEL: func @unknown(
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:     vector.load {{.*}} vector<16xf32>
//       CHECK:     arith.addf
func.func @unknown(%a: memref<?xf32>, %s: memref<?xi8>, %o: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(w, j) -> (w + j)>, affine_map<(w, j) -> (j)>, affine_map<(w, j) -> (w)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %s : memref<?xf32>, memref<?xi8>) outs(%o : memref<?xf32>) {
  ^bb0(%x: f32, %n: i8, %old: f32):
    %r = arith.addf %old, %x : f32
    linalg.yield %r : f32
  }
  return
}

// A sum along rows has no windows.
// CHECK-LABEL: func @sum(
//       CHECK:   linalg.generic
func.func @sum(%a: memref<8x8xf32>, %o: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<8x8xf32>) outs(%o : memref<8xf32>) {
  ^bb0(%x: f32, %old: f32):
    %r = arith.addf %old, %x : f32
    linalg.yield %r : f32
  }
  return
}
