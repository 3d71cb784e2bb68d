// RUN: tessera opt %s --lower-rows | FileCheck %s
// A loop over rows becomes chunks of rows; a row's own buffer serves a whole chunk.

#id = affine_map<(d0, d1) -> (d0, d1)>

// 32768 elements make a chunk: 255 rows of 1 + 128 elements.
// CHECK-LABEL: func @rows(
//       CHECK:   scf.parallel
//       CHECK:     %[[B:.*]] = memref.alloc() : memref<1x128xf32>
//       CHECK:     scf.for %[[M:.*]] =
//       CHECK:       memref.subview %arg0[%[[M]], 0] [1, 128] [1, 1]
//       CHECK:       linalg.generic {{.*}} outs(%[[B]]
//       CHECK:       memref.copy %[[B]]
//  CHECK-NEXT:     }
//  CHECK-NEXT:     memref.dealloc %[[B]]
//       CHECK:   } {tessera.grain = 1 : i64}
func.func @rows(%x: memref<1000x128xf32>) {
  scf.forall (%m) in (1000) {
    %b = memref.alloc() : memref<1x128xf32>
    %v = memref.subview %x[%m, 0] [1, 128] [1, 1] : memref<1000x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%v : memref<1x128xf32, strided<[128, 1], offset: ?>>) outs(%b : memref<1x128xf32>) {
    ^bb0(%a: f32, %old: f32):
      linalg.yield %a : f32
    }
    memref.copy %b, %v : memref<1x128xf32> to memref<1x128xf32, strided<[128, 1], offset: ?>>
    memref.dealloc %b : memref<1x128xf32>
  }
  return
}

// Rows with several indices are numbered; sizes are computed outside the loop.
// CHECK-LABEL: func @planes(
//       CHECK:   %[[N:.*]] = memref.dim %arg0, %{{.*}}
//       CHECK:   %[[COUNT:.*]] = arith.muli
//       CHECK:   arith.ceildivsi
//       CHECK:   arith.ceildivsi
//       CHECK:   scf.parallel
//       CHECK:     scf.for
//       CHECK:       arith.remui
//       CHECK:       arith.divui
//       CHECK:       memref.subview
func.func @planes(%x: memref<?x?x?xf32>, %a: index, %b: index) {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  scf.forall (%i, %j) in (%a, %b) {
    %n = memref.dim %x, %c2 : memref<?x?x?xf32>
    %v = memref.subview %x[%i, %j, 0] [1, 1, %n] [1, 1, 1] : memref<?x?x?xf32> to memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%v : memref<1x1x?xf32, strided<[?, ?, 1], offset: ?>>)
  }
  return
}
