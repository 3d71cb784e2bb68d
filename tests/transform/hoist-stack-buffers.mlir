// RUN: tessera opt %s --hoist-stack-buffers | FileCheck %s
// A small buffer inside a loop would grow the stack in every iteration; one at the start of the function is enough.

// CHECK-LABEL: func @out_of_loops_and_branches(
//  CHECK-NEXT:   memref.alloca
//  CHECK-NEXT:   memref.alloca
//       CHECK:   scf.for
//   CHECK-NOT:   memref.alloca
//       CHECK:   return
func.func @out_of_loops_and_branches(%n: index, %p: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %p {
      %m = memref.alloca() : memref<4xf32>
      memref.store %x, %m[%c0] : memref<4xf32>
    }
    scf.index_switch %i
    case 3 {
      %m = memref.alloca() : memref<5xf32>
      memref.store %x, %m[%c0] : memref<5xf32>
      scf.yield
    }
    default {
    }
  }
  return
}

// Its size is known only inside the loop.
// CHECK-LABEL: func @unknown_sizes_stay(
//       CHECK:   scf.for
//       CHECK:     memref.alloca
func.func @unknown_sizes_stay(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %m = memref.alloca(%i) : memref<?xf32>
    memref.store %x, %m[%c0] : memref<?xf32>
  }
  return
}

// Threads do not share it.
// CHECK-LABEL: func @parallel_loops_keep_theirs(
//       CHECK:   scf.parallel
//       CHECK:     memref.alloca
func.func @parallel_loops_keep_theirs(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %m = memref.alloca() : memref<4xf32>
    memref.store %x, %m[%c0] : memref<4xf32>
  }
  return
}

// The next iteration reads this one's buffer while it writes its own.
// CHECK-LABEL: func @carried_buffers_stay(
//       CHECK:   scf.for
//       CHECK:     memref.alloca
func.func @carried_buffers_stay(%n: index, %first: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<4xf32>) {
    %m = memref.alloca() : memref<4xf32>
    %x = memref.load %old[%c1] : memref<4xf32>
    memref.store %x, %m[%c0] : memref<4xf32>
    scf.yield %m : memref<4xf32>
  }
  return
}
