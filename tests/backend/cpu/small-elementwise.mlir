// RUN: tessera opt %s --small-elementwise=lanes=8 | FileCheck %s
// A small matrix is a few vectors: one operation per row, at constant indices.

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#scalar = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func @two_rows(
//  CHECK-SAME:     %[[A:[a-z0-9]+]]: memref<2x4xf32>, %[[B:[a-z0-9]+]]: memref<2x4xf32>
// CHECK-COUNT-2: vector.store %{{.*}}, %[[B]]
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @two_rows(%a: memref<2x4xf32>, %b: memref<2x4xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<2x4xf32>) outs(%b : memref<2x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.mulf %x, %x : f32
    linalg.yield %y : f32
  }
  return
}

// A scalar is broadcast to all lanes, and the destination is read if the body uses it.
// CHECK-LABEL: func @scalar_and_old_value(
//  CHECK-SAME:     %[[X:[a-z0-9]+]]: f32, %[[B:[a-z0-9]+]]: memref<1x8xf32>
//       CHECK:   %[[OLD:.*]] = vector.load %[[B]]
//       CHECK:   %[[ALL:.*]] = vector.broadcast %[[X]] : f32 to vector<8xf32>
//       CHECK:   arith.addf %[[ALL]], %[[OLD]] : vector<8xf32>
func.func @scalar_and_old_value(%x: f32, %b: memref<1x8xf32>) {
  linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : f32) outs(%b : memref<1x8xf32>) {
  ^bb0(%s: f32, %old: f32):
    %y = arith.addf %s, %old : f32
    linalg.yield %y : f32
  }
  return
}

// A row that does not fit a register.
// CHECK-LABEL: func @long_rows_stay(
//       CHECK:   linalg.generic
func.func @long_rows_stay(%a: memref<2x9xf32>, %b: memref<2x9xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<2x9xf32>) outs(%b : memref<2x9xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}

// More rows than should be unrolled.
// CHECK-LABEL: func @many_rows_stay(
//       CHECK:   linalg.generic
func.func @many_rows_stay(%a: memref<17x4xf32>, %b: memref<17x4xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<17x4xf32>) outs(%b : memref<17x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}

// CHECK-LABEL: func @unknown_sizes_stay(
//       CHECK:   linalg.generic
func.func @unknown_sizes_stay(%a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x4xf32>) outs(%b : memref<?x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}

// An empty matrix has no row to load.
// CHECK-LABEL: func @empty_ones_stay(
//   CHECK-NOT:   vector.
//       CHECK:   return
func.func @empty_ones_stay(%a: memref<2x0xf32>, %b: memref<2x0xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<2x0xf32>) outs(%b : memref<2x0xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}

// Neighbors in a row must be adjacent in memory.
// CHECK-LABEL: func @transposed_and_strided_operands_stay(
// CHECK-COUNT-2: linalg.generic
//       CHECK:   return
func.func @transposed_and_strided_operands_stay(%a: memref<4x4xf32>, %s: memref<4x4xf32, strided<[8, 2]>>, %b: memref<4x4xf32>) {
  linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<4x4xf32, strided<[8, 2]>>) outs(%b : memref<4x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}

// A body with a check, a call or its own indices has no vector form.
// CHECK-LABEL: func @bodies_with_effects_stay(
// CHECK-COUNT-2: linalg.generic
//       CHECK:   return
func.func private @seen(f32)
func.func @bodies_with_effects_stay(%a: memref<2x4xf32>, %b: memref<2x4xf32>, %i: memref<2x4xindex>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<2x4xf32>) outs(%b : memref<2x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    func.call @seen(%x) : (f32) -> ()
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%i : memref<2x4xindex>) {
  ^bb0(%old: index):
    %row = linalg.index 0 : index
    linalg.yield %row : index
  }
  return
}

// A sum has an order.
// CHECK-LABEL: func @reductions_stay(
//       CHECK:   linalg.generic
#row = affine_map<(d0, d1) -> (d0)>
func.func @reductions_stay(%a: memref<2x4xf32>, %b: memref<2xf32>) {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<2x4xf32>) outs(%b : memref<2xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    linalg.yield %y : f32
  }
  return
}
