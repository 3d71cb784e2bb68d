include "mlir/Pass/PassBase.td"

class TinytcPass<string name> : Pass<name, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::tessera::tinytc::ir::TinytcDialect"];
}

def CheckRegions : TinytcPass<"tinytc-check-regions"> {
  let summary = "marks operations that not all work-items reach alike, though they must";
  let description = [{
    A barrier that is provably not reached by all work-items of the group, operations on matrices under control that varies
    in a subgroup, and operands that must be the same in a subgroup but provably are not: the attribute
    `tinytc.divergent` of the operation describes the undefined behavior. `check` warns of the same.
  }];
}

def InsertBarriers : TinytcPass<"tinytc-insert-barriers"> {
  let summary = "makes work-items wait in collective regions where memory is shared";
  let description = [{
    Between two operations that use the same memory, one of which writes it, also from one iteration of a loop to the next.
    Memory is the same where one tensor is a view of the other, where both are global and not known to be the same argument,
    and where `tinytc-plan-local-memory` has put two tensors in one place. Barriers that the program has count. SPMD regions
    have to wait by themselves.

    ```
    gemm.n.n %one, %A, %B, %zero, %tmp
    barrier.local                          ; inserted
    gemm.n.n %one, %tmp, %C, %one, %D
    ```
  }];
}

def PlanLocalMemory : TinytcPass<"tinytc-plan-local-memory"> {
  let summary = "places the local memory of a group";
  let description = [{
    Sets `offset` of each `alloca` and `tinytc.local_bytes` of the function. Tensors that are not used at the same time may
    have the same place; a `lifetime_stop` follows the last use of each.
  }];
}

def SimplifyViews : TinytcPass<"tinytc-simplify-views"> {
  let summary = "makes one view of a view of a view";
  let description = [{
    Slices of slices become one, views that change nothing vanish, and sizes of views are asked of what they are made from.
  }];
}

def SpecializeConstants : TinytcPass<"tinytc-specialize-constants"> {
  let summary = "moves numbers that are known into offsets, sizes and types of views";
  let description = [{
    A view whose size has become a constant gets a type that says so, as do the views of it; unless an operation that uses it
    requires its size to equal that of another tensor, which is unknown.

    ```
    %n = constant 8 : index
    %v = subview %A[0:%n] : memref<f32x?>   ; becomes: subview %A[0:8] : memref<f32x8>
    ```
  }];
}
