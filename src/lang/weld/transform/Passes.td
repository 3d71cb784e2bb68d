include "mlir/Pass/PassBase.td"

class WeldPass<string name> : Pass<name, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::tessera::weld::ir::WeldDialect"];
}

def ChooseStrategies : WeldPass<"weld-choose-strategies"> {
  let summary = "chooses how each builder of a loop is filled";
  let description = [{
    Considers what `weld-infer-sizes` has found, types, and annotations; sets the attribute `strategies` of
    `weld.for`.
  }];
}

def DropDeadBuilders : WeldPass<"weld-drop-dead-builders"> {
  let summary = "removes builders whose result is not used";
  let description = [{
    What their merges compute is removed as well if it cannot fail. A loop keeps at least one builder.
  }];
}

def EliminateCommon : WeldPass<"weld-eliminate-common"> {
  let summary = "computes equal expressions once";
  let description = [{
    Beyond what MLIR's pass does, the later one of two operations that may fail is dropped, since it fails only if
    the earlier one does; and so is the later one of two equal loops that fill new builders. Calls of C functions are never
    merged.
  }];
}

def FuseProducers : WeldPass<"weld-fuse-producers"> {
  let summary = "merges what one loop appends directly into the builders of the loop that reads it";
  let description = [{
    The vector between both is not built, unless others read it after this reader. The reader must iterate over all of it. It
    may use the number of the iteration, or iterate over other vectors as well, only if the producer appends exactly once per
    iteration. Only one of both bodies may fail, so that the same error is reported.

    ```
    let a = map(v, |x| x * 2.0);        // becomes:
    result(for(a, merger[f64,+], ...))  // result(for(v, merger[f64,+], |b, i, x| merge(b, x * 2.0)))
    ```
  }];
}

def FuseSiblings : WeldPass<"weld-fuse-siblings"> {
  let summary = "fuses loops that iterate over the same vectors";
  let description = [{
    The fused loop fills several builders in one pass over memory. An iterator that a loop has twice is dropped.
    Only one of both bodies may fail.
  }];
}

def HoistInvariants : WeldPass<"weld-hoist-invariants"> {
  let summary = "computes before a loop what is the same in all its iterations";
  let description = [{
    Moves only what cannot fail. Inner loops that fill builders of their own are moved together with the builders, and so is
    what depends on them: into a branch, unless the enclosing loop is known to have an iteration.

    ```
    map(v, |x| x * sum(w))   // becomes: let t = if(len(v) > 0L, sum(w), 0.0); map(v, |x| x * t)
    ```
  }];
}

def InferSizes : WeldPass<"weld-infer-sizes"> {
  let summary = "counts how often an iteration merges into each builder";
  let description = [{
    Sets the attribute `merges` of `weld.for`. The length of a vector that a loop builds with one append per iteration becomes
    that of the vector over which the loop iterates.
  }];
}

def LowerToCore : Pass<"weld-lower-to-core", "::mlir::ModuleOp"> {
  let summary = "replaces the functions of the dialect by functions in buffer form";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def PredicateMerges : WeldPass<"weld-predicate-merges"> {
  let summary = "merges the identity where a condition does not hold";
  let description = [{
    Applies to mergers, if what is merged cannot fail and is cheap, or if the annotation `predicate` asks for it, but never if
    the annotation forbids it.

    ```
    if(c, merge(b, x), b)   // becomes: merge(b, select(c, x, identity))
    ```
  }];
}

def RecognizeOrder : WeldPass<"weld-recognize-order"> {
  let summary = "recognizes comparators that mean plain ascending or descending order";
  let description = [{
    Sets the attributes `order` and `path` of `weld.sort` if elements, or one field of them, are scalars, and the comparator
    only compares these.
  }];
}

def SelectBranches : WeldPass<"weld-select-branches"> {
  let summary = "computes both sides of a branch and selects one";
  let description = [{
    Applies if both sides are scalars that cannot fail and are cheap, or if the annotation `predicate` asks for it. `&&`
    and `||` become `&` and `|`.
  }];
}

def UnrollLoops : WeldPass<"weld-unroll-loops"> {
  let summary = "unrolls small loops with a known number of iterations";
}
