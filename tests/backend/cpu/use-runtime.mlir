// RUN: tessera opt %s --use-runtime | FileCheck %s
// Memory comes from the runtime, and no function is visible that the outside does not call.

// CHECK: llvm.func @tessera_rt_alloc(i64) -> (!llvm.ptr {llvm.noalias})
llvm.func @malloc(i64) -> !llvm.ptr
// CHECK: llvm.func @tessera_rt_dealloc(!llvm.ptr)
llvm.func @free(!llvm.ptr)
// CHECK: llvm.func @tessera_rt_print(i64)
llvm.func @tessera_rt_print(i64)

// CHECK-LABEL: llvm.func internal @uses_memory(
//       CHECK:   llvm.call @tessera_rt_alloc(
//       CHECK:   llvm.call @tessera_rt_print(
//       CHECK:   llvm.call @tessera_rt_dealloc(
llvm.func @uses_memory(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
  llvm.call @tessera_rt_print(%n) : (i64) -> ()
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}
