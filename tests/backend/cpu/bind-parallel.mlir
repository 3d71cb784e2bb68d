// RUN: tessera opt %s --bind-parallel | FileCheck %s
// Values that an outlined loop uses are passed to the runtime's threads in a struct on the caller's stack.

// CHECK-LABEL: llvm.func @parallel.0.launch(
//  CHECK-SAME:     %[[COUNT:[a-z0-9]+]]: i64, %[[GRAIN:[a-z0-9]+]]: i64, %[[X:[a-z0-9]+]]: f32, %[[P:[a-z0-9]+]]: !llvm.ptr
//       CHECK:   %[[CONTEXT:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, ptr)>
//       CHECK:   %[[FIRST:.*]] = llvm.getelementptr %[[CONTEXT]][0, 0]
//       CHECK:   llvm.store %[[X]], %[[FIRST]]
//       CHECK:   %[[SECOND:.*]] = llvm.getelementptr %[[CONTEXT]][0, 1]
//       CHECK:   llvm.store %[[P]], %[[SECOND]]
//       CHECK:   %[[CHUNK:.*]] = llvm.mlir.addressof @parallel.0.chunk
//       CHECK:   llvm.call @tessera_rt_parallel_for(%[[CHUNK]], %[[CONTEXT]], %[[COUNT]], %[[GRAIN]])
llvm.func @parallel.0.launch(i64, i64, f32, !llvm.ptr)

// CHECK-LABEL: llvm.func @parallel.0.chunk(
//  CHECK-SAME:     %[[CONTEXT:[a-z0-9]+]]: !llvm.ptr, %[[LO:[a-z0-9]+]]: i64, %[[HI:[a-z0-9]+]]: i64
//       CHECK:   %[[X:.*]] = llvm.load %{{.*}} -> f32
//       CHECK:   %[[P:.*]] = llvm.load %{{.*}} -> !llvm.ptr
//       CHECK:   llvm.call @parallel.0(%[[LO]], %[[HI]], %[[X]], %[[P]])
llvm.func @parallel.0(%lo: i64, %hi: i64, %x: f32, %p: !llvm.ptr) {
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.return
}

// A loop may capture nothing.
// CHECK-LABEL: llvm.func @parallel.1.launch(
//       CHECK:   llvm.call @tessera_rt_parallel_for(
llvm.func @parallel.1.launch(i64, i64)
llvm.func @parallel.1(%lo: i64, %hi: i64) {
  llvm.return
}

// Other declarations get no body.
// CHECK: llvm.func @tessera_rt_print(i64)
llvm.func @tessera_rt_print(i64)
// CHECK: llvm.func @launch(i64, i64)
llvm.func @launch(i64, i64)

// All loops share one declaration.
//     CHECK: llvm.func @tessera_rt_parallel_for(!llvm.ptr, !llvm.ptr, i64, i64)
// CHECK-NOT: llvm.func @tessera_rt_parallel_for
