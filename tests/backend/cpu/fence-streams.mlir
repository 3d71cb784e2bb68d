// RUN: tessera opt %s --fence-streams | FileCheck %s
// Stores past the caches are ordered before later effects of the function's caller.

// CHECK-LABEL: llvm.func @stream(
//       CHECK:   llvm.store {{.*}} nontemporal
//  CHECK-NEXT:   llvm.call_intrinsic "llvm.x86.sse.sfence"()
//  CHECK-NEXT:   llvm.return
llvm.func @stream(%value: vector<16xf32>, %place: !llvm.ptr) {
  llvm.store %value, %place {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @plain(
//   CHECK-NOT:   sfence
//       CHECK:   llvm.return
llvm.func @plain(%value: vector<16xf32>, %place: !llvm.ptr) {
  llvm.store %value, %place {alignment = 64 : i64} : vector<16xf32>, !llvm.ptr
  llvm.return
}

// A kernel is called many times, its caller once.
// CHECK-LABEL: llvm.func @kernel(
//   CHECK-NOT:   sfence
//       CHECK:   llvm.return
llvm.func @kernel(%value: vector<16xf32>, %place: !llvm.ptr) attributes {passthrough = ["tessera-kernel"]} {
  llvm.store %value, %place {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @caller(
//       CHECK:   llvm.call @kernel
//       CHECK:   sfence
//  CHECK-NEXT:   llvm.return
llvm.func @caller(%value: vector<16xf32>, %place: !llvm.ptr) {
  llvm.call @kernel(%value, %place) : (vector<16xf32>, !llvm.ptr) -> ()
  llvm.return
}
