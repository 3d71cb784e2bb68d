include "mlir/Pass/PassBase.td"

def DescribeEntries : Pass<"describe-entries", "::mlir::ModuleOp"> {
  let summary = "records what the outside needs to know of the entries";
  let description = [{
    Collects the names and types of the entries' parameters and results in the module's attribute
    `tessera.entries`, where they outlive the lowering to LLVM.
  }];
}

def NaiveContractions : Pass<"naive-contractions", "::mlir::func::FuncOp"> {
  let summary = "turns each contraction into a plain loop nest, one fma an iteration";
  let description = [{
    The oracle's form: each element is one chain of fma in ascending k [core.7].
  }];
  let dependentDialects = ["::mlir::math::MathDialect"];
}

def StridedCopies : Pass<"strided-copies", "::mlir::func::FuncOp"> {
  let summary = "turns copies that are no plain block of memory into loops";
}

def UseRuntime : Pass<"use-runtime", "::mlir::ModuleOp"> {
  let summary = "binds allocation to the runtime and hides all functions but the entries";
}
