// RUN: tessera opt %s --tinytc-insert-barriers | FileCheck %s
// Barriers are inserted between operations of a collective region that share memory, and nowhere else.
!m = !tinytc.memref<4x4xf32>
!l = !tinytc.memref<4x4xf32, local>
!v = !tinytc.memref<4xf32, strided<1>, local>

// Read after write, through a view; global memory may be the memory that was read.
// CHECK-LABEL: func @reads_what_was_written
// CHECK:      tinytc.gemm
// CHECK-NEXT: tinytc.subview
// CHECK-NEXT: tinytc.barrier {global, local}
// CHECK-NEXT: tinytc.sum
func.func @reads_what_was_written(%f: f32, %a: !m, %b: !m, %c: !tinytc.memref<f32>) {
  %t = tinytc.alloca : !l
  tinytc.gemm %f, %a, %b, %f, %t : f32, !m, !m, f32, !l
  %view = tinytc.subview %t[0, 1] sizes [4, 0] : !l -> !v
  tinytc.sum %f, %view, %f, %c : f32, !v, f32, !tinytc.memref<f32>
  return
}

// Two readers need no barrier, nor do writers of different local memory.
// CHECK-LABEL: func @independent
// CHECK-NOT: tinytc.barrier
func.func @independent(%f: f32, %a: !m) {
  %t = tinytc.alloca : !l
  %u = tinytc.alloca : !l
  tinytc.axpby %f, %a, %f, %t : f32, !m, f32, !l
  tinytc.axpby %f, %a, %f, %u : f32, !m, f32, !l
  return
}

// Two arguments may be the same memory.
// CHECK-LABEL: func @arguments
// CHECK:      tinytc.axpby
// CHECK-NEXT: tinytc.barrier {global}
// CHECK-NEXT: tinytc.axpby
// CHECK-NEXT: return
func.func @arguments(%f: f32, %a: !m, %b: !m, %c: !m) {
  tinytc.axpby %f, %a, %f, %b : f32, !m, f32, !m
  tinytc.axpby %f, %a, %f, %c : f32, !m, f32, !m
  return
}

// A barrier of the program counts if it is of the right kind.
// CHECK-LABEL: func @has_one
// CHECK:      tinytc.axpby
// CHECK-NEXT: tinytc.barrier {local}
// CHECK-NEXT: tinytc.axpby
// CHECK-NEXT: tinytc.barrier {global}
// CHECK-NEXT: tinytc.barrier {local}
// CHECK-NEXT: tinytc.axpby
func.func @has_one(%f: f32) {
  %t = tinytc.alloca : !l
  tinytc.axpby %f, %t, %f, %t : f32, !l, f32, !l
  tinytc.barrier {local}
  tinytc.axpby %f, %t, %f, %t : f32, !l, f32, !l
  tinytc.barrier {global}
  tinytc.axpby %f, %t, %f, %t : f32, !l, f32, !l
  return
}

// The next iteration writes what this iteration has read.
// CHECK-LABEL: func @loop
// CHECK:      tinytc.for
// CHECK-NEXT:   tinytc.barrier {local}
// CHECK-NEXT:   tinytc.foreach
// CHECK:        tinytc.barrier {local}
// CHECK-NEXT:   tinytc.sum
// CHECK:      return
func.func @loop(%f: f32, %n: index) {
  %t = tinytc.alloca : !l
  %s = tinytc.alloca : !tinytc.memref<4xf32, local>
  tinytc.for %i : index = %n, %n {
    tinytc.foreach (%j) = (%n) to (%n) : index {
      tinytc.store %f, %t[%j, %j] : !l
    }
    tinytc.sum %f, %t, %f, %s : f32, !l, f32, !tinytc.memref<4xf32, local>
  }
  return
}

// Either branch may have run.
// CHECK-LABEL: func @branch
// CHECK:      else
// CHECK-NEXT: }
// CHECK-NEXT: tinytc.barrier {local}
// CHECK-NEXT: tinytc.load
func.func @branch(%f: f32, %c: i1, %n: index) {
  %t = tinytc.alloca : !l
  tinytc.if %c {
    tinytc.parallel {
      tinytc.store %f, %t[%n, %n] : !l
    }
  } else {
  }
  %x = tinytc.load %t[%n, %n] : !l
  return
}

// Two tensors at one position; SPMD regions need barriers of their own.
// CHECK-LABEL: func @same_place
// CHECK:      tinytc.parallel
// CHECK-NOT:    tinytc.barrier
// CHECK:      }
// CHECK-NEXT: tinytc.barrier {local}
// CHECK-NEXT: tinytc.axpby
// CHECK-NEXT: tinytc.axpby
func.func @same_place(%f: f32, %n: index, %a: !m) {
  %zero = tinytc.constant f32 0.0
  %t = tinytc.alloca {offset = 0 : i64} : !l
  %u = tinytc.alloca {offset = 0 : i64} : !l
  %w = tinytc.alloca {offset = 64 : i64} : !l
  tinytc.parallel {
    tinytc.store %f, %t[%n, %n] : !l
    %x = tinytc.load %t[%n, %n] : !l
  }
  tinytc.axpby %f, %a, %zero, %u : f32, !m, f32, !l
  tinytc.axpby %f, %a, %zero, %w : f32, !m, f32, !l
  return
}
