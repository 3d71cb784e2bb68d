// RUN: tessera opt %s --keep-loop-buffers | FileCheck %s
// A tensor that a loop carries stays in one buffer if each iteration ends with a copy into it.

// CHECK-LABEL: func @product_goes_back(
//       CHECK:   scf.for {{.*}} iter_args(%[[P:.*]] =
//       CHECK:     %[[Q:.*]] = linalg.matmul
//       CHECK:     %[[COPY:.*]] = linalg.copy ins(%[[Q]] : {{.*}}) outs(%[[P]] :
//       CHECK:     scf.yield %[[COPY]]
func.func @product_goes_back(%n: index, %init: tensor<4x4xf32>, %a: tensor<4x4xf32>, %zero: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (tensor<4x4xf32>) {
    %q = linalg.matmul ins(%p, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zero : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %q : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// A value built in its own buffer needs no copy.
// CHECK-LABEL: func @own_destination_needs_none(
//   CHECK-NOT:   linalg.copy
//       CHECK:   return
func.func @own_destination_needs_none(%n: index, %init: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (tensor<8xf32>) {
    %q = tensor.insert %x into %p[%i] : tensor<8xf32>
    %s = linalg.fill ins(%x : f32) outs(%q : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Scalars have no buffer.
// CHECK-LABEL: func @scalars_stay(
//   CHECK-NOT:   linalg.copy
//       CHECK:   return
func.func @scalars_stay(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (f32) {
    %q = arith.addf %p, %x : f32
    scf.yield %q : f32
  }
  return %r : f32
}

// Dynamic sizes that provably stay the same are as good as static ones.
// CHECK-LABEL: func @kept_dynamic_size(
//       CHECK:   linalg.copy
func.func @kept_dynamic_size(%n: index, %init: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (tensor<?xf32>) {
    %size = tensor.dim %p, %c0 : tensor<?xf32>
    %new = tensor.empty(%size) : tensor<?xf32>
    %q = linalg.fill ins(%x : f32) outs(%new : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// A buffer that may be too small for the new value must not be written to.
// CHECK-LABEL: func @size_changes(
//   CHECK-NOT:   linalg.copy
//       CHECK:   return
func.func @size_changes(%n: index, %init: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (tensor<?xf32>) {
    %new = tensor.empty(%i) : tensor<?xf32>
    %q = linalg.fill ins(%x : f32) outs(%new : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// %v is read before it is overwritten: `u = v; v = w`.
// CHECK-LABEL: func @copies_in_the_order_of_reads(
//       CHECK:   scf.for {{.*}} iter_args(%[[V:[a-z0-9]+]] = %{{.*}}, %[[U:[a-z0-9]+]] =
//       CHECK:     %[[TO_U:.*]] = linalg.copy ins(%[[V]] : {{.*}}) outs(%[[U]] :
//       CHECK:     %[[TO_V:.*]] = linalg.copy {{.*}} outs(%[[V]] :
//       CHECK:     scf.yield %[[TO_V]], %[[TO_U]]
func.func @copies_in_the_order_of_reads(%n: index, %a: tensor<8xf32>, %b: tensor<8xf32>, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a, %u = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    %new = tensor.empty() : tensor<8xf32>
    %w = linalg.fill ins(%x : f32) outs(%new : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %w, %v : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// The inner loop makes %a as long as the outer counter, so %o has length 4 in the first iteration only, and so does the
// initial value of %c: analyzing the inner loop first must not make it look kept.
// CHECK-LABEL: func @inner_loop_changes_what_the_outer_one_carries(
//   CHECK-NOT:   linalg.copy {{.*}} outs(%{{.*}} : tensor<?xf32>)
//       CHECK:   return
func.func @inner_loop_changes_what_the_outer_one_carries(%n: index, %init: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %four = tensor.cast %init : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %four) -> (tensor<?xf32>) {
    %s:3 = scf.for %j = %c0 to %n step %c1 iter_args(%a = %four, %b = %o, %c = %four) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
      %new = tensor.empty(%i) : tensor<?xf32>
      scf.yield %new, %b, %b : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
    }
    func.call @use(%s#2) : (tensor<?xf32>) -> ()
    scf.yield %s#0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func private @use(tensor<?xf32>)
