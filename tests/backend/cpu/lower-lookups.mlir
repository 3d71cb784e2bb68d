// RUN: tessera opt %s --lower-lookups | FileCheck %s
// Rows that other elements select are added in registers, and later ones are prefetched.

#chosen = affine_map<(b, d, l) -> (b, l)>
#sum = affine_map<(b, d, l) -> (b, d)>

// CHECK-LABEL: func @lookup(
//       CHECK:   scf.parallel
//       CHECK:     vector.load %arg2{{.*}} vector<64xf32>
//       CHECK:     scf.for {{.*}} iter_args({{.*}}) -> (vector<64xf32>)
//       CHECK:       memref.prefetch %arg0
//       CHECK:       vector.load %arg0{{.*}} vector<64xf32>
//       CHECK:       arith.addf {{.*}} : vector<64xf32>
//       CHECK:     vector.store
//       CHECK:     vector.create_mask {{.*}} vector<16xi1>
//       CHECK:     scf.for
//       CHECK:       vector.maskedload %arg0
//       CHECK:     vector.maskedstore %arg2
//   CHECK-NOT:   linalg.generic
func.func @lookup(%table: memref<?x?xf32>, %rows: memref<?x?xi32>, %o: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#chosen, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows : memref<?x?xi32>) outs(%o : memref<?x?xf32>) {
  ^bb0(%row: i32, %old: f32):
    %d = linalg.index 1 : index
    %r = arith.index_cast %row : i32 to index
    %e = memref.load %table[%r, %d] : memref<?x?xf32>
    %s = arith.addf %old, %e : f32
    linalg.yield %s : f32
  }
  return
}

// A branch on the sizes is taken once.
// CHECK-LABEL: func @guarded(
//       CHECK:   %[[ANY:.*]] = arith.cmpi sgt, %arg3
//       CHECK:   scf.if %[[ANY]] {
//       CHECK:     vector.load %arg0
//       CHECK:   } else {
//       CHECK:     linalg.generic
//   CHECK-NOT:       scf.if
func.func @guarded(%table: memref<?x?xf32>, %rows: memref<?x?xi32>, %o: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#chosen, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows : memref<?x?xi32>) outs(%o : memref<?x?xf32>) {
  ^bb0(%row: i32, %old: f32):
    %d = linalg.index 1 : index
    %any = arith.cmpi sgt, %n, %c0 : index
    %e = scf.if %any -> f32 {
      %r = arith.index_cast %row : i32 to index
      %x = memref.load %table[%r, %d] : memref<?x?xf32>
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    %s = arith.addf %old, %e : f32
    linalg.yield %s : f32
  }
  return
}

// Columns of the table are not rows.
// CHECK-LABEL: func @columns(
//       CHECK:   linalg.generic
func.func @columns(%table: memref<?x?xf32>, %rows: memref<?x?xi32>, %o: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [#chosen, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows : memref<?x?xi32>) outs(%o : memref<?x?xf32>) {
  ^bb0(%row: i32, %old: f32):
    %d = linalg.index 1 : index
    %r = arith.index_cast %row : i32 to index
    %e = memref.load %table[%d, %r] : memref<?x?xf32>
    %s = arith.addf %old, %e : f32
    linalg.yield %s : f32
  }
  return
}
