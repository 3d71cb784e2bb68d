include "mlir/Pass/PassBase.td"

def DropVoidSlices : Pass<"drop-void-slices", "::mlir::func::FuncOp"> {
  let summary = "replaces slices that are empty, or outside their source";
  let description = [{
    An empty slice may begin where its source ends, and a program may slice outside in code that it never
    reaches, or behind a check that fails. MLIR's verifiers take both for mistakes of ours once constants
    are propagated.

    ```mlir
    %s = tensor.extract_slice %m[%c-1] [3] [1]   // becomes: tensor.empty() : tensor<3xi32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ExpandMath : Pass<"expand-math", "::mlir::ModuleOp"> {
  let summary = "writes mathematical functions as plain arithmetic";
  let description = [{
    Without tables and branches the loop around a function can be vectorised, and its results are
    the same whatever is known at compile time. docs/math.md has the errors. Operations without a
    formula stay. Angles too large for the formula are left to C's functions, by calls of
    `tessera_rt_far_sin` and the like, which return the formula's result for all others.

    ```mlir
    %y = math.exp %x : f32   // becomes: arith and math.fma operations
    ```
  }];
  let options = [Option<"hasFma", "fma", "bool", "true",
                        "whether the processor multiplies and adds in one operation">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def FuseElementwise : Pass<"fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "computes elementwise operations where their results are used";
  let description = [{
    As MLIR's own pass does, but not inside contractions, which would compute each element again for every
    product. A transposition or a wider type is part of how a contraction reads its operands.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect"];
}

def FuseRows : Pass<"fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "computes operations with common rows row by row";
  let description = [{
    What a row needs stays in the nearest cache from one operation to the next, and of results that nobody else
    wants there is only ever one row. An operation belongs to a group of them if it needs of the others' results, or of
    an operand that they read too, just the row that it computes.

    ```mlir
    top[m] = max x[m, n]; e[m, n] = exp(x[m, n] - top[m])   // becomes: forall m { top = ...; e[m] = ... }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def HoistStackBuffers : Pass<"hoist-stack-buffers", "::mlir::func::FuncOp"> {
  let summary = "moves stack buffers to the start of their function";
  let description = [{
    A buffer on the stack lives until the function returns. Inside a loop every iteration would take a
    new one, until the stack is full.
  }];
}

def InlineCalls : Pass<"inline-calls", "::mlir::ModuleOp"> {
  let summary = "inlines calls, within bounds on the size of the result";
}

def KeepLoopBuffers : Pass<"keep-loop-buffers", "::mlir::func::FuncOp"> {
  let summary = "lets a loop-carried tensor stay in one buffer";
  let description = [{
    A loop that yields a tensor computed elsewhere would need a new buffer in every iteration. Where
    the sizes cannot change, the value is copied into the buffer that the loop came in with; the copy
    is a swap of two buffers after `swap-buffers`, where that is safe.

    ```mlir
    %r = scf.for ... iter_args(%p = %init) -> (tensor<4x4xf32>) {
      %q = linalg.matmul ins(%p, %a) outs(%zero) -> tensor<4x4xf32>
      scf.yield %q            // becomes: linalg.copy ins(%q) outs(%p)
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def MergeLoops : Pass<"merge-loops", "::mlir::func::FuncOp"> {
  let summary = "computes what reads the same elements in one operation with several results";
  let description = [{
    Sums of one tensor read it once; and in a row, what is computed for a sum is added at once.

    ```mlir
    s[m] += x[m, n]; q[m] += x[m, n] * x[m, n]   // becomes: (s[m], q[m]) += ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def RaiseInserts : Pass<"raise-inserts", "::mlir::func::FuncOp"> {
  let summary = "sees a nest of loops that copies a matrix into a part of another one as one operation";
  let description = [{
    TTL has no assignment to a slice; programs write it as loops. As one operation it can be computed in
    place: the matrix that is copied need not exist.

    ```mlir
    for i, j { u[i + 1, j + 1] = v[i, j] }   // becomes: tensor.insert_slice %v into %u[1, 1] ...
    ```
  }];
}

def RefineLoopTypes : Pass<"refine-loop-types", "::mlir::func::FuncOp"> {
  let summary = "gives loop-carried tensors the static sizes that the loop keeps";
  let description = [{
    A variable of type `[?, ?]` that enters a loop as 4x4 and is 4x4 after every iteration is 4x4
    throughout. MLIR's own canonicalisation takes that for granted, so it is switched off; here it is
    proved.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ReuseOperands : Pass<"reuse-operands", "::mlir::func::FuncOp"> {
  let summary = "proposes an operand of an elementwise operation as its destination";
  let description = [{
    `a = a + x` may overwrite `a`. Naming `a` as the destination lets bufferisation decide: in place
    where nobody reads the old value later, a fresh buffer (never a copy) otherwise.
  }];
}

def SplitContractions : Pass<"split-contractions", "::mlir::func::FuncOp"> {
  let summary = "computes the factors of a sum of products before it, where each is used many times";
  let description = [{
    What is left is a contraction of two operands, for which there are kernels.

    ```mlir
    sum += exp(a[m, k]) * b[k, n]   // becomes: e[m, k] = exp(a[m, k]); sum += e[m, k] * b[k, n]
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitLoopState : Pass<"split-loop-state", "::mlir::func::FuncOp"> {
  let summary = "gives a loop-carried tensor a second buffer where it is read while it is rewritten";
  let description = [{
    A time step reads the old state everywhere while it writes the new one. In one buffer that needs a
    copy of the whole state in every iteration; in two, only the roles change, see `swap-buffers`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def StoreElements : Pass<"store-elements", "::mlir::func::FuncOp"> {
  let summary = "turns long runs of assignments to elements of a matrix into stores";
  let description = [{
    Between the first and the last of them, which stay: bufferisation takes its time from these two. Branches that
    do nothing but assign, `if (c) x[i] = v;`, are part of a run.

    ```mlir
    %x1 = tensor.insert %a into %x0[%i]    // stays
    %x2 = tensor.insert %b into %x1[%j]    // becomes: memref.store %b, %m[%j], where %m is the buffer of %x1
    %x3 = tensor.insert %c into %x2[%k]    // becomes: tensor.insert %c into %x1[%k]
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect"];
}

def SwapBuffers : Pass<"swap-buffers", "::mlir::func::FuncOp"> {
  let summary = "exchanges two buffers at the end of an iteration instead of copying one to the other";
  let description = [{
    ```mlir
    scf.for ... {               // becomes: iter_args(%u = %U, %v = %V)
      ... write %V, read %U
      memref.copy %V, %U        // becomes: scf.yield %v, %u
    }
    ```
    Only where the elements of %V that an iteration does not write are equal in both, or are never read.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def TrapContradictions : Pass<"trap-contradictions", "::mlir::ModuleOp"> {
  let summary = "replaces operations on tensors whose known sizes contradict each other by a trap";
  let description = [{
    Such a program is wrong if it gets there, but it may never get there. MLIR would reject the
    operation as soon as both sizes stand in types.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
}
