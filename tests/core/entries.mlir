// [core.4] A function is public if and only if it is an entry.
// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir

// RUN: tessera emit --from=core good.mlir --stage=optimized -O0 | FileCheck %s --check-prefix=GOOD
// GOOD: func.func @entry.f(%{{.*}}: i32 {tessera.name = "x"}) -> i32 attributes {tessera.entry = "f"}
// GOOD: func.func private @tessera_rt_print_int(i32)

// RUN: not tessera emit --from=core public.mlir --stage=optimized -O0 2>&1 | FileCheck %s
// RUN: not tessera emit --from=core private.mlir --stage=optimized -O0 2>&1 | FileCheck %s
// CHECK: 'func.func' op is public if and only if it has `tessera.entry` [core.4]

// The rule holds at every stage that has functions.
// RUN: not tessera emit --from=optimized public.mlir --stage=scheduled -O0 2>&1 | FileCheck %s
// RUN: not tessera emit --from=scheduled public.mlir --stage=loops -O0 2>&1 | FileCheck %s

//--- good.mlir
func.func private @f(%x: i32) -> i32 {
  return %x : i32
}
func.func @entry.f(%x: i32 {tessera.name = "x"}) -> i32 attributes {tessera.entry = "f"} {
  %y = call @f(%x) : (i32) -> i32
  call @tessera_rt_print_int(%y) : (i32) -> ()
  return %y : i32
}
func.func private @tessera_rt_print_int(i32)
//--- public.mlir
func.func @f(%x: i32) -> i32 {
  return %x : i32
}
//--- private.mlir
func.func private @f(%x: i32) -> i32 attributes {tessera.entry = "f"} {
  return %x : i32
}
