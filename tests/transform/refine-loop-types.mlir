// RUN: tessera opt %s --refine-loop-types | FileCheck %s
// A size that is known before a loop and kept by every iteration is known throughout; one that the loop may change
// stays unknown, or later code would assume the wrong size.

// CHECK-LABEL: func @kept(
//       CHECK:   scf.for {{.*}} -> (tensor<4x4xf32>) {
func.func @kept(%n: index, %m: tensor<4x4xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.cast %m : tensor<4x4xf32> to tensor<?x?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (tensor<?x?xf32>) {
    %rows = tensor.dim %p, %c0 : tensor<?x?xf32>
    %columns = tensor.dim %p, %c1 : tensor<?x?xf32>
    %new = tensor.empty(%rows, %columns) : tensor<?x?xf32>
    %q = linalg.copy ins(%p : tensor<?x?xf32>) outs(%new : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %q : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// One size is kept, one is not.
// CHECK-LABEL: func @kept_in_one_dimension(
//       CHECK:   scf.for {{.*}} -> (tensor<4x?xf32>) {
func.func @kept_in_one_dimension(%n: index, %m: tensor<4x4xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.cast %m : tensor<4x4xf32> to tensor<?x?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (tensor<?x?xf32>) {
    %rows = tensor.dim %p, %c0 : tensor<?x?xf32>
    %q = tensor.empty(%rows, %i) : tensor<?x?xf32>
    scf.yield %q : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// Enters as 4 and leaves every iteration as 7: neither holds in the loop. MLIR's own pattern says 4.
// CHECK-LABEL: func @changed_at_once(
//       CHECK:   scf.for {{.*}} -> (tensor<?xf32>) {
func.func @changed_at_once(%n: index, %four: tensor<4xf32>, %seven: tensor<7xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.cast %four : tensor<4xf32> to tensor<?xf32>
  %next = tensor.cast %seven : tensor<7xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (tensor<?xf32>) {
    scf.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// One element less in every iteration.
// CHECK-LABEL: func @shrinks(
//       CHECK:   scf.for {{.*}} -> (tensor<?xf32>) {
func.func @shrinks(%n: index, %four: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = tensor.cast %four : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init) -> (tensor<?xf32>) {
    %size = tensor.dim %p, %c0 : tensor<?xf32>
    %less = arith.subi %size, %c1 : index
    %q = tensor.extract_slice %p[1] [%less] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Two variables that are swapped keep their sizes if these are equal.
// CHECK-LABEL: func @exchange_of_equals(
//       CHECK:   scf.for {{.*}} -> (tensor<4xf32>, tensor<4xf32>) {
func.func @exchange_of_equals(%n: index, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %y = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %q, %p : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// ... and not otherwise.
// CHECK-LABEL: func @exchange_of_different_sizes(
//       CHECK:   scf.for {{.*}} -> (tensor<?xf32>, tensor<?xf32>) {
func.func @exchange_of_different_sizes(%n: index, %a: tensor<4xf32>, %b: tensor<7xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %y = tensor.cast %b : tensor<7xf32> to tensor<?xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %q, %p : tensor<?xf32>, tensor<?xf32>
  }
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xf32>
}

// A variable that follows a changing one changes an iteration later.
// CHECK-LABEL: func @change_spreads(
//       CHECK:   scf.for {{.*}} -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
func.func @change_spreads(%n: index, %a: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %x, %s = %x) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
    %new = tensor.empty(%i) : tensor<?xf32>
    scf.yield %q, %s, %new : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  return %r#0 : tensor<?xf32>
}

// CHECK-LABEL: func @kept_by_both_loops(
//       CHECK:   scf.for {{.*}} -> (tensor<4xf32>) {
//       CHECK:     scf.for {{.*}} -> (tensor<4xf32>) {
func.func @kept_by_both_loops(%n: index, %a: tensor<4xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<?xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> (tensor<?xf32>) {
      %t = tensor.insert %f into %q[%j] : tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// The inner loop would keep the size if the outer one did not change it afterwards.
// CHECK-LABEL: func @changed_by_the_outer_loop(
//       CHECK:   scf.for {{.*}} -> (tensor<?xf32>) {
//       CHECK:     scf.for {{.*}} -> (tensor<?xf32>) {
func.func @changed_by_the_outer_loop(%n: index, %a: tensor<4xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<?xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%q = %p) -> (tensor<?xf32>) {
      %t = tensor.insert %f into %q[%j] : tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    }
    %u = tensor.extract_slice %s[0] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Both branches keep it.
// CHECK-LABEL: func @kept_by_both_branches(
//       CHECK:   scf.for {{.*}} -> (tensor<4xf32>) {
func.func @kept_by_both_branches(%n: index, %a: tensor<4xf32>, %c: i1, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<?xf32>) {
    %s = scf.if %c -> (tensor<?xf32>) {
      %t = tensor.insert %f into %p[%i] : tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    } else {
      scf.yield %p : tensor<?xf32>
    }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// All cases keep it.
// CHECK-LABEL: func @kept_by_every_case(
//       CHECK:   scf.for {{.*}} -> (tensor<4xf32>) {
func.func @kept_by_every_case(%n: index, %a: tensor<4xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<?xf32>) {
    %s = scf.index_switch %i -> tensor<?xf32>
    case 2 {
      %t = tensor.insert %f into %p[%i] : tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    }
    default {
      scf.yield %p : tensor<?xf32>
    }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// One branch does not.
// CHECK-LABEL: func @changed_by_one_branch(
//       CHECK:   scf.for {{.*}} -> (tensor<?xf32>) {
func.func @changed_by_one_branch(%n: index, %a: tensor<4xf32>, %c: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<?xf32>) {
    %s = scf.if %c -> (tensor<?xf32>) {
      %t = tensor.empty(%i) : tensor<?xf32>
      scf.yield %t : tensor<?xf32>
    } else {
      scf.yield %p : tensor<?xf32>
    }
    scf.yield %s : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Values from a caller have any size.
// CHECK-LABEL: func @unknown_before(
//       CHECK:   scf.for {{.*}} -> (tensor<?xf32>) {
func.func @unknown_before(%n: index, %x: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (tensor<?xf32>) {
    %t = tensor.insert %f into %p[%i] : tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
