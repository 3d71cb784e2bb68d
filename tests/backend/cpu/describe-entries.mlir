// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir
// Names and types of the entries outlive the lowering to LLVM as an attribute of the module.

// RUN: tessera opt entries.mlir --describe-entries | FileCheck %s
//      CHECK: module attributes {tessera.entries = [
// CHECK-SAME:   {name = "scale", parameters = [{name = "m", type = memref<?x4xf32>}, {name = "", type = f32}], results = [memref<?x4xf32>], symbol = "entry.scale"}
// CHECK-SAME:   {name = "main", parameters = [], results = [], symbol = "entry.main"}
//  CHECK-NOT:   inner
//      CHECK: func @entry.scale({{.*}}attributes {llvm.emit_c_interface

// What is not an entry is neither described nor given a C interface.
//      CHECK: func private @inner()
//  CHECK-NOT:   emit_c_interface
//      CHECK:   return

// A module without entries says so.
// RUN: tessera opt none.mlir --describe-entries | FileCheck %s --check-prefix=NONE
// NONE: module attributes {tessera.entries = []}

//--- entries.mlir
func.func @entry.scale(%m: memref<?x4xf32> {tessera.name = "m"}, %x: f32) -> memref<?x4xf32> attributes {tessera.entry = "scale"} {
  return %m : memref<?x4xf32>
}
func.func @entry.main() attributes {tessera.entry = "main"} {
  return
}
func.func private @inner() {
  return
}
//--- none.mlir
func.func private @inner() {
  return
}
