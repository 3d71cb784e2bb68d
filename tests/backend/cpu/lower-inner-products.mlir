// RUN: tessera opt %s --lower-contractions | FileCheck %s

// Sums in any order can be computed along vectors of depth: here of 4, two sums at a time, in two parts each.
// CHECK-LABEL: func private @contraction.0(
//       CHECK:   scf.for
// CHECK-COUNT-4: math.fma {{.*}} : vector<4xf32>
//   CHECK-NOT:   math.fma
//       CHECK:   scf.for
//       CHECK:     vector.create_mask
// CHECK-COUNT-2: math.fma {{.*}} : vector<4xf32>
//   CHECK-NOT:   math.fma
//       CHECK:   vector.shuffle
//       CHECK:   vector.{{(masked)?}}store {{.*}} vector<2xf32>
func.func @inner(%a: memref<6x100xf32>, %x: memref<100xf32>, %y: memref<6xf32>) {
  linalg.matvec {tessera.schedule = {kernel = "inner", lanes = 2 : i64, rows = 1 : i64, vectors = 1 : i64, depth_lanes = 4 : i64, unroll = 2 : i64}}
      ins(%a, %x : memref<6x100xf32>, memref<100xf32>) outs(%y : memref<6xf32>)
  return
}
