// RUN: tessera opt %s --lower-contractions | FileCheck %s
// Whatever the kernel, each element is one chain of fused multiply-adds in ascending k.

// Without a schedule: the plain loops that all others are compared with.
// CHECK-LABEL: func @plain(
//       CHECK:   linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
//       CHECK:     math.fma
//   CHECK-NOT:   linalg.matmul
func.func @plain(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// Integers wrap, so their order is free and no operation of theirs is fused.
// CHECK-LABEL: func @plain_integers(
//       CHECK:   linalg.generic
//       CHECK:     arith.muli
//       CHECK:     arith.addi
func.func @plain_integers(%a: memref<4x4xi32>, %b: memref<4x4xi32>, %c: memref<4x4xi32>) {
  linalg.matmul ins(%a, %b : memref<4x4xi32>, memref<4x4xi32>) outs(%c : memref<4x4xi32>)
  return
}

// Two rows, k = 2: four steps, one vector a row, no loops, and the old contents are read.
// CHECK-LABEL: func @unrolled(
//       CHECK:   vector.load
//   CHECK-NOT:   scf.for
// CHECK-COUNT-4: math.fma
//   CHECK-NOT:   math.fma
//       CHECK:   return
func.func @unrolled(%a: memref<2x2xf32>, %b: memref<2x4xf32>, %c: memref<2x4xf32>) {
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x2xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  return
}

// The kernel starts from zero by itself: the fill right in front is not needed.
// CHECK-LABEL: func @zero_fill_is_part_of_the_kernel(
//   CHECK-NOT:   linalg.fill
//       CHECK:   return
func.func @zero_fill_is_part_of_the_kernel(%a: memref<2x2xf32>, %b: memref<2x4xf32>, %c: memref<2x4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<2x4xf32>)
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x2xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  return
}

// One is not zero, and minus zero is another number; a fill of something else is none of our business.
// CHECK-LABEL: func @other_fills_stay(
// CHECK-COUNT-3: linalg.fill
//       CHECK:   return
func.func @other_fills_stay(%a: memref<2x2xf32>, %b: memref<2x4xf32>, %c: memref<2x4xf32>, %d: memref<2x4xf32>) {
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -0.0 : f32
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%one : f32) outs(%c : memref<2x4xf32>)
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x2xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  linalg.fill ins(%minus : f32) outs(%c : memref<2x4xf32>)
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x2xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  linalg.fill ins(%zero : f32) outs(%d : memref<2x4xf32>)
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x2xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  return
}

// What is further apart than one element is brought together first; a result that is gets plain loops.
// CHECK-LABEL: func @elements_apart(
//       CHECK:   call @contraction.0
//   CHECK-NOT:   vector.
//       CHECK:   linalg.generic
//       CHECK:   return
func.func @elements_apart(%a: memref<2x2xf32>, %b: memref<2x4xf32, strided<[16, 2]>>, %c: memref<2x4xf32>) {
  linalg.matmul {tessera.schedule = {kernel = "blocked", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x2xf32>, memref<2x4xf32, strided<[16, 2]>>) outs(%c : memref<2x4xf32>)
  linalg.matmul {tessera.schedule = {kernel = "blocked", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %c : memref<2x2xf32>, memref<2x4xf32>) outs(%b : memref<2x4xf32, strided<[16, 2]>>)
  return
}

// Two products that are alike call one function. One that starts from zero is another one: its accumulators do.
// CHECK-LABEL: func @blocked(
//       CHECK:   call @[[KERNEL:contraction.1]](
//       CHECK:   call @[[KERNEL]](
//       CHECK:   call @contraction.2(
//       CHECK:   func private @[[KERNEL]]({{.*}} attributes {passthrough = ["tessera-kernel"]}
//       CHECK:   scf.parallel
//       CHECK:   math.fma
//       CHECK:   func private @contraction.2
//   CHECK-NOT:   func private @contraction
func.func @blocked(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %d: memref<?x?xf32>) {
  linalg.matmul {tessera.schedule = {kernel = "blocked", lanes = 16 : i64, rows = 14 : i64, vectors = 2 : i64, depth = 256 : i64, width = 1024 : i64}}
      ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  linalg.matmul {tessera.schedule = {kernel = "blocked", lanes = 16 : i64, rows = 14 : i64, vectors = 2 : i64, depth = 256 : i64, width = 1024 : i64}}
      ins(%b, %c : memref<?x?xf32>, memref<?x?xf32>) outs(%d : memref<?x?xf32>)
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
  linalg.matmul {tessera.schedule = {kernel = "blocked", lanes = 16 : i64, rows = 14 : i64, vectors = 2 : i64, depth = 256 : i64, width = 1024 : i64}}
      ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
