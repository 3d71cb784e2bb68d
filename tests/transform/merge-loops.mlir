// RUN: tessera opt %s --merge-loops | FileCheck %s
// Sums that read the same elements are computed in one operation.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @moments(
//       CHECK:   %[[R:.*]]:2 = linalg.generic {{.*}} ins(%arg0, %arg0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%arg1, %arg2
//       CHECK:     arith.addf
//       CHECK:     arith.mulf
//       CHECK:     arith.addf
//       CHECK:     linalg.yield %{{.*}}, %{{.*}} : f32, f32
//       CHECK:   return %[[R]]#0, %[[R]]#1
func.func @moments(%x: tensor<?x?xf32>, %s: tensor<?xf32>, %q: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
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

// In a row, elements computed for a sum are added directly, and still stored.
// CHECK-LABEL: func @in_row(
//       CHECK:   scf.forall
//       CHECK:     %{{.*}}:2 = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
//       CHECK:       %[[E:.*]] = arith.mulf
//       CHECK:       %[[S:.*]] = arith.addf %{{.*}}, %[[E]]
//       CHECK:       linalg.yield %[[E]], %[[S]]
//   CHECK-NOT:     linalg.generic
func.func @in_row(%x: tensor<8x9xf32>, %o: tensor<8x9xf32>, %s: tensor<8xf32>) -> (tensor<8x9xf32>, tensor<8xf32>) {
  %r:2 = scf.forall (%i) in (8) shared_outs(%oo = %o, %ss = %s) -> (tensor<8x9xf32>, tensor<8xf32>) {
    %xi = tensor.extract_slice %x[%i, 0] [1, 9] [1, 1] : tensor<8x9xf32> to tensor<1x9xf32>
    %oi = tensor.extract_slice %oo[%i, 0] [1, 9] [1, 1] : tensor<8x9xf32> to tensor<1x9xf32>
    %si = tensor.extract_slice %ss[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%xi : tensor<1x9xf32>) outs(%oi : tensor<1x9xf32>) {
    ^bb0(%a: f32, %old: f32):
      %t = arith.mulf %a, %a : f32
      linalg.yield %t : f32
    } -> tensor<1x9xf32>
    %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%e : tensor<1x9xf32>) outs(%si : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %b, %a : f32
      linalg.yield %t : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %oo[%i, 0] [1, 9] [1, 1] : tensor<1x9xf32> into tensor<8x9xf32>
      tensor.parallel_insert_slice %sum into %ss[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r#0, %r#1 : tensor<8x9xf32>, tensor<8xf32>
}

// The second sum needs the first to be complete.
// CHECK-LABEL: func @dependent(
//       CHECK:   linalg.generic
//       CHECK:   linalg.generic
func.func @dependent(%x: tensor<8x9xf32>, %s: tensor<8xf32>, %q: tensor<8xf32>) -> tensor<8xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x9xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %square = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<8x9xf32>, tensor<8xf32>) outs(%q : tensor<8xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %p = arith.subf %a, %m : f32
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %square : tensor<8xf32>
}
