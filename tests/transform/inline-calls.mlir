// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir
// Calls are inlined, so that later optimizations see caller and callee, but only within limits.

// RUN: tessera opt calls.mlir --inline-calls | FileCheck %s
// CHECK-LABEL: func @calls(
//   CHECK-NOT:   call
//       CHECK:   arith.muli
//       CHECK:   arith.addi
//       CHECK:   return

// Recursive functions are not inlined into themselves, directly or through another function.
// CHECK-LABEL: func @recursive(
//       CHECK:   call @recursive
// CHECK-LABEL: func @even(
//       CHECK:   call @
// CHECK-LABEL: func @odd(
//       CHECK:   call @

// A declaration has no body to inline.
// CHECK-LABEL: func @prints(
//       CHECK:   call @tessera_rt_print

// A long function is called, however often.
// RUN: bash -c '(echo "func.func private @long(%%x0: i32) -> i32 {"; for i in $(seq 450); do echo "%%x$i = arith.addi %%x$((i-1)), %%x0 : i32"; done; echo "return %%x450 : i32 }"; cat caller.mlir) > long.mlir'
// RUN: tessera opt long.mlir --inline-calls | FileCheck %s --check-prefix=LONG
// LONG-LABEL: func @caller(
//       LONG:   call @long
//       LONG:   call @long

// Each function calls the previous one twice: without a limit, the size doubles 40 times.
// RUN: bash -c '(echo "func.func private @f0(%%x: i32) -> i32 { %%y = arith.addi %%x, %%x : i32 return %%y : i32 }"; for i in $(seq 40); do echo "func.func private @f$i(%%x: i32) -> i32 { %%y = call @f$((i-1))(%%x) : (i32) -> i32 %%z = call @f$((i-1))(%%y) : (i32) -> i32 return %%z : i32 }"; done) > tower.mlir'
// RUN: tessera opt tower.mlir --inline-calls -o tower.out
// RUN: bash -c 'test $(wc -l < tower.out) -lt 100000'
// RUN: grep -q "call @f" tower.out

//--- calls.mlir
func.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  return %y : i32
}
func.func private @next_square(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %y = call @square(%x) : (i32) -> i32
  %z = arith.addi %y, %c1 : i32
  return %z : i32
}
func.func @calls(%x: i32) -> i32 {
  %y = call @next_square(%x) : (i32) -> i32
  return %y : i32
}
func.func @recursive(%x: i32) -> i32 {
  %y = call @recursive(%x) : (i32) -> i32
  return %y : i32
}
func.func @even(%x: i32) -> i32 {
  %y = call @odd(%x) : (i32) -> i32
  return %y : i32
}
func.func @odd(%x: i32) -> i32 {
  %y = call @even(%x) : (i32) -> i32
  return %y : i32
}
func.func private @tessera_rt_print(i32)
func.func @prints(%x: i32) {
  call @tessera_rt_print(%x) : (i32) -> ()
  return
}
//--- caller.mlir
func.func @caller(%x: i32) -> i32 {
  %y = call @long(%x) : (i32) -> i32
  %z = call @long(%y) : (i32) -> i32
  return %z : i32
}
