// RUN: tessera opt %s --lower-contractions | FileCheck %s
// Whatever the tuned loops, each element is one chain of fused multiply-adds in ascending k.

// Without a schedule: the plain loops that serve as the oracle.
// CHECK-LABEL: func @plain(
//       CHECK:   linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
//       CHECK:     math.fma
//   CHECK-NOT:   linalg.matmul
func.func @plain(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// Integers wrap, so the order of their sums is free, and nothing is fused.
// CHECK-LABEL: func @plain_integers(
//       CHECK:   linalg.generic
//       CHECK:     arith.muli
//       CHECK:     arith.addi
func.func @plain_integers(%a: memref<4x4xi32>, %b: memref<4x4xi32>, %c: memref<4x4xi32>) {
  linalg.matmul ins(%a, %b : memref<4x4xi32>, memref<4x4xi32>) outs(%c : memref<4x4xi32>)
  return
}

// Two rows, k = 2: four steps, one vector per row, no loops, and the old contents are read.
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

// The sums start from zero in registers: the fill just before is removed.
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

// The sums can start from any value, but only if it was written to the contraction's own buffer.
// CHECK-LABEL: func @other_fills(
//       CHECK:   linalg.fill ins(%{{.*}}) outs(%arg3
//   CHECK-NOT:   linalg.fill
//       CHECK:   return
func.func @other_fills(%a: memref<2x2xf32>, %b: memref<2x4xf32>, %c: memref<2x4xf32>, %d: memref<2x4xf32>) {
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

#id = affine_map<(i, j) -> (i, j)>
#across = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (j)>

// A bias is the initial value of the sums, and functions of the sums are computed before they are stored.
// CHECK-LABEL: func @bias_and_relu(
//   CHECK-NOT:   linalg.generic
//       CHECK:   vector.load %{{.*}} : memref<?xf32>, vector<4xf32>
//   CHECK-NOT:   vector.store
// CHECK-COUNT-4: math.fma
// CHECK-COUNT-2: arith.maximumf
//   CHECK-NOT:   vector.load
// CHECK-COUNT-2: vector.store
//   CHECK-NOT:   vector.store
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @bias_and_relu(%a: memref<2x2xf32>, %b: memref<2x4xf32>, %bias: memref<4xf32>) -> memref<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<2x4xf32>
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<4xf32>) outs(%c : memref<2x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  }
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x2xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<2x4xf32>) outs(%c : memref<2x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.maximumf %x, %zero : f32
    linalg.yield %r : f32
  }
  return %c : memref<2x4xf32>
}

// Sums with other readers are stored too.
// CHECK-LABEL: func @sums_are_kept(
//   CHECK-NOT:   linalg.generic
// CHECK-COUNT-4: vector.store
//       CHECK:   return
func.func @sums_are_kept(%a: memref<2x2xf32>, %b: memref<2x4xf32>) -> (memref<2x4xf32>, memref<2x4xf32>) {
  %c = memref.alloc() : memref<2x4xf32>
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 2 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<2x2xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  %d = memref.alloc() : memref<2x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<2x4xf32>) outs(%d : memref<2x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  }
  return %c, %d : memref<2x4xf32>, memref<2x4xf32>
}

// Elements that are written must not be read by the product, or by another element.
// CHECK-LABEL: func @neighbors_that_stay(
//       CHECK:   linalg.generic
//   CHECK-NOT:   linalg.matmul
//       CHECK:   linalg.generic
//       CHECK:   linalg.generic
//       CHECK:   return
func.func @neighbors_that_stay(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // Reads %c at other indices than it writes.
  linalg.generic {indexing_maps = [#across, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<4x4xf32>) outs(%c : memref<4x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  }
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 4 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  // Writes %a, which later rows read.
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<4x4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  }
  linalg.matmul {tessera.schedule = {kernel = "unrolled", lanes = 4 : i64, rows = 4 : i64, vectors = 1 : i64}}
      ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  // Stores the transpose: no vector of it is dense.
  %d = memref.alloc() : memref<4x4xf32>
  linalg.generic {indexing_maps = [#id, #across], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<4x4xf32>) outs(%d : memref<4x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  }
  memref.dealloc %d : memref<4x4xf32>
  return
}

// Operands with a stride other than one are packed first; a result with one gets plain loops.
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

// Two equal products call one function. One that starts from zero needs another, with other initial values.
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
