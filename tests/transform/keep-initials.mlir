// RUN: tessera opt %s --keep-initials | FileCheck %s
// RUN: tessera opt %s --fuse-elementwise | FileCheck %s --check-prefix=FUSED
// Where there is nothing to reduce, the result is the initial value, even if the body ignores it.

#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @range_may_be_empty(
//  CHECK-SAME:     %[[A:[a-z0-9]+]]: tensor<4x?xi32>, %[[INIT:[a-z0-9]+]]: tensor<4xi32>
//       CHECK:   %[[SIZE:.*]] = tensor.dim %[[A]], %c1
//       CHECK:   %[[IS_EMPTY:.*]] = arith.cmpi eq, %[[SIZE]], %c0
//       CHECK:   %[[UNSET:.*]] = tensor.empty() : tensor<4xi32>
//       CHECK:   %[[LAST:.*]] = linalg.generic {{.*}} outs(%[[UNSET]] :
//       CHECK:   linalg.generic {{.*}} ins(%[[INIT]], %[[LAST]] :
//       CHECK:     arith.select %[[IS_EMPTY]],
// FUSED-LABEL: func @range_may_be_empty(
//       FUSED:   arith.select
func.func @range_may_be_empty(%a: tensor<4x?xi32>, %init: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : i32
  %r = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x?xi32>) outs(%init : tensor<4xi32>) {
  ^bb0(%x: i32, %before: i32):
    linalg.yield %c0 : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func @range_is_known(
//   CHECK-NOT:   arith.select
func.func @range_is_known(%a: tensor<4x5xi32>, %init: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : i32
  %r = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x5xi32>) outs(%init : tensor<4xi32>) {
  ^bb0(%x: i32, %before: i32):
    linalg.yield %c0 : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func @initial_value_is_read(
//   CHECK-NOT:   arith.select
func.func @initial_value_is_read(%a: tensor<4x?xi32>, %init: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x?xi32>) outs(%init : tensor<4xi32>) {
  ^bb0(%x: i32, %before: i32):
    %sum = arith.addi %before, %x : i32
    linalg.yield %sum : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
