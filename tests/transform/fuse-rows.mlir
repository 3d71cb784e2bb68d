// RUN: tessera opt %s --fuse-rows | FileCheck %s
// Operations that share the rows of their results become one loop over these; results without other users shrink to a
// row.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func @softmax(
//       CHECK:   scf.forall (%[[M:.*]]) in (64) shared_outs(%[[O:.*]] = %{{.*}}) -> (tensor<64x100xf32>)
//       CHECK:     linalg.fill {{.*}} -> tensor<1xf32>
//       CHECK:     tensor.extract_slice %arg0[%[[M]], 0] [1, 100] [1, 1]
//       CHECK:     arith.maximumf
//       CHECK:     tensor.extract_slice %[[O]][%[[M]], 0] [1, 100] [1, 1]
//       CHECK:     arith.subf
//       CHECK:     arith.addf
//       CHECK:     arith.divf
//       CHECK:     tensor.parallel_insert_slice {{.*}} into %[[O]][%[[M]], 0] [1, 100] [1, 1]
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @softmax(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %v = tensor.empty() : tensor<64xf32>
  %m = tensor.empty() : tensor<64x100xf32>
  %f = linalg.fill ins(%low : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %top = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x100xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %top : tensor<64x100xf32>, tensor<64xf32>) outs(%m : tensor<64x100xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x100xf32>
  %g = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<64x100xf32>) outs(%g : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b fastmath<reassoc> : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %o = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %sum : tensor<64x100xf32>, tensor<64xf32>) outs(%e : tensor<64x100xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x100xf32>
  return %o : tensor<64x100xf32>
}

// Two sums of one tensor read it once; both are results.
// CHECK-LABEL: func @siblings(
//       CHECK:   %[[R:.*]]:2 = scf.forall
//       CHECK:     arith.addf
//       CHECK:     arith.mulf
//       CHECK:   return %[[R]]#0, %[[R]]#1
func.func @siblings(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %q: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%s : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %square = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%q : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %sum, %square : tensor<?xf32>, tensor<?xf32>
}

// The sum needs all rows of the operation before it, and the operation after it needs the whole sum.
// CHECK-LABEL: func @columns(
//   CHECK-NOT:   scf.forall
func.func @columns(%x: tensor<64x100xf32>, %s: tensor<100xf32>) -> tensor<64x100xf32> {
  %m = tensor.empty() : tensor<64x100xf32>
  %sum = linalg.generic {indexing_maps = [#transposed, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x100xf32>) outs(%s : tensor<100xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<100xf32>
  %o = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<64x100xf32>, tensor<100xf32>) outs(%m : tensor<64x100xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x100xf32>
  return %o : tensor<64x100xf32>
}

// Too few rows to divide; the row itself is divided.
// CHECK-LABEL: func @few_rows(
//   CHECK-NOT:   scf.forall
func.func @few_rows(%x: tensor<2x100000xf32>, %s: tensor<2xf32>) -> tensor<2x100000xf32> {
  %m = tensor.empty() : tensor<2x100000xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x100000xf32>) outs(%s : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b fastmath<reassoc> : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %o = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<2x100000xf32>, tensor<2xf32>) outs(%m : tensor<2x100000xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x100000xf32>
  return %o : tensor<2x100000xf32>
}

// The second sum uses the first one's result through an outside operation, which cannot be in the loop.
// CHECK-LABEL: func @around(
//   CHECK-NOT:   scf.forall
func.func @around(%x: tensor<64x100xf32>, %s: tensor<64xf32>) -> tensor<64x100xf32> {
  %m = tensor.empty() : tensor<64x100xf32>
  %c0 = arith.constant 0 : index
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x100xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %first = tensor.extract %sum[%c0] : tensor<64xf32>
  %o = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %first : tensor<64x100xf32>, f32) outs(%m : tensor<64x100xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x100xf32>
  return %o : tensor<64x100xf32>
}

// An update of a result with other users begins with that result's row.
// CHECK-LABEL: func @update(
//       CHECK:   scf.forall
//       CHECK:     %[[SUM:.*]] = linalg.generic
//       CHECK:       arith.addf
//       CHECK:     linalg.generic {{.*}} outs(%[[SUM]] : tensor<1xf32>)
//       CHECK:       arith.minimumf
func.func @update(%x: tensor<64x100xf32>, %s: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x100xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %least = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x100xf32>) outs(%sum : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.minimumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %sum, %least : tensor<64xf32>, tensor<64xf32>
}

// Either of two groups could be fused, but then they would depend on each other: only one is.
// CHECK-LABEL: func @crossed(
//       CHECK:   scf.forall (
//   CHECK-NOT:   scf.forall (
//       CHECK:   return
func.func @crossed(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %s: tensor<64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.maximumf %i, %o : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %b = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<64x64xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.maximumf %i, %o : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %m = tensor.empty() : tensor<64x64xf32>
  %c = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %a, %b : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%m : tensor<64x64xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %r = arith.addf %p, %k : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #column, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b, %a : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>) outs(%m : tensor<64x64xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %p = arith.mulf %i, %j : f32
    %r = arith.addf %p, %k : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %c, %d : tensor<64x64xf32>, tensor<64x64xf32>
}
