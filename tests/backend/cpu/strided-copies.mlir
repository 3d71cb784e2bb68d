// RUN: tessera opt %s --strided-copies | FileCheck %s
// A small contiguous copy uses memcpy, a large one runs in parallel, and a part of a matrix is copied by loops.

// CHECK-LABEL: func @small_block(
//       CHECK:   memref.copy
func.func @small_block(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32>
  return
}

// 32768 elements are one chunk, which is not divided.
// CHECK-LABEL: func @one_chunk(
//       CHECK:   memref.copy
func.func @one_chunk(%a: memref<32768xf32>, %b: memref<32768xf32>) {
  memref.copy %a, %b : memref<32768xf32> to memref<32768xf32>
  return
}

// CHECK-LABEL: func @more_than_a_chunk(
//       CHECK:   linalg.copy
func.func @more_than_a_chunk(%a: memref<32769xf32>, %b: memref<32769xf32>) {
  memref.copy %a, %b : memref<32769xf32> to memref<32769xf32>
  return
}

// CHECK-LABEL: func @unknown_size(
//       CHECK:   linalg.copy
func.func @unknown_size(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}

// Either side may be a part of a larger buffer.
// CHECK-LABEL: func @from_a_part(
//       CHECK:   linalg.copy
func.func @from_a_part(%a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
  return
}

// CHECK-LABEL: func @into_a_part(
//       CHECK:   linalg.copy
func.func @into_a_part(%a: memref<4x4xf32>, %b: memref<4x4xf32, strided<[8, 1], offset: ?>>) {
  memref.copy %a, %b : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
  return
}
