include "mlir/Pass/PassBase.td"

def DropVoidSlices : Pass<"drop-void-slices", "::mlir::func::FuncOp"> {
  let summary = "replaces slices that are empty or outside their source";
  let description = [{
    An empty slice may begin where its source ends, and a program may slice out of bounds in code that is never
    reached or that follows a failing check. Once constants are propagated, MLIR's verifiers reject both.

    ```mlir
    %s = tensor.extract_slice %m[%c-1] [3] [1]   // becomes: tensor.empty() : tensor<3xi32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ExpandMath : Pass<"expand-math", "::mlir::ModuleOp"> {
  let summary = "expands mathematical functions to plain arithmetic";
  let description = [{
    Without tables and branches, the loop around a function can be vectorized, and its results do not
    depend on what is known at compile time. docs/math.md lists the errors. Operations without a
    formula are left alone. Arguments too large for the formula are passed to C's functions, through
    calls of `tessera_rt_far_sin` and the like, which return the formula's result for all others.

    ```mlir
    %y = math.exp %x : f32   // becomes: arith and math.fma operations
    ```
  }];
  let options = [Option<"hasFma", "fma", "bool", "true",
                        "whether the processor has fused multiply-add">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def FuseElementwise : Pass<"fuse-elementwise", "::mlir::ModuleOp"> {
  let summary = "fuses elementwise operations into the operations that use their results";
  let description = [{
    Like MLIR's own pass, but not into contractions, which would compute each element again for every
    product. Transpositions and widenings are fused: a contraction can read its operands that way.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect"];
}

def FuseRows : Pass<"fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "computes operations that share rows one row at a time";
  let description = [{
    A row stays in the nearest cache from one operation to the next, and results that are used only in the group
    never exist as more than a row. An operation belongs to a group if, of the others' results or of an operand that
    they share, it needs only the row that it computes.

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
    A stack buffer lives until the function returns. Inside a loop, every iteration would allocate a
    new one until the stack overflows.
  }];
}

def InlineCalls : Pass<"inline-calls", "::mlir::ModuleOp"> {
  let summary = "inlines calls, within bounds on the size of the result";
}

def KeepInitials : Pass<"keep-initials", "::mlir::func::FuncOp"> {
  let summary = "keeps initial values where there may be nothing to reduce";
  let description = [{
    After folding, a reduction's body may ignore the value that it continues from. Fusion and bufferization then drop
    the initial values, which are the result where a range is empty.

    ```mlir
    %r = linalg.generic outs(%init) { ^bb0(%x: i32, %before: i32): linalg.yield %c0 }
    // becomes, with `outs(%empty)`: select(the range is empty, %init, %r), for each element
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def KeepLoopBuffers : Pass<"keep-loop-buffers", "::mlir::func::FuncOp"> {
  let summary = "keeps a loop-carried tensor in one buffer";
  let description = [{
    A loop that yields a tensor computed in another buffer would need a new buffer in every iteration. If
    the sizes cannot change, the value is copied into the buffer of the initial value instead; where it
    is safe, `swap-buffers` turns the copy into a swap of two buffers.

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
  let summary = "merges operations that read the same elements into one with several results";
  let description = [{
    Several sums over one tensor read it once; and within a row, elements computed for a sum are added directly.

    ```mlir
    s[m] += x[m, n]; q[m] += x[m, n] * x[m, n]   // becomes: (s[m], q[m]) += ...
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def RaiseInserts : Pass<"raise-inserts", "::mlir::func::FuncOp"> {
  let summary = "turns loops that copy a matrix into a part of another into one operation";
  let description = [{
    TTL has no assignment to a slice, so programs write loops. A single operation can be computed in
    place: the copied matrix need not exist.

    ```mlir
    for i, j { u[i + 1, j + 1] = v[i, j] }   // becomes: tensor.insert_slice %v into %u[1, 1] ...
    ```
  }];
}

def RefineLoopTypes : Pass<"refine-loop-types", "::mlir::func::FuncOp"> {
  let summary = "gives loop-carried tensors the static sizes that the loop keeps";
  let description = [{
    A variable of type `[?, ?]` that enters a loop as 4x4 and is 4x4 after every iteration is 4x4
    throughout. MLIR's own canonicalization assumes this without proof, so it is disabled; this pass
    proves it.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ReuseOperands : Pass<"reuse-operands", "::mlir::func::FuncOp"> {
  let summary = "proposes an operand of an elementwise operation as its destination";
  let description = [{
    `a = a + x` may overwrite `a`. With `a` as the destination, bufferization decides: in place if the
    old value is not read later, otherwise in a new buffer, without a copy.
  }];
}

def SplitContractions : Pass<"split-contractions", "::mlir::func::FuncOp"> {
  let summary = "computes the factors of a sum of products in advance if each is used many times";
  let description = [{
    What remains is a contraction of two operands, which tuned loops can compute.

    ```mlir
    sum += exp(a[m, k]) * b[k, n]   // becomes: e[m, k] = exp(a[m, k]); sum += e[m, k] * b[k, n]
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitLoopState : Pass<"split-loop-state", "::mlir::func::FuncOp"> {
  let summary = "gives a loop-carried tensor a second buffer if it is read while it is rewritten";
  let description = [{
    A time step reads the whole old state while it writes the new one. In one buffer, that needs a copy
    of the state in every iteration; with two, the buffers just swap roles, see `swap-buffers`.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def StoreElements : Pass<"store-elements", "::mlir::func::FuncOp"> {
  let summary = "turns long runs of assignments to elements of a matrix into stores";
  let description = [{
    The first and the last assignment stay, and bufferization analyzes only these two. Branches that
    do nothing but assign, `if (c) x[i] = v;`, can be part of a run.

    ```mlir
    %x1 = tensor.insert %a into %x0[%i]    // stays
    %x2 = tensor.insert %b into %x1[%j]    // becomes: memref.store %b, %m[%j], where %m is the buffer of %x1
    %x3 = tensor.insert %c into %x2[%k]    // becomes: tensor.insert %c into %x1[%k]
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect"];
}

def SwapBuffers : Pass<"swap-buffers", "::mlir::func::FuncOp"> {
  let summary = "swaps two buffers at the end of an iteration instead of copying one to the other";
  let description = [{
    ```mlir
    scf.for ... {               // becomes: iter_args(%u = %U, %v = %V)
      ... write %V, read %U
      memref.copy %V, %U        // becomes: scf.yield %v, %u
    }
    ```
    Only if the elements of %V that an iteration does not write are equal in both buffers or never read.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def TrapContradictions : Pass<"trap-contradictions", "::mlir::ModuleOp"> {
  let summary = "replaces operations on tensors whose known sizes contradict each other with a trap";
  let description = [{
    Such a program fails if it reaches the operation, which it may never do. MLIR would reject the
    operation as soon as both types have these sizes.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::scf::SCFDialect"];
}
