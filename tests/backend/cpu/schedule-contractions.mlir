// RUN: tessera opt %s --schedule-contractions | FileCheck %s
// RUN: tessera opt %s --schedule-contractions=vector-bytes=32 | FileCheck %s --check-prefix=AVX2
// Each product is annotated with how it will be computed, in a form that people can read and change.

// CHECK-LABEL: func @small(
//       CHECK:   linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 4 : i64, vectors = 1 : i64}}
//  AVX2-LABEL: func @small(
//        AVX2:   linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 4 : i64, vectors = 1 : i64}}
func.func @small(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// The tile is as large as the registers allow, and blocks as large as the caches allow.
// CHECK-LABEL: func @large(
//       CHECK:   {depth = 320 : i64, height = 63 : i64, kernel = "blocked", lanes = 16 : i64,
//  CHECK-SAME:    pack_rhs = 1 : i64, prefetch = 1 : i64, rows = 9 : i64, vectors = 3 : i64, width = 3264 : i64}
//  AVX2-LABEL: func @large(
//        AVX2:   kernel = "blocked", lanes = 8 : i64, pack_rhs = 1 : i64, prefetch = 1 : i64, rows = {{[0-9]+}} : i64
func.func @large(%a: tensor<1000x1000xf32>, %b: tensor<1000x1000xf32>, %c: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<1000x1000xf32>, tensor<1000x1000xf32>) outs(%c : tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %r : tensor<1000x1000xf32>
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

// Contractions in any form: batches, transposed operands, other types.
// CHECK-LABEL: func @generic(
//       CHECK:   linalg.generic {{.*}}tessera.schedule = {
func.func @generic(%a: tensor<9x4x6xf16>, %b: tensor<9x5x6xf16>, %c: tensor<9x4x5xf32>) -> tensor<9x4x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<9x4x6xf16>, tensor<9x5x6xf16>) outs(%c : tensor<9x4x5xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.extf %y : f16 to f32
    %t = math.fma %u, %v, %s : f32
    linalg.yield %t : f32
  } -> tensor<9x4x5xf32>
  return %r : tensor<9x4x5xf32>
}

// Sums of half precision are rounded at every step: no tuned loops support that.
// CHECK-LABEL: func @half_sums(
//   CHECK-NOT:   tessera.schedule
//       CHECK:   return
func.func @half_sums(%a: tensor<4x4xf16>, %b: tensor<4x4xf16>, %c: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf16>, tensor<4x4xf16>) outs(%c : tensor<4x4xf16>) -> tensor<4x4xf16>
  return %r : tensor<4x4xf16>
}

// Other operations have no schedule.
// CHECK-LABEL: func @not_a_contraction(
//   CHECK-NOT:   tessera.schedule
//       CHECK:   return
func.func @not_a_contraction(%x: f32, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.fill ins(%x : f32) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// A convolution reads its windows in place. Vectors hold channels if these fill them better than a row of the result,
// which is then stored across.
// CHECK-LABEL: func @convolution(
//       CHECK:   tessera.schedule = {across = 1 : i64, kernel = "direct", lanes = 16 : i64, pack_rhs = 1 : i64, prefetch = 1 : i64, rows = 12 : i64, unroll = 16 : i64, vectors = 1 : i64, width =
//  AVX2-LABEL: func @convolution(
//        AVX2:   tessera.schedule = {across = 1 : i64, kernel = "direct", lanes = 8 : i64,
func.func @convolution(%a: tensor<2x3x14x14xf32>, %b: tensor<16x3x3x3xf32>, %c: tensor<2x16x12x12xf32>) -> tensor<2x16x12x12xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<2x3x14x14xf32>, tensor<16x3x3x3xf32>) outs(%c : tensor<2x16x12x12xf32>) -> tensor<2x16x12x12xf32>
  return %r : tensor<2x16x12x12xf32>
}

// CHECK-LABEL: func @few_channels(
//       CHECK:   tessera.schedule = {height = {{[0-9]+}} : i64, kernel = "direct", lanes = 16 : i64, prefetch = 1 : i64, rows = 4 : i64, unroll = 16 : i64, vectors = 2 : i64}
func.func @few_channels(%a: tensor<2x3x14x34xf32>, %b: tensor<4x3x3x3xf32>, %c: tensor<2x4x12x32xf32>) -> tensor<2x4x12x32xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<2x3x14x34xf32>, tensor<4x3x3x3xf32>) outs(%c : tensor<2x4x12x32xf32>) -> tensor<2x4x12x32xf32>
  return %r : tensor<2x4x12x32xf32>
}
