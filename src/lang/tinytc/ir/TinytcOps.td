#ifndef TESSERA_LANG_TINYTC_IR_TINYTC_OPS
#define TESSERA_LANG_TINYTC_IR_TINYTC_OPS

include "TinytcTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

//===-- Where operations may occur ----------------------------------------===//

class Tinytc_ClassTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::tessera::tinytc::ir";
}
def Tinytc_Collective : Tinytc_ClassTrait<"CollectiveOp">;
def Tinytc_Spmd : Tinytc_ClassTrait<"SpmdOp">;
def Tinytc_Mixed : Tinytc_ClassTrait<"MixedOp">;

class Tinytc_CollectiveOp<string name, list<Trait> traits = []>
    : Op<Tinytc_Dialect, name, !listconcat([Tinytc_Collective], traits)>;
class Tinytc_SpmdOp<string name, list<Trait> traits = []>
    : Op<Tinytc_Dialect, name, !listconcat([Tinytc_Spmd], traits)>;
class Tinytc_MixedOp<string name, list<Trait> traits = []>
    : Op<Tinytc_Dialect, name, !listconcat([Tinytc_Mixed], traits)>;

/// getEffects() is in Effects.cpp.
defvar Tinytc_Effects = DeclareOpInterfaceMethods<MemoryEffectsOpInterface>;

//===-- Collective operations ---------------------------------------------===//

def Tinytc_AllocaOp : Tinytc_CollectiveOp<"alloca"> {
  let summary = "memory of the work-group, until the end of the block";
  let description = [{
    Its initial contents are undefined. `offset` is its position in the memory of the work-group, in
    bytes; `tinytc-plan-local-memory` sets it.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$alignment, OptionalAttr<I64Attr>:$offset);
  let results = (outs Res<Tinytc_MemrefType, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tinytc_LifetimeStopOp : Tinytc_CollectiveOp<"lifetime_stop"> {
  let summary = "the memory of an `alloca` is not used from here on";
  let arguments = (ins Arg<Tinytc_MemrefType, "", [MemFree]>:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

def Tinytc_BlasInterface : OpInterface<"BlasOp"> {
  let cppNamespace = "::tessera::tinytc::ir";
  let description = [{
    output = alpha * f(inputs) + beta * output, where f(inputs) is computed in the accumulation type.
    If beta is 0, as a constant or at run time, output is not read. The order of additions in f is free.
    `atomic`: beta is a constant 0 (elements are stored atomically) or 1 (they are added atomically).
  }];
  let methods = [
    InterfaceMethod<"", "::mlir::Value", "getAlpha">,
    InterfaceMethod<"", "::mlir::Value", "getBeta">,
    InterfaceMethod<"", "::mlir::TypedValue<MemrefType>", "getOutput">,
    InterfaceMethod<"", "bool", "getAtomic">,
    InterfaceMethod<"", "::llvm::SmallVector<::mlir::TypedValue<MemrefType>, 2>", "getInputs">,
    InterfaceMethod<"Empty for those that do not transpose.", "::llvm::SmallVector<bool, 2>", "getTransposes">,
  ];
}

class Tinytc_BlasOp<string name, list<Trait> traits = []>
    : Tinytc_CollectiveOp<name, !listconcat([DeclareOpInterfaceMethods<Tinytc_BlasInterface>, Tinytc_Effects], traits)> {
  let assemblyFormat = "operands attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

defvar Tinytc_OneInput = (ins Tinytc_Scalar:$alpha, Tinytc_MemrefType:$a, Tinytc_Scalar:$beta,
                              Tinytc_MemrefType:$output, UnitAttr:$atomic);
defvar Tinytc_TwoInputs = (ins Tinytc_Scalar:$alpha, Tinytc_MemrefType:$a, Tinytc_MemrefType:$b,
                               Tinytc_Scalar:$beta, Tinytc_MemrefType:$output, UnitAttr:$atomic);

def Tinytc_AxpbyOp : Tinytc_BlasOp<"axpby"> {
  let summary = "f(A) = op(A), of order 0, 1 or 2";
  let arguments = !con(Tinytc_OneInput, (ins UnitAttr:$transA));
}
def Tinytc_CumsumOp : Tinytc_BlasOp<"cumsum"> {
  let summary = "f(A): inclusive prefix sums along a mode";
  let arguments = !con(Tinytc_OneInput, (ins I64Attr:$mode));
}
def Tinytc_SumOp : Tinytc_BlasOp<"sum"> {
  let summary = "f(A): sums over columns, or over rows if transposed; for order 1, the sum of all elements";
  let arguments = !con(Tinytc_OneInput, (ins UnitAttr:$transA));
}
def Tinytc_GemmOp : Tinytc_BlasOp<"gemm"> {
  let summary = "f(A, B) = op(A) op(B)";
  let arguments = !con(Tinytc_TwoInputs, (ins UnitAttr:$transA, UnitAttr:$transB));
}
def Tinytc_GemvOp : Tinytc_BlasOp<"gemv"> {
  let summary = "f(A, b) = op(A) b";
  let arguments = !con(Tinytc_TwoInputs, (ins UnitAttr:$transA));
}
def Tinytc_GerOp : Tinytc_BlasOp<"ger"> {
  let summary = "f(a, b) = a b^T";
  let arguments = Tinytc_TwoInputs;
}
def Tinytc_HadamardOp : Tinytc_BlasOp<"hadamard"> {
  let summary = "f(A, B): products of elements";
  let arguments = Tinytc_TwoInputs;
}

def Tinytc_ParallelOp : Tinytc_CollectiveOp<"parallel", [
    NoRegionArguments, RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "every work-item of the work-group runs the region once";
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins)>];
  let assemblyFormat = "$body attr-dict";
}

def Tinytc_ForeachOp : Tinytc_CollectiveOp<"foreach", [
    RecursiveMemoryEffects, SameVariadicOperandSize, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "the work-items share the points of a product of half-open ranges";
  let description = [{
    ```mlir
    tinytc.foreach (%i, %j) = (%a, %b) to (%c, %d) : index {
    }
    ```
  }];
  let arguments = (ins Variadic<Tinytc_Integer>:$from, Variadic<Tinytc_Integer>:$to);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$from, "::mlir::ValueRange":$to)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block::BlockArgListType getVariables() { return getBody().getArguments(); }
  }];
}

//===-- Control -----------------------------------------------------------===//

def Tinytc_ForOp : Tinytc_MixedOp<"for", [
    AttrSizedOperandSegments, RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
    AllTypesMatch<["from", "to"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface, [
        "getInitsMutable", "getRegionIterArgs", "getYieldedValuesMutable", "getLoopResults",
        "getLoopInductionVars"]>]> {
  let summary = "runs the region for from, from + step, ... while that is less than `to`";
  let description = [{
    The step defaults to 1 and must be positive. `unroll`: 0 unrolls all iterations, -1 forbids
    unrolling, another number is how many iterations to unroll.

    ```mlir
    %r = tinytc.for %i : index = %a, %b step %c init(%x = %y : f32) {
      tinytc.yield %x : f32
    } {unroll = 0 : i64}
    ```
  }];
  let arguments = (ins Tinytc_Integer:$from, Tinytc_Integer:$to, Optional<Tinytc_Integer>:$step,
                       Variadic<Tinytc_Carried>:$initials, OptionalAttr<I64Attr>:$unroll);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Tinytc_Carried>:$results);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$from, "::mlir::Value":$to, "::mlir::Value":$step,
                                 "::mlir::ValueRange":$initials)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getVariable() { return getBody().getArgument(0); }
    ::mlir::Block::BlockArgListType getCarried() { return getBody().getArguments().drop_front(); }
    YieldOp yield();
    /// nullopt if bounds or step are unknown.
    std::optional<int64_t> numIterations();
  }];
}

def Tinytc_IfOp : Tinytc_MixedOp<"if", [
    NoRegionArguments, RecursiveMemoryEffects, RecursivelySpeculatable,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "runs one of two regions; the second one may be missing if there are no results";
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$thenRegion, MaxSizedRegion<1>:$elseRegion);
  let results = (outs Variadic<Tinytc_Carried>:$results);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$condition, "bool":$hasElse)>];
  let assemblyFormat = "$condition (`->` `(` type($results)^ `)`)? $thenRegion (`else` $elseRegion^)? attr-dict";
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    bool hasElse() { return !getElseRegion().empty(); }
    YieldOp thenYield();
    YieldOp elseYield();
  }];
}

def Tinytc_YieldOp : Tinytc_MixedOp<"yield", [
    Pure, Terminator, ParentOneOf<["ForOp", "ForeachOp", "IfOp", "ParallelOp"]>]> {
  let summary = "the values that a region returns";
  let arguments = (ins Variadic<Tinytc_Carried>:$values);
  let builders = [OpBuilder<(ins)>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Tinytc_BarrierOp : Tinytc_MixedOp<"barrier", [Tinytc_Effects]> {
  let summary = "waits for all work-items of the work-group, and makes what they wrote visible";
  let arguments = (ins UnitAttr:$global, UnitAttr:$local);
  let assemblyFormat = "attr-dict";
}

//===-- Scalars and matrices ----------------------------------------------===//

def Tinytc_ConstantOp : Tinytc_MixedOp<"constant", [ConstantLike, Pure]> {
  let summary = "a known value; for a coopmatrix, that of all components";
  let description = [{
    The attribute has the type of the result or of its components: a bool, an integer or a float; for
    a complex number, it is an array of two floats.

    ```mlir
    tinytc.constant f32 1.0
    tinytc.constant complex<f32> [1.0 : f32, -1.0 : f32]
    tinytc.constant !tinytc.coopmatrix<8x8xi32, matrix_acc> 0
    ```
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs Tinytc_Carried:$result);
  let builders = [OpBuilder<(ins "::mlir::TypedAttr":$value), [{
    build($_builder, $_state, value.getType(), value);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

// Undefined for some operands, so not speculated.
defvar Tinytc_Partial = [NoMemoryEffect, DeclareOpInterfaceMethods<ConditionallySpeculatable>];

def Tinytc_BinaryOp : Tinytc_MixedOp<"binary", !listconcat(Tinytc_Partial, [SameOperandsAndResultType])> {
  let summary = "arithmetic; on matrices, component by component";
  let description = [{
    Integers wrap; `div` truncates, `rem` has the sign of the dividend, `shr` keeps the sign. `min`
    and `max` give the other operand if one is NaN. Division of integers by zero and shifts by the
    number of bits or more are undefined.
  }];
  let arguments = (ins Tinytc_BinaryAttr:$function, Tinytc_Carried:$lhs, Tinytc_Carried:$rhs);
  let results = (outs Tinytc_Carried:$result);
  let assemblyFormat = "$function $lhs `,` $rhs attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tinytc_UnaryOp : Tinytc_MixedOp<"unary", [Pure]> {
  let summary = "a function of one value; abs, im and re of complex numbers are real";
  let arguments = (ins Tinytc_UnaryAttr:$function, Tinytc_Carried:$operand);
  let results = (outs Tinytc_Carried:$result);
  let assemblyFormat = "$function $operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tinytc_CompareOp : Tinytc_MixedOp<"compare", [Pure, SameTypeOperands]> {
  let summary = "a comparison; with NaN, only `ne` is true";
  let arguments = (ins Tinytc_CompareAttr:$function, Tinytc_Scalar:$lhs, Tinytc_Scalar:$rhs);
  let results = (outs I1:$result);
  let assemblyFormat = "$function $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tinytc_CastOp : Tinytc_MixedOp<"cast", Tinytc_Partial> {
  let summary = "a conversion of scalars, or component by component; the use of a matrix may change";
  let description = [{
    Integers keep their low bits or extend their sign; floats are rounded to the nearest even number,
    to integers toward zero, and saturate (NaN gives 0).
  }];
  let arguments = (ins Tinytc_Number:$operand);
  let results = (outs Tinytc_Number:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tinytc_BuiltinOp : Tinytc_MixedOp<"builtin", [Pure]> {
  let summary = "ids and sizes; those of work-groups are `index`, others `i32`";
  let description = "`subgroup_id` and `subgroup_local_id` are allowed only in SPMD regions.";
  let arguments = (ins Tinytc_BuiltinAttr:$kind, DefaultValuedAttr<Tinytc_AxisAttr, "Axis::Linear">:$axis);
  let results = (outs AnyTypeOf<[Index, I32]>:$result);
  let builders = [OpBuilder<(ins "Builtin":$kind, "Axis":$axis)>];
  let assemblyFormat = "$kind attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===-- Views -------------------------------------------------------------===//

class Tinytc_ViewOp<string name, list<Trait> traits = []>
    : Tinytc_MixedOp<name, !listconcat(Tinytc_Partial, [DeclareOpInterfaceMethods<ViewLikeOpInterface>], traits)> {
  let hasVerifier = 1;
}

def Tinytc_SubviewOp : Tinytc_ViewOp<"subview", [AttrSizedOperandSegments]> {
  let summary = "a part of a tensor; a static size of 0 removes the mode";
  let description = [{
    There is one offset and one size per mode of the operand; those that are
    `ShapedType::kDynamic` are operands, in order.

    ```mlir
    tinytc.subview %0[2, %1] sizes [4, 0] : !tinytc.memref<32x16xf32> -> !tinytc.memref<4xf32>
    ```
  }];
  let arguments = (ins Tinytc_MemrefType:$operand, Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$static_offsets, DenseI64ArrayAttr:$static_sizes);
  let results = (outs Tinytc_MemrefType:$result);
  let assemblyFormat = [{
    $operand custom<DynamicIndexList>($offsets, $static_offsets) `sizes`
    custom<DynamicIndexList>($sizes, $static_sizes) attr-dict `:` type($operand) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "MemrefType":$result, "::mlir::Value":$operand,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets, "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>];
  let extraClassDeclaration = [{
    /// One per mode of the operand: attributes or values.
    ::llvm::SmallVector<::mlir::OpFoldResult> mixedOffsets();
    ::llvm::SmallVector<::mlir::OpFoldResult> mixedSizes();
    bool keepsMode(int64_t mode) { return getStaticSizes()[mode] != 0; }
    /// The modes of the operand that the result has, in order.
    ::llvm::SmallVector<int64_t> keptModes();
  }];
}
def Tinytc_ExpandOp : Tinytc_ViewOp<"expand"> {
  let summary = "splits a mode into several";
  let description = [{
    ```mlir
    tinytc.expand %0[1] into [2, %n] : !tinytc.memref<32x16xf32> -> !tinytc.memref<32x2x?xf32>
    ```
  }];
  let arguments = (ins Tinytc_MemrefType:$operand, I64Attr:$mode, Variadic<Index>:$factors,
                       DenseI64ArrayAttr:$static_factors);
  let results = (outs Tinytc_MemrefType:$result);
  let assemblyFormat = [{
    $operand `[` $mode `]` `into` custom<DynamicIndexList>($factors, $static_factors) attr-dict
    `:` type($operand) `->` type($result)
  }];
  let builders = [OpBuilder<(ins "MemrefType":$result, "::mlir::Value":$operand, "int64_t":$mode,
      "::llvm::ArrayRef<::mlir::OpFoldResult>":$factors)>];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> mixedFactors();
    int64_t numFactors() { return getStaticFactors().size(); }
  }];
}
def Tinytc_FuseOp : Tinytc_ViewOp<"fuse"> {
  let summary = "merges the modes `from` to `to` into one";
  let arguments = (ins Tinytc_MemrefType:$operand, I64Attr:$from, I64Attr:$to);
  let results = (outs Tinytc_MemrefType:$result);
  let assemblyFormat = "$operand `[` $from `,` $to `]` attr-dict `:` type($operand) `->` type($result)";
}

def Tinytc_SizeOp : Tinytc_MixedOp<"size", [Pure]> {
  let summary = "the size of a mode of a tensor, or the number of members of a group";
  let arguments = (ins AnyTypeOf<[Tinytc_MemrefType, Tinytc_GroupType]>:$operand, I64Attr:$mode);
  let results = (outs Index:$result);
  let assemblyFormat = "$operand `[` $mode `]` attr-dict `:` type($operand)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===-- Memory ------------------------------------------------------------===//

def Tinytc_LoadOp : Tinytc_MixedOp<"load", [
    Tinytc_Effects, TypesMatchWith<"result is an element or a member", "operand", "result", "loadedType($_self)">]> {
  let summary = "an element of a tensor, or a member of a group";
  let arguments = (ins AnyTypeOf<[Tinytc_MemrefType, Tinytc_GroupType]>:$operand, Variadic<Index>:$indices);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$operand `[` $indices `]` attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

def Tinytc_StoreOp : Tinytc_MixedOp<"store", [
    Tinytc_Effects, TypesMatchWith<"value is an element", "target", "value", "loadedType($_self)">]> {
  let summary = "writes an element, or adds to it and may return the old value";
  let arguments = (ins Tinytc_Scalar:$value, Tinytc_MemrefType:$target, Variadic<Index>:$indices,
                       DefaultValuedAttr<Tinytc_StoreAttr, "StoreFlag::None">:$flag);
  let results = (outs Optional<Tinytc_Scalar>:$before);
  let assemblyFormat = "$value `,` $target `[` $indices `]` attr-dict `:` type($target) (`->` type($before)^)?";
  let hasVerifier = 1;
}

//===-- SPMD operations ---------------------------------------------------===//

def Tinytc_CoopLoadOp : Tinytc_SpmdOp<"coop_load", [Tinytc_Effects]> {
  let summary = "loads a matrix from memory; elements that are checked and outside are zero";
  let arguments = (ins Tinytc_MemrefType:$source, Index:$row, Index:$column, UnitAttr:$transposed,
                       DefaultValuedAttr<Tinytc_CheckedAttr, "Checked::None">:$checked);
  let results = (outs Tinytc_CoopMatrixType:$result);
  let assemblyFormat = "$source `[` $row `,` $column `]` attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}
def Tinytc_CoopStoreOp : Tinytc_SpmdOp<"coop_store", [Tinytc_Effects]> {
  let summary = "writes a matrix to memory, or adds it, except elements that are checked and outside";
  let arguments = (ins Tinytc_CoopMatrixType:$matrix, Tinytc_MemrefType:$target, Index:$row, Index:$column,
                       UnitAttr:$transposed, DefaultValuedAttr<Tinytc_CheckedAttr, "Checked::None">:$checked,
                       DefaultValuedAttr<Tinytc_StoreAttr, "StoreFlag::None">:$flag);
  let results = (outs Optional<Tinytc_CoopMatrixType>:$before);
  let assemblyFormat = [{
    $matrix `,` $target `[` $row `,` $column `]` attr-dict
    `:` type($matrix) `,` type($target) (`->` type($before)^)?
  }];
  let hasVerifier = 1;
}
def Tinytc_CoopMulAddOp : Tinytc_SpmdOp<"coop_mul_add", [Pure]> {
  let summary = "a b + c";
  let arguments = (ins Tinytc_CoopMatrixType:$a, Tinytc_CoopMatrixType:$b, Tinytc_CoopMatrixType:$c);
  let results = (outs Tinytc_CoopMatrixType:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}
def Tinytc_CoopScaleOp : Tinytc_SpmdOp<"coop_scale", [
    Pure, AllTypesMatch<["matrix", "result"]>,
    TypesMatchWith<"scalar is a component", "matrix", "scalar", "componentType($_self)">]> {
  let summary = "every component times a scalar";
  let arguments = (ins Tinytc_Scalar:$scalar, Tinytc_CoopMatrixType:$matrix);
  let results = (outs Tinytc_CoopMatrixType:$result);
  let assemblyFormat = "$scalar `,` $matrix attr-dict `:` type($matrix)";
}

// Both depend on which work-items are active, so they read that, and are not moved.
def Tinytc_BroadcastOp : Tinytc_SpmdOp<"broadcast", [Tinytc_Effects, AllTypesMatch<["value", "result"]>]> {
  let summary = "the value of the work-item with this local id";
  let arguments = (ins Tinytc_Scalar:$value, I32:$lane);
  let results = (outs Tinytc_Scalar:$result);
  let assemblyFormat = "$value `,` $lane attr-dict `:` type($value)";
}
def Tinytc_SubgroupOp : Tinytc_SpmdOp<"subgroup", [Tinytc_Effects, SameOperandsAndResultType]> {
  let summary = "combines the values of the work-items of a subgroup";
  let arguments = (ins Tinytc_ReductionAttr:$function, Tinytc_FormAttr:$form, Tinytc_Scalar:$operand);
  let results = (outs Tinytc_Scalar:$result);
  let assemblyFormat = "$function $form $operand attr-dict `:` type($operand)";
  let hasVerifier = 1;
}

#endif
