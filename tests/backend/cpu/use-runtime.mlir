// RUN: tessera opt %s --use-runtime | FileCheck %s
// RUN: tessera opt %s --use-runtime | FileCheck %s --check-prefix=SITES
// Memory comes from the runtime, and only functions that callers use are visible.

// Each position that allocates memory is one row of the table.
// SITES: tessera.sites = [{column = 7 : i32, {{.*}}file = "a.ttl", line = 3 : i32, message = "", rule = ""}, {column = 9 : i32,
// SITES-SAME: line = 4 : i32, message = "", rule = ""}]

// CHECK: llvm.func @tessera_rt_alloc_at(i64, i64) -> (!llvm.ptr {llvm.noalias})
llvm.func @malloc(i64) -> !llvm.ptr
// CHECK: llvm.func @tessera_rt_dealloc(!llvm.ptr)
llvm.func @free(!llvm.ptr)
// CHECK: llvm.func @tessera_rt_print(i64)
llvm.func @tessera_rt_print(i64)

// CHECK-LABEL: llvm.func internal @uses_memory(
//       CHECK:   %[[FIRST:.*]] = llvm.mlir.constant(0 : i64)
//       CHECK:   llvm.call @tessera_rt_alloc_at(%{{.*}}, %[[FIRST]])
//       CHECK:   llvm.call @tessera_rt_print(
//       CHECK:   llvm.call @tessera_rt_dealloc(
llvm.func @uses_memory(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr loc("a.ttl":3:7 to 3:9)
  llvm.call @tessera_rt_print(%n) : (i64) -> ()
  llvm.call @free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func internal @another_place(
//       CHECK:   %[[AGAIN:.*]] = llvm.mlir.constant(0 : i64)
//       CHECK:   llvm.call @tessera_rt_alloc_at(%{{.*}}, %[[AGAIN]])
//       CHECK:   %[[SECOND:.*]] = llvm.mlir.constant(1 : i64)
//       CHECK:   llvm.call @tessera_rt_alloc_at(%{{.*}}, %[[SECOND]])
llvm.func @another_place(%n: i64) {
  %p = llvm.call @malloc(%n) : (i64) -> !llvm.ptr loc("a.ttl":3:7 to 3:9)
  %q = llvm.call @malloc(%n) : (i64) -> !llvm.ptr loc(callsite("a.ttl":4:9 at "a.ttl":8:1))
  llvm.return
}
