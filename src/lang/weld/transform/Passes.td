include "mlir/Pass/PassBase.td"

class WeldPass<string name> : Pass<name, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::tessera::weld::ir::WeldDialect"];
}

def ChooseStrategies : WeldPass<"weld-choose-strategies"> {
  let summary = "says how each builder of a loop is best filled";
  let description = [{
    From what `weld-infer-sizes` found, from types, and from annotations; the attribute `strategies` of
    `weld.for` lists what there is.
  }];
}

def DropDeadBuilders : WeldPass<"weld-drop-dead-builders"> {
  let summary = "removes builders of which nobody wants the result";
  let description = [{
    What their merges compute goes with them, as far as it cannot fail. A loop keeps one builder.
  }];
}

def EliminateCommon : WeldPass<"weld-eliminate-common"> {
  let summary = "computes equal expressions once";
  let description = [{
    Beyond what MLIR's pass does, the later one of two operations that may fail is dropped, since it fails only if
    the earlier one does; and so is the later one of two loops that fill fresh builders alike. C functions are never
    merged.
  }];
}

def FuseProducers : WeldPass<"weld-fuse-producers"> {
  let summary = "merges what one loop appends straight into the builders of the loop that reads it";
  let description = [{
    The vector between both is not made, unless others read it too, after this reader. The reader must run over all of it. It may use the number of the iteration,
    or run over other vectors too, only where the producer appends exactly once an iteration. Only one of both bodies may
    fail, so that the error that is reported stays the same.

    ```
    let a = map(v, |x| x * 2.0);        // becomes:
    result(for(a, merger[f64,+], ...))  // result(for(v, merger[f64,+], |b, i, x| merge(b, x * 2.0)))
    ```
  }];
}

def FuseSiblings : WeldPass<"weld-fuse-siblings"> {
  let summary = "makes one loop of loops that run over the same vectors";
  let description = [{
    They fill several builders in one pass over memory. An iterator that a loop has twice is dropped.
    Only one of both bodies may fail.
  }];
}

def HoistInvariants : WeldPass<"weld-hoist-invariants"> {
  let summary = "computes before a loop what is the same in each of its iterations";
  let description = [{
    Only what cannot fail. Loops that fill builders of their own are moved with them, and so is what depends on them: into a
    branch, where the loop around is not known to have an iteration.

    ```
    map(v, |x| x * sum(w))   // becomes: let t = if(len(v) > 0L, sum(w), 0.0); map(v, |x| x * t)
    ```
  }];
}

def InferSizes : WeldPass<"weld-infer-sizes"> {
  let summary = "counts how often an iteration merges into each builder";
  let description = [{
    Sets the attribute `merges` of `weld.for`. The length of a vector that is appended to once an iteration becomes that of
    the vector that the loop runs over.
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
    Where what is merged cannot fail and is cheap, or the annotation `predicate` asks for it; and never
    where it forbids it, or for builders other than mergers.

    ```
    if(c, merge(b, x), b)   // becomes: merge(b, select(c, x, identity))
    ```
  }];
}

def RecognizeOrder : WeldPass<"weld-recognize-order"> {
  let summary = "finds comparators that mean plain ascending or descending order";
  let description = [{
    Sets the attributes `order` and `path` of `weld.sort` where elements, or one field of them, are scalars that the
    comparator compares with each other and nothing else.
  }];
}

def SelectBranches : WeldPass<"weld-select-branches"> {
  let summary = "computes both sides of a branch and selects one";
  let description = [{
    Where both sides are scalars that cannot fail and are cheap, or the annotation `predicate` asks for it. `&&`
    and `||` become `&` and `|`.
  }];
}

def UnrollLoops : WeldPass<"weld-unroll-loops"> {
  let summary = "writes out small loops of known size";
}
