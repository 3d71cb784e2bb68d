// RUN: tessera opt %s --fuse-elementwise | FileCheck %s
// Elementwise operations are fused into the operations that use their results.

#id = affine_map<(i, j) -> (i, j)>
#across = affine_map<(i, j) -> (j, i)>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @chain(
//       CHECK:   linalg.generic
//       CHECK:     arith.negf
//       CHECK:     arith.addf
//   CHECK-NOT:   linalg.generic
func.func @chain(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %minus = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%minus : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %sum : tensor<4x4xf32>
}

// A contraction would compute each element four times.
// CHECK-LABEL: func @into_a_contraction(
//       CHECK:   linalg.generic
//       CHECK:     arith.negf
//       CHECK:   linalg.generic
//  CHECK-NEXT:   ^bb0
//  CHECK-NEXT:     math.fma
func.func @into_a_contraction(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %minus = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %product = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%minus, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %r = math.fma %u, %v, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %product : tensor<4x4xf32>
}

// A transposed operand is read in another order, and a narrow one is widened as it is read.
// CHECK-LABEL: func @reads(
//   CHECK-NOT:   linalg.generic
//       CHECK:   linalg.generic {indexing_maps = [{{.*}} -> (d0, d2)>, {{.*}} -> (d1, d2)>, {{.*}} -> (d0, d1)>]{{.*}} ins(%arg0, %arg1 : tensor<4x4xf16>, tensor<4x4xf32>)
//       CHECK:     arith.extf
//  CHECK-NEXT:     math.fma
//   CHECK-NOT:   linalg.generic
func.func @reads(%x: tensor<4x4xf16>, %y: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf16>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f16, %out: f32):
    %r = arith.extf %in : f16 to f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %turned = linalg.generic {indexing_maps = [#across, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %product = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%wide, %turned : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %r = math.fma %u, %v, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %product : tensor<4x4xf32>
}

// An operation that updates its initial value is not fused: in a sum, it would update it repeatedly.
// CHECK-LABEL: func @update(
//       CHECK:   linalg.generic
//       CHECK:     arith.mulf
//       CHECK:   linalg.generic
//       CHECK:     arith.addf
func.func @update(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %updated = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%updated : tensor<4x4xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %out, %in : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

// A dot product uses each element once.
// CHECK-LABEL: func @dot(
// CHECK-COUNT-1: linalg.generic
//       CHECK:   arith.negf
//       CHECK:   arith.mulf
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @dot(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %minus = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.negf %in : f32
    linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%minus, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %p = arith.mulf %u, %v fastmath<contract> : f32
    %r = arith.addf %out, %p fastmath<reassoc,contract> : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

// An operation that reads nothing of the loop's size is fused into a sum, with an operand that only supplies the size.
// CHECK-LABEL: func @count(
//       CHECK:   %[[SIZE:.*]] = tensor.empty(%{{.*}}) : tensor<?xi8>
//       CHECK:   linalg.generic
//  CHECK-SAME:     ins(%[[SIZE]] : tensor<?xi8>)
//       CHECK:     linalg.index
//       CHECK:     arith.addi
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @count(%n: index, %s: tensor<i64>) -> tensor<i64> {
  %e = tensor.empty(%n) : tensor<?xi64>
  %numbers = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %r = arith.index_cast %i : index to i64
    linalg.yield %r : i64
  } -> tensor<?xi64>
  %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%numbers : tensor<?xi64>) outs(%s : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %r = arith.addi %out, %in : i64
    linalg.yield %r : i64
  } -> tensor<i64>
  return %sum : tensor<i64>
}
