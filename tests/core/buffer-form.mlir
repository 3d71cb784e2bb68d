// [core.9] A function in buffer form passes through every stage unchanged; other functions may not contain its
// operations.
// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir

// RUN: tessera emit --from=core good.mlir --stage=loops | FileCheck %s --check-prefix=GOOD
// GOOD: llvm.mlir.global internal constant @type.0
// GOOD: func.func @main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {tessera.buffers, tessera.entry = "main"
// GOOD: llvm.load
// GOOD: llvm.store
// RUN: tessera emit --from=core good.mlir --stage=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: @tessera_program.main = constant

// RUN: not tessera emit --from=core tensor.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=TENSOR
// TENSOR: 'tensor.empty' op is not legal in buffer form [core.9]
// RUN: not tessera emit --from=core pointer.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=POINTER
// POINTER: 'llvm.mlir.zero' op is not legal at stage `core`
// RUN: not tessera emit --from=core entry.mlir --stage=optimized 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: must take pointers to its arguments and to its result, with `tessera.types` [core.9]

//--- good.mlir
llvm.mlir.global internal constant @type.0(dense<[11, 8, 8, 1, 1, 0, 7, 4, 8, 8, 1, 0]> : tensor<12xi32>) : !llvm.array<12 x i32>
llvm.mlir.global internal constant @type.1(dense<[4, 8, 8, 1, 0]> : tensor<5xi32>) : !llvm.array<5 x i32>
func.func @main(%arguments: !llvm.ptr, %result: !llvm.ptr)
    attributes {tessera.buffers, tessera.entry = "main", tessera.names = ["x"], tessera.types = [@type.0, @type.1]} {
  %x = llvm.load %arguments : !llvm.ptr -> i64
  llvm.store %x, %result : i64, !llvm.ptr
  return
}
//--- tensor.mlir
func.func private @f() attributes {tessera.buffers} {
  %t = tensor.empty() : tensor<4xf32>
  return
}
//--- pointer.mlir
func.func private @f() {
  %p = llvm.mlir.zero : !llvm.ptr
  return
}
//--- entry.mlir
func.func @main(%arguments: !llvm.ptr) attributes {tessera.buffers, tessera.entry = "main"} {
  return
}
