// RUN: tessera opt %s --reuse-operands | FileCheck %s
// `a = a + x` may be computed in place: the operand is proposed as the destination, and bufferization decides.

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func @first_operand_of_the_same_type(
//  CHECK-SAME:     %[[A:[a-z0-9]+]]: tensor<4x4xf32>
//       CHECK:   linalg.generic {{.*}} outs(%[[A]] :
func.func @first_operand_of_the_same_type(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %new = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%new : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// A transposed operand would be read at elements that are already overwritten; the next operand is used instead.
// CHECK-LABEL: func @not_a_transposed_operand(
//  CHECK-SAME:     %[[A:[a-z0-9]+]]: tensor<4x4xf32>, %[[B:[a-z0-9]+]]: tensor<4x4xf32>
//       CHECK:   linalg.generic {{.*}} outs(%[[B]] :
func.func @not_a_transposed_operand(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %new = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#transposed, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%new : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// Another element type needs other memory.
// CHECK-LABEL: func @not_an_operand_of_another_type(
//       CHECK:   %[[NEW:.*]] = tensor.empty
//       CHECK:   linalg.generic {{.*}} outs(%[[NEW]] :
func.func @not_an_operand_of_another_type(%a: tensor<4x4xf32>) -> tensor<4x4xi32> {
  %new = tensor.empty() : tensor<4x4xi32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x4xf32>) outs(%new : tensor<4x4xi32>) {
  ^bb0(%x: f32, %old: i32):
    %z = arith.fptosi %x : f32 to i32
    linalg.yield %z : i32
  } -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}

// A constant is read-only memory, and a slice is a part of another tensor.
// CHECK-LABEL: func @not_a_constant_nor_a_slice(
//       CHECK:   %[[NEW:.*]] = tensor.empty
//       CHECK:   linalg.generic {{.*}} outs(%[[NEW]] :
func.func @not_a_constant_nor_a_slice(%a: tensor<8x8xf32>) -> tensor<4x4xf32> {
  %one = arith.constant dense<1.0> : tensor<4x4xf32>
  %part = tensor.extract_slice %a[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  %new = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%one, %part : tensor<4x4xf32>, tensor<4x4xf32>) outs(%new : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// A destination with contents is part of the computation.
// CHECK-LABEL: func @destinations_with_contents_stay(
//  CHECK-SAME:     %{{[a-z0-9]+}}: tensor<4x4xf32>, %[[C:[a-z0-9]+]]: tensor<4x4xf32>
//       CHECK:   linalg.generic {{.*}} outs(%[[C]] :
func.func @destinations_with_contents_stay(%a: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// Reductions are not elementwise.
// CHECK-LABEL: func @not_a_reduction(
//       CHECK:   %[[NEW:.*]] = tensor.empty
//       CHECK:   linalg.generic {{.*}} outs(%[[NEW]] :
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @not_a_reduction(%a: tensor<4xf32>) -> tensor<4xf32> {
  %new = tensor.empty() : tensor<4xf32>
  %m = tensor.empty() : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#row, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %m : tensor<4xf32>, tensor<4x4xf32>) outs(%new : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
