// RUN: tessera opt %s --lower-streams | FileCheck %s
// Whole lines are written past the caches; elements before the first and after the last are not.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @chunks(
//       CHECK:   scf.parallel
//       CHECK:     memref.extract_aligned_pointer_as_index %arg1
//       CHECK:     vector.maskedload %arg0
//       CHECK:     vector.maskedstore %arg1
//       CHECK:     scf.for %[[I:.*]] =
//       CHECK:       %[[A:.*]] = vector.load %arg0[%[[I]]] : memref<?xf32>, vector<16xf32>
//       CHECK:       %[[S:.*]] = arith.addf %[[A]], %[[A]] : vector<16xf32>
//       CHECK:       vector.store %[[S]], %arg1[%[[I]]] {alignment = 64 : i64, nontemporal = true}
//       CHECK:     vector.maskedstore %arg1
//       CHECK:   tessera.grain = 1
func.func @chunks(%x: memref<?xf32>, %o: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : memref<?xf32>) outs(%o : memref<?xf32>) attrs = {tessera.stream} {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// Operands that are constant along a row are loaded once per row; lines of f64 have 8 elements.
// CHECK-LABEL: func @scaled(
//       CHECK:   scf.parallel
//       CHECK:     scf.for %[[M:.*]] =
//       CHECK:       memref.load %arg1[%[[M]]]
//       CHECK:       scf.for
//   CHECK-NOT:         memref.load
//       CHECK:         vector.store {{.*}} nontemporal = true} : {{.*}}, vector<8xf64>
//       CHECK:   tessera.grain = 1
func.func @scaled(%x: memref<?x1000xf64>, %s: memref<?xf64>, %o: memref<?x1000xf64>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<?x1000xf64>, memref<?xf64>) outs(%o : memref<?x1000xf64>) attrs = {tessera.stream} {
  ^bb0(%a: f64, %c: f64, %old: f64):
    %p = arith.mulf %a, %c : f64
    linalg.yield %p : f64
  }
  return
}

// The next row is prefetched while one is written.
// CHECK-LABEL: func @rows(
//       CHECK:   scf.for %[[M:.*]] =
//       CHECK:     scf.for
//       CHECK:       memref.prefetch %arg0[%[[M]], %{{.*}}], read, locality<2>, data
//       CHECK:       vector.store {{.*}} nontemporal = true}
func.func @rows(%x: memref<64x256xf32>, %o: memref<64x256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
    %to = arith.addi %i, %c32 : index
    scf.for %m = %i to %to step %c1 {
      %r = memref.subview %x[%m, 0] [1, 256] [1, 1] : memref<64x256xf32> to memref<256xf32, strided<[1], offset: ?>>
      %v = memref.subview %o[%m, 0] [1, 256] [1, 1] : memref<64x256xf32> to memref<256xf32, strided<[1], offset: ?>>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%r : memref<256xf32, strided<[1], offset: ?>>) outs(%v : memref<256xf32, strided<[1], offset: ?>>)
          attrs = {tessera.stream} {
      ^bb0(%a: f32, %old: f32):
        linalg.yield %a : f32
      }
    }
    scf.reduce
  }
  return
}
