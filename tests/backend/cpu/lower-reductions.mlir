// RUN: tessera opt %s --lower-reductions | FileCheck %s
// Reductions become loops that keep their sums in registers.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#i = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// Two sums in one loop; results with an element per iteration are stored there.
// CHECK-LABEL: func @several(
//       CHECK:   scf.parallel
//       CHECK:     scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, f32)
//       CHECK:       %[[E:.*]] = arith.mulf
//       CHECK:       memref.store %[[E]], %arg1
//       CHECK:       scf.yield %{{.*}}, %{{.*}} : f32, f32
func.func @several(%x: memref<?x?xf32>, %e: memref<?x?xf32>, %s: memref<?xf32>, %q: memref<?xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%e, %s, %q : memref<?x?xf32>, memref<?xf32>, memref<?xf32>) {
  ^bb0(%a: f32, %old: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %a : f32
    %t = arith.addf %a, %b fastmath<reassoc> : f32
    %u = arith.addf %p, %c fastmath<reassoc> : f32
    linalg.yield %p, %t, %u : f32, f32, f32
  }
  return
}

// One result of many elements is computed in parts, which are combined in order.
// CHECK-LABEL: func @parts(
//       CHECK:   %[[P:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
//       CHECK:   scf.parallel
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:     memref.load %[[P]]
//       CHECK:   memref.dealloc %[[P]]
func.func @parts(%x: memref<?xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [#i, #none], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b fastmath<reassoc> : f32
    linalg.yield %t : f32
  }
  return
}

// Inside another parallel loop, and for sums in a fixed order, there are no parts.
// CHECK-LABEL: func @whole(
//   CHECK-NOT:   memref.alloc
//       CHECK:   return
func.func @whole(%x: memref<?xf32>, %s: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%j) = (%c0) to (%n) step (%c1) {
    linalg.generic {indexing_maps = [#i, #none], iterator_types = ["reduction"]}
        ins(%x : memref<?xf32>) outs(%s : memref<f32>) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b fastmath<reassoc> : f32
      linalg.yield %t : f32
    }
  }
  linalg.generic {indexing_maps = [#i, #none], iterator_types = ["reduction"]}
      ins(%x : memref<?xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  }
  return
}

// The processor's own maximum, and a second loop for zeros and NaN.
// CHECK-LABEL: func @extreme(
//       CHECK:   %[[Q:.*]]:2 = scf.for {{.*}} -> (f32, i1)
//       CHECK:     arith.maxnumf {{.*}} fastmath<nnan,nsz>
//       CHECK:     arith.cmpf uno
//       CHECK:   arith.cmpf oeq, %[[Q]]#0
//       CHECK:   scf.if
//       CHECK:     arith.maximumf
func.func @extreme(%x: memref<100xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [#i, #none], iterator_types = ["reduction"]}
      ins(%x : memref<100xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.maximumf %a, %b : f32
    linalg.yield %t : f32
  }
  return
}
