include "mlir/Pass/PassBase.td"

class TinytcPass<string name> : Pass<name, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::tessera::tinytc::ir::TinytcDialect"];
}

def CheckRegions : TinytcPass<"tinytc-check-regions"> {
  let summary = "marks operations that not all work-items reach together, though they must";
  let description = [{
    Marks barriers that are provably not reached by all work-items of the work-group, operations on matrices under control
    flow that varies in a subgroup, and operands that must be the same in a subgroup but provably are not: the attribute
    `tinytc.divergent` of the operation describes the undefined behavior. `check` warns of the same.
  }];
}

def InsertBarriers : TinytcPass<"tinytc-insert-barriers"> {
  let summary = "makes work-items wait in collective regions where memory is shared";
  let description = [{
    Inserts a barrier between two operations that use the same memory, one of which writes it, also from one iteration of a loop
    to the next.
    Memory is the same if one tensor is a view of the other, if both may be the same global memory, and if
    `tinytc-plan-local-memory` has put two tensors in one place. Barriers of the program are taken into account. SPMD regions
    must contain their own barriers.

    ```
    gemm.n.n %one, %A, %B, %zero, %tmp
    barrier.local                          ; inserted
    gemm.n.n %one, %tmp, %C, %one, %D
    ```
  }];
}

def PlanLocalMemory : TinytcPass<"tinytc-plan-local-memory"> {
  let summary = "places the local memory of a work-group";
  let description = [{
    Sets `offset` of each `alloca` and `tinytc.local_bytes` of the function. Tensors that are not used at the same time may
    have the same place; each is followed by a `lifetime_stop` after its last use.
  }];
}

def SimplifyViews : TinytcPass<"tinytc-simplify-views"> {
  let summary = "merges views of views";
  let description = [{
    Slices of slices become one, views that change nothing vanish, and sizes of views are taken from their operands.
  }];
}

def SpecializeConstants : TinytcPass<"tinytc-specialize-constants"> {
  let summary = "moves known numbers into offsets, sizes and types of views";
  let description = [{
    A view whose size has become a constant gets a type with that size, as do views of it, unless an operation that uses it
    requires its size to equal that of another tensor, which is unknown.

    ```
    %n = constant 8 : index
    %v = subview %A[0:%n] : memref<f32x?>   ; becomes: subview %A[0:8] : memref<f32x8>
    ```
  }];
}
