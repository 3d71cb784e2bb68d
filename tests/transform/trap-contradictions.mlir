// Sizes that are known to differ but must be equal become a trap followed by a placeholder.
// RUN: tessera opt %s --trap-contradictions | FileCheck %s

// The cast hides the 3; the elementwise operation requires that 3 and 4 are equal.
// CHECK-LABEL: func private @different_sizes(
//       CHECK:   scf.if
//       CHECK:     call @tessera_rt_trap
//   CHECK-NOT:   linalg.generic
//       CHECK:   %[[EMPTY:.*]] = tensor.empty() : tensor<4xi32>
//       CHECK:   return %[[EMPTY]]
func.func private @different_sizes(%a: tensor<3xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %hidden = tensor.cast %a : tensor<3xi32> to tensor<?xi32>
  %out = tensor.empty() : tensor<4xi32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                         iterator_types = ["parallel"]}
      ins(%hidden, %b : tensor<?xi32>, tensor<4xi32>) outs(%out : tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  return %sum : tensor<4xi32>
}

// CHECK-LABEL: func private @wrong_cast(
//       CHECK:   call @tessera_rt_trap
//       CHECK:   tensor.empty() : tensor<2xi32>
func.func private @wrong_cast(%a: tensor<3xi32>) -> tensor<2xi32> {
  %hidden = tensor.cast %a : tensor<3xi32> to tensor<?xi32>
  %wrong = tensor.cast %hidden : tensor<?xi32> to tensor<2xi32>
  return %wrong : tensor<2xi32>
}

// Unknown sizes may agree.
// CHECK-LABEL: func private @unknown_sizes(
//   CHECK-NOT:   tessera_rt_trap
//       CHECK:   tensor.cast
func.func private @unknown_sizes(%a: tensor<?xi32>) -> tensor<2xi32> {
  %cast = tensor.cast %a : tensor<?xi32> to tensor<2xi32>
  return %cast : tensor<2xi32>
}
