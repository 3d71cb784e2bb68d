include "mlir/Pass/PassBase.td"

def KeepLoopBuffers : Pass<"keep-loop-buffers", "::mlir::func::FuncOp"> {
  let summary = "lets a loop-carried tensor stay in one buffer";
  let description = [{
    A loop that yields a tensor computed elsewhere would need a new buffer in every iteration. Where
    the sizes cannot change, the value is copied into the buffer that the loop came in with; the copy
    is a swap of two buffers after `swap-buffers`, where that is safe.

    ```mlir
    %r = scf.for ... iter_args(%p = %init) -> (tensor<4x4xf32>) {
      %q = linalg.matmul ins(%p, %a) outs(%zero) -> tensor<4x4xf32>
      scf.yield %q            // becomes: materialize_in_destination %q in %p
    }
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def ReuseOperands : Pass<"reuse-operands", "::mlir::func::FuncOp"> {
  let summary = "proposes an operand of an elementwise operation as its destination";
  let description = [{
    `a = a + x` may overwrite `a`. Naming `a` as the destination lets bufferisation decide: in place
    where nobody reads the old value later, a fresh buffer (never a copy) otherwise.
  }];
}

