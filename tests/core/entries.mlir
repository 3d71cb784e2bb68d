// [core.4] A function is public if and only if it is an entry.
// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir

// RUN: tessera emit --from=core good.mlir --stage=optimized -O0 | FileCheck %s --check-prefix=GOOD
// GOOD: func.func @entry.f(%{{.*}}: i32 {tessera.name = "x"}) -> i32 attributes {tessera.entry = "f"}
// GOOD: func.func private @tessera_rt_print_int(i32)

// RUN: not tessera emit --from=core public.mlir --stage=optimized -O0 2>&1 | FileCheck %s
// RUN: not tessera emit --from=core private.mlir --stage=optimized -O0 2>&1 | FileCheck %s
// CHECK: 'func.func' op must be public if and only if it has `tessera.entry` [core.4]

// The rule holds at every stage that has functions.
// RUN: not tessera emit --from=optimized public.mlir --stage=scheduled -O0 2>&1 | FileCheck %s
// RUN: not tessera emit --from=scheduled public.mlir --stage=loops -O0 2>&1 | FileCheck %s

// Several results have names; attributes fit the types.
// RUN: not tessera emit --from=core unnamed.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=UNNAMED
// UNNAMED: has several results, but one has no `tessera.name` [core.4]
// RUN: not tessera emit --from=core parameter.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=PARAMETER
// PARAMETER: has a parameter without `tessera.name` [core.4]
// RUN: not tessera emit --from=core wide.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: declares 'i32' as "uint8", which does not fit it [core.4]
// RUN: not tessera emit --from=core float.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=FLOAT
// FLOAT: declares 'tensor<2xf32>' as "int32", which does not fit it [core.4]
// RUN: not tessera emit --from=core unknown.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: declares 'i32' as "int33", which does not fit it [core.4]
// RUN: not tessera emit --from=core sizes.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: names the sizes of 'tensor<?x?xf32>' ["N"]; expected one name per dimension [core.4]
// RUN: not tessera emit --from=core initial.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=INITIAL
// INITIAL: has an initial value for c, but no result of that name and of type 'f32' [core.4]

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
//--- unnamed.mlir
func.func @f(%x: i32 {tessera.name = "x"}) -> (i32 {tessera.name = "a"}, i32) attributes {tessera.entry = "f"} {
  return %x, %x : i32, i32
}
//--- parameter.mlir
func.func @f(%x: i32 {tessera.name = 3}) -> i32 attributes {tessera.entry = "f"} {
  return %x : i32
}
//--- wide.mlir
func.func @f(%x: i32 {tessera.name = "x", tessera.type = "uint8"}) -> i32 attributes {tessera.entry = "f"} {
  return %x : i32
}
//--- float.mlir
func.func @f(%x: tensor<2xf32> {tessera.name = "x"}) -> (tensor<2xf32> {tessera.type = "int32"}) attributes {tessera.entry = "f"} {
  return %x : tensor<2xf32>
}
//--- unknown.mlir
func.func @f(%x: i32 {tessera.name = "x", tessera.type = "int33"}) -> i32 attributes {tessera.entry = "f"} {
  return %x : i32
}
//--- sizes.mlir
func.func @f(%x: tensor<?x?xf32> {tessera.name = "x", tessera.sizes = ["N"]}) attributes {tessera.entry = "f"} {
  return
}
//--- initial.mlir
func.func @f(%c: f32 {tessera.name = "c", tessera.initial}) -> (f64 {tessera.name = "c"}) attributes {tessera.entry = "f"} {
  %d = arith.constant 1.0 : f64
  return %d : f64
}
