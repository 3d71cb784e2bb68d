// RUN: tessera opt %s --tinytc-plan-local-memory | FileCheck %s
// Tensors in use at the same time are adjacent; others may share a position.
!a = !tinytc.memref<4x4xf32, local>
!b = !tinytc.memref<3xf32, local>

// CHECK-LABEL: func @one_after_another
// CHECK-SAME:  tinytc.local_bytes = 140
// CHECK: %[[A:.*]] = tinytc.alloca {offset = 0 : i64} : <4x4xf32, local>
// CHECK: %[[B:.*]] = tinytc.alloca {offset = 128 : i64} : <3xf32, local>
// CHECK: tinytc.store %{{.*}}, %[[A]]
// CHECK-NEXT: tinytc.lifetime_stop %[[A]]
// CHECK: %[[C:.*]] = tinytc.alloca {offset = 0 : i64}
// CHECK: tinytc.load %{{.*}}
// CHECK-NEXT: tinytc.lifetime_stop %[[B]]
// CHECK: tinytc.alloca {alignment = 4 : i64, offset = 64 : i64}
func.func @one_after_another(%f: f32, %n: index) {
  %a = tinytc.alloca : !a
  %b = tinytc.alloca : !b
  %v = tinytc.subview %b[1] sizes [2] : !b -> !tinytc.memref<2xf32, local>
  tinytc.store %f, %a[%n, %n] : !a
  %c = tinytc.alloca : !a
  tinytc.store %f, %c[%n, %n] : !a
  %x = tinytc.load %v[%n] : !tinytc.memref<2xf32, local>
  %d = tinytc.alloca {alignment = 4 : i64} : !b
  tinytc.store %x, %d[%n] : !b
  tinytc.store %x, %c[%n, %n] : !a
  return
}

// What a loop uses, its next iteration needs as well.
// CHECK-LABEL: func @loop
// CHECK-SAME:  tinytc.local_bytes = 140
// CHECK: %[[A:.*]] = tinytc.alloca {offset = 0 : i64}
// CHECK: tinytc.for
// CHECK:   tinytc.load %[[A]]
// CHECK:   tinytc.alloca {offset = 128 : i64}
// CHECK:   tinytc.lifetime_stop
// CHECK-NEXT: }
// CHECK-NEXT: tinytc.lifetime_stop %[[A]]
func.func @loop(%n: index) {
  %a = tinytc.alloca : !a
  tinytc.for %i : index = %n, %n {
    %x = tinytc.load %a[%n, %n] : !a
    %b = tinytc.alloca : !b
    tinytc.store %x, %b[%n] : !b
  }
  return
}

// CHECK-LABEL: func @branches
// CHECK-SAME:  tinytc.local_bytes = 64
func.func @branches(%f: f32, %n: index, %c: i1) {
  tinytc.if %c {
    %a = tinytc.alloca : !a
    tinytc.store %f, %a[%n, %n] : !a
  } else {
    %b = tinytc.alloca : !b
    tinytc.store %f, %b[%n] : !b
    tinytc.lifetime_stop %b : !b
  }
  return
}

// CHECK-LABEL: func @nothing
// CHECK-SAME:  tinytc.local_bytes = 0
func.func @nothing() {
  return
}

// If uses that end early leave gaps, the plan is what the program states: if the place of %a were reused immediately, %f would
// come after all others, at 384.
// CHECK-LABEL: func @gaps
// CHECK-SAME:  tinytc.local_bytes = 512
// CHECK: tinytc.alloca {offset = 0 : i64}
// CHECK: tinytc.alloca {offset = 256 : i64}
// CHECK: tinytc.alloca {offset = 384 : i64}
// CHECK: tinytc.alloca {offset = 0 : i64}
func.func @gaps(%x: f32, %n: index) {
  %a = tinytc.alloca : !tinytc.memref<64xf32, local>
  %b = tinytc.alloca : !tinytc.memref<32xf32, local>
  tinytc.store %x, %a[%n] : !tinytc.memref<64xf32, local>
  %e = tinytc.alloca : !tinytc.memref<32xf32, local>
  tinytc.lifetime_stop %a : !tinytc.memref<64xf32, local>
  %f = tinytc.alloca : !tinytc.memref<64xf32, local>
  tinytc.store %x, %b[%n] : !tinytc.memref<32xf32, local>
  tinytc.store %x, %e[%n] : !tinytc.memref<32xf32, local>
  tinytc.store %x, %f[%n] : !tinytc.memref<64xf32, local>
  return
}
