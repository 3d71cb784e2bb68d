// RUN: tessera opt %s --schedule-contractions | FileCheck %s
// RUN: tessera opt %s --schedule-contractions=lanes=8 | FileCheck %s --check-prefix=AVX2
// Each product is told how it will be computed, in words that a person can read and change.

// CHECK-LABEL: func @small(
//       CHECK:   linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 16 : i64}}
//  AVX2-LABEL: func @small(
//        AVX2:   linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 8 : i64}}
func.func @small(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// The block of registers is as large as the device allows.
// CHECK-LABEL: func @large(
//       CHECK:   kernel = "blocked", lanes = 16 : i64, rows = 14 : i64, vectors = 2 : i64
//  AVX2-LABEL: func @large(
//        AVX2:   kernel = "blocked", lanes = 8 : i64, rows = 6 : i64, vectors = 2 : i64
func.func @large(%a: tensor<400x400xf32>, %b: tensor<400x400xf32>, %c: tensor<400x400xf32>) -> tensor<400x400xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<400x400xf32>, tensor<400x400xf32>) outs(%c : tensor<400x400xf32>) -> tensor<400x400xf32>
  return %r : tensor<400x400xf32>
}

// An unknown size is never small; k may be known from either operand.
// CHECK-LABEL: func @unknown_rows(
//       CHECK:   kernel = "blocked"
func.func @unknown_rows(%a: tensor<?x4xf32>, %b: tensor<4x4xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x4xf32>, tensor<4x4xf32>) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func @depth_known_on_one_side(
//       CHECK:   kernel = "unrolled"
func.func @depth_known_on_one_side(%a: tensor<4x?xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// Other operations have no schedule.
// CHECK-LABEL: func @not_a_contraction(
//   CHECK-NOT:   tessera.schedule
//       CHECK:   return
func.func @not_a_contraction(%x: f32, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.fill ins(%x : f32) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
