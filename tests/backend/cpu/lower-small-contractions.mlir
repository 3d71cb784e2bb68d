// RUN: tessera opt %s --lower-contractions | FileCheck %s
// Small products: what other kernels do with copies, these do in registers.

// A transposed operand of a single tile is turned in registers, four steps at a time: of five, the last four follow the first.
// CHECK-LABEL: func @turned(
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   scf.for
// CHECK-COUNT-4: vector.load {{.*}} vector<4xf32>
//       CHECK:   vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5]
// CHECK-COUNT-10: math.fma
//   CHECK-NOT:   math.fma
//       CHECK:   return
func.func @turned(%a: memref<2x5xf32>, %b: memref<4x5xf32>, %c: memref<2x4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"],
                  tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x5xf32>, memref<4x5xf32>) outs(%c : memref<2x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %r = math.fma %x, %y, %sum : f32
    linalg.yield %r : f32
  }
  return
}
