// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir
// The names, types and source positions of entries survive the lowering to LLVM as an attribute of the module.

// RUN: tessera opt entries.mlir --describe-entries | FileCheck %s
//      CHECK: module attributes {tessera.entries = [
// CHECK-SAME:   {name = "scale", parameters = [{element = "float32", name = "m", type = memref<?x4xf32>}, {element = "float32", name = "", type = f32}], place = {column = 1 : i32, {{[^}]*}}file = {{.*}}entries.mlir", line = 1 : i32, message = "", rule = ""}, results = [{element = "float32", name = "result", type = memref<?x4xf32>}], symbol = "entry.scale"}
// CHECK-SAME:   {name = "main", parameters = [], place = {{[^}]*}}line = 4 : i32{{[^}]*}}}, results = [], symbol = "entry.main"}
// Types, sizes and names that attributes specify are included.
// CHECK-SAME:   {name = "add", parameters = [{element = "uint8", name = "a", sizes = ["N", ""], type = memref<?x4xi8>}, {element = "bool", initial, name = "b", type = i8}], place = {{[^}]*}}},
// CHECK-SAME:    results = [{element = "bfloat16", name = "c", type = bf16}, {element = "bool", name = "b", type = i8}], symbol = "entry.add"}
//  CHECK-NOT:   inner
//      CHECK: func @entry.scale({{.*}}attributes {llvm.emit_c_interface

// Other functions are neither described nor given a C interface.
//      CHECK: func private @inner()
//  CHECK-NOT:   emit_c_interface
//      CHECK:   return

// A module without entries gets an empty list.
// RUN: tessera opt none.mlir --describe-entries | FileCheck %s --check-prefix=NONE
// NONE: module attributes {tessera.entries = []}

//--- entries.mlir
func.func @entry.scale(%m: memref<?x4xf32> {tessera.name = "m"}, %x: f32) -> memref<?x4xf32> attributes {tessera.entry = "scale"} {
  return %m : memref<?x4xf32>
}
func.func @entry.main() attributes {tessera.entry = "main"} {
  return
}
func.func @entry.add(%a: memref<?x4xi8> {tessera.name = "a", tessera.type = "uint8", tessera.sizes = ["N", ""]},
                     %b: i8 {tessera.name = "b", tessera.type = "bool", tessera.initial})
    -> (bf16 {tessera.name = "c"}, i8 {tessera.name = "b", tessera.type = "bool"}) attributes {tessera.entry = "add"} {
  %c = arith.constant 1.0 : bf16
  return %c, %b : bf16, i8
}
func.func private @inner() {
  return
}
//--- none.mlir
func.func private @inner() {
  return
}
