// RUN: tessera opt %s --split-contractions | FileCheck %s
// A factor that is used many times is computed in advance: a contraction remains.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#k = affine_map<(m, n, k) -> (k)>

// CHECK-LABEL: func @factor(
//       CHECK:   %[[E:.*]] = tensor.empty() : tensor<9x7xf32>
//       CHECK:   %[[SCALED:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg2 : tensor<9x7xf32>, tensor<7xf32>) outs(%[[E]]
//       CHECK:     arith.mulf
//       CHECK:   linalg.generic {{.*}} ins(%[[SCALED]], %arg1 :
//       CHECK:     arith.mulf
//  CHECK-NEXT:     arith.addf {{.*}} fastmath<reassoc>
func.func @factor(%a: tensor<9x7xf32>, %b: tensor<7x8xf32>, %s: tensor<7xf32>, %c: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %r = linalg.generic {indexing_maps = [#mk, #kn, #k, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %s : tensor<9x7xf32>, tensor<7x8xf32>, tensor<7xf32>) outs(%c : tensor<9x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %sum: f32):
    %p = arith.mulf %x, %z : f32
    %q = arith.mulf %p, %y : f32
    %t = arith.addf %sum, %q fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<9x8xf32>
  return %r : tensor<9x8xf32>
}

// Unknown sizes count as large.
// CHECK-LABEL: func @dynamic(
//       CHECK:   tensor.empty(%{{.*}}, %{{.*}}) : tensor<?x?xi32>
//       CHECK:     arith.maxsi
//       CHECK:   linalg.generic
//       CHECK:     arith.muli
//  CHECK-NEXT:     arith.addi
func.func @dynamic(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %c: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = arith.constant 0 : i32
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c : tensor<?x?xi32>) {
  ^bb0(%x: i32, %y: i32, %sum: i32):
    %p = arith.maxsi %x, %zero : i32
    %q = arith.muli %p, %y : i32
    %t = arith.addi %q, %sum : i32
    linalg.yield %t : i32
  } -> tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}

// A factor used twice is not worth a tensor; a product of all three loops would be larger than its operands; and a
// contraction needs no change.
// CHECK-LABEL: func @unchanged(
// CHECK-COUNT-3: linalg.generic
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @unchanged(%a: tensor<9x7xf32>, %b: tensor<7x2xf32>, %c: tensor<9x2xf32>, %d: tensor<9x7xf32>) -> tensor<9x2xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<9x7xf32>, tensor<7x2xf32>) outs(%c : tensor<9x2xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.maximumf %x, %zero : f32
    %q = arith.mulf %p, %y : f32
    %t = arith.addf %q, %sum : f32
    linalg.yield %t : f32
  } -> tensor<9x2xf32>
  %s = linalg.generic {indexing_maps = [#mk, #kn, #mk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %d : tensor<9x7xf32>, tensor<7x2xf32>, tensor<9x7xf32>) outs(%r : tensor<9x2xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.mulf %p, %z : f32
    %t = arith.addf %q, %sum : f32
    linalg.yield %t : f32
  } -> tensor<9x2xf32>
  %u = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<9x7xf32>, tensor<7x2xf32>) outs(%s : tensor<9x2xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %q = arith.mulf %x, %y : f32
    %t = arith.addf %q, %sum : f32
    linalg.yield %t : f32
  } -> tensor<9x2xf32>
  return %u : tensor<9x2xf32>
}

// Computed weights are computed once; the windows that they are multiplied with are read in place.
// CHECK-LABEL: func @windows(
//       CHECK:   %[[W:.*]] = linalg.generic {{.*}}["parallel", "parallel"]
//       CHECK:   linalg.generic {{.*}}["parallel", "parallel", "reduction"]{{.*}} ins(%{{.*}}, %[[W]] :
func.func @windows(%a: tensor<18xf32>, %w: tensor<5x3xf32>, %s: tensor<5xf32>, %c: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, x, k) -> (x + k)>, affine_map<(m, x, k) -> (m, k)>, affine_map<(m, x, k) -> (m)>, affine_map<(m, x, k) -> (m, x)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w, %s : tensor<18xf32>, tensor<5x3xf32>, tensor<5xf32>) outs(%c : tensor<5x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %sum: f32):
    %p = arith.mulf %y, %z : f32
    %q = arith.mulf %x, %p : f32
    %t = arith.addf %q, %sum : f32
    linalg.yield %t : f32
  } -> tensor<5x16xf32>
  return %r : tensor<5x16xf32>
}

// The sign of the product moves to a factor.
// CHECK-LABEL: func @sign(
//       CHECK:   %[[LESS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<9x7xf32>)
//       CHECK:     arith.negf
//       CHECK:   linalg.generic {{.*}} ins(%[[LESS]], %arg1 :
//       CHECK:     arith.mulf {{.*}} fastmath<contract>
//  CHECK-NEXT:     arith.addf {{.*}} fastmath<reassoc,contract>
func.func @sign(%a: tensor<9x7xf32>, %b: tensor<7x8xf32>, %c: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<9x7xf32>, tensor<7x8xf32>) outs(%c : tensor<9x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.negf %p : f32
    %t = arith.addf %sum, %q fastmath<reassoc, contract> : f32
    linalg.yield %t : f32
  } -> tensor<9x8xf32>
  return %r : tensor<9x8xf32>
}

// CHECK-LABEL: func @integer_sign(
//       CHECK:   %[[LESS:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<9x7xi32>)
//       CHECK:     arith.subi
//       CHECK:   linalg.generic {{.*}} ins(%[[LESS]], %arg1 :
//       CHECK:     arith.muli
//  CHECK-NEXT:     arith.addi
func.func @integer_sign(%a: tensor<9x7xi32>, %b: tensor<7x8xi32>, %c: tensor<9x8xi32>) -> tensor<9x8xi32> {
  %zero = arith.constant 0 : i32
  %r = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<9x7xi32>, tensor<7x8xi32>) outs(%c : tensor<9x8xi32>) {
  ^bb0(%x: i32, %y: i32, %sum: i32):
    %p = arith.muli %x, %y : i32
    %q = arith.subi %zero, %p : i32
    %t = arith.addi %sum, %q : i32
    linalg.yield %t : i32
  } -> tensor<9x8xi32>
  return %r : tensor<9x8xi32>
}
