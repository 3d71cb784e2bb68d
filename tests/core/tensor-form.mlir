// [core.3] Before `scheduled` every value is a number or a tensor.
// RUN: rm -rf %t.dir && split-file %s %t.dir && cd %t.dir

// RUN: tessera emit --from=core tensor.mlir --stage=optimized -O0 | FileCheck %s --check-prefix=TENSOR
// TENSOR: call @make() : () -> tensor<4xf32>

// RUN: not tessera emit --from=core buffer.mlir --stage=optimized -O0 2>&1 | FileCheck %s --check-prefix=BUFFER
// BUFFER: 'func.call' op makes a buffer in a function in tensor form [core.3]

// RUN: tessera emit --from=scheduled buffer.mlir --stage=scheduled -O0 | FileCheck %s --check-prefix=LATER
// LATER: call @make() : () -> memref<4xf32>

//--- tensor.mlir
func.func private @make() -> tensor<4xf32>
func.func private @f() -> tensor<4xf32> {
  %t = call @make() : () -> tensor<4xf32>
  return %t : tensor<4xf32>
}
//--- buffer.mlir
func.func private @make() -> memref<4xf32>
func.func private @f() {
  %t = call @make() : () -> memref<4xf32>
  return
}
