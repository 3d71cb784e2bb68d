// RUN: tessera opt %s --parallel-loops | FileCheck %s
// Large elementwise operations are divided among threads; known small ones are not worth it.

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>

// Unknown sizes count as large.
// CHECK-LABEL: func @unknown_sizes(
//       CHECK:   scf.parallel (%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) =
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @unknown_sizes(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.mulf %x, %x : f32
    linalg.yield %y : f32
  }
  return
}

// A transposed operand and a part of a matrix keep their two dimensions.
// CHECK-LABEL: func @not_flat(
//   CHECK-NOT:   memref.collapse_shape
//       CHECK:   scf.parallel (%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) =
//       CHECK:   scf.parallel (%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) =
func.func @not_flat(%a: memref<?x?xf32>, %s: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.copy ins(%s : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%b : memref<?x?xf32>)
  return
}

// A body that uses its indices needs all loops.
// CHECK-LABEL: func @positions(
//   CHECK-NOT:   memref.collapse_shape
//       CHECK:   scf.parallel (%{{[a-z0-9]+}}, %{{[a-z0-9]+}}) =
func.func @positions(%b: memref<?x?xindex>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%b : memref<?x?xindex>) {
  ^bb0(%old: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  }
  return
}

// One chunk runs on one thread.
// CHECK-LABEL: func @known_small(
//   CHECK-NOT:   scf.parallel
//       CHECK:   return
func.func @known_small(%x: f32, %b: memref<128x256xf32>) {
  linalg.fill ins(%x : f32) outs(%b : memref<128x256xf32>)
  return
}

// CHECK-LABEL: func @known_large(
//       CHECK:   scf.parallel
func.func @known_large(%x: f32, %b: memref<128x257xf32>) {
  linalg.fill ins(%x : f32) outs(%b : memref<128x257xf32>)
  return
}

// The order of a sum affects its value.
// CHECK-LABEL: func @reductions_stay(
//   CHECK-NOT:   scf.parallel
//       CHECK:   linalg.generic
func.func @reductions_stay(%a: memref<?x?xf32>, %b: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<?x?xf32>) outs(%b : memref<?xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    linalg.yield %y : f32
  }
  return
}
