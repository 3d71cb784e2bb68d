// RUN: tessera opt %s --collapse-loops | FileCheck %s
// Loops that step through every operand as a single loop would become one.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
#n = affine_map<(n, c, h, w) -> (n)>

// Contiguous operands are one long vector.
// CHECK-LABEL: func @blocks(
//       CHECK:   memref.collapse_shape %arg0 {{\[\[}}0, 1]]
//       CHECK:   memref.collapse_shape %arg1 {{\[\[}}0, 1]]
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel"]
func.func @blocks(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.mulf %x, %x : f32
    linalg.yield %y : f32
  }
  return
}

// CHECK-LABEL: func @inner(
//       CHECK:   memref.collapse_shape %arg0 {{\[\[}}0], [1, 2, 3]]
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
func.func @inner(%x: memref<?x?x?x?xf32>, %s: memref<?xf32>) {
  linalg.generic {indexing_maps = [#all, #n], iterator_types = ["parallel", "reduction", "reduction", "reduction"]}
      ins(%x : memref<?x?x?x?xf32>) outs(%s : memref<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// A row of a contiguous buffer is contiguous, too, though its type does not say so.
// CHECK-LABEL: func @row_of_block(
//       CHECK:   memref.reinterpret_cast %{{.*}} sizes: [1, %{{.*}}], strides: [%{{.*}}, 1]
//       CHECK:   linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
func.func @row_of_block(%x: memref<?x?x?x?xf32>, %i: index, %s: memref<1xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c = memref.dim %x, %c1 : memref<?x?x?x?xf32>
  %h = memref.dim %x, %c2 : memref<?x?x?x?xf32>
  %w = memref.dim %x, %c3 : memref<?x?x?x?xf32>
  %v = memref.subview %x[%i, 0, 0, 0] [1, %c, %h, %w] [1, 1, 1, 1] : memref<?x?x?x?xf32> to memref<1x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>>
  linalg.generic {indexing_maps = [#all, #n], iterator_types = ["parallel", "reduction", "reduction", "reduction"]}
      ins(%v : memref<1x?x?x?xf32, strided<[?, ?, ?, 1], offset: ?>>) outs(%s : memref<1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}

// Here a step to the next row skips elements, or loops step through operands in two orders.
// CHECK-LABEL: func @apart(
//   CHECK-NOT:   memref.collapse_shape
//   CHECK-NOT:   memref.reinterpret_cast
//       CHECK:   return
func.func @apart(%a: memref<?x?xf32>, %s: memref<8x8xf32, strided<[9, 1]>>, %b: memref<?x?xf32>, %n: index) {
  %part = memref.subview %a[0, 0] [%n, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%part : memref<?x?xf32, strided<[?, 1]>>) outs(%b : memref<?x?xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%s : memref<8x8xf32, strided<[9, 1]>>) {
  ^bb0(%old: f32):
    %y = arith.mulf %old, %old : f32
    linalg.yield %y : f32
  }
  return
}

// A body that uses its indices needs all loops.
// CHECK-LABEL: func @positions(
//   CHECK-NOT:   memref.collapse_shape
//       CHECK:   return
func.func @positions(%b: memref<?x?xindex>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%b : memref<?x?xindex>) {
  ^bb0(%old: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  }
  return
}
