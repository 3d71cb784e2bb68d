#ifndef TESSERA_LANG_WELD_IR_WELD_OPS
#define TESSERA_LANG_WELD_IR_WELD_OPS

include "WeldTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Weld_MayFail : OpInterface<"MayFail"> {
  let cppNamespace = "::tessera::weld::ir";
  let description = [{
    An operation that may end the program with an error. Effects and speculation follow from it.
  }];
  let methods = [InterfaceMethod<"Whether it may fail with its operands, not counting operations in its regions.", "bool", "canFail">];
}

def Weld_Linear : NativeOpTrait<"Linear"> {
  let cppNamespace = "::tessera::weld::ir";
}

class Weld_Op<string name, list<Trait> traits = []> : Op<Weld_Dialect, name, !listconcat([Weld_Linear], traits)>;
class Weld_PureOp<string name, list<Trait> traits = []> : Weld_Op<name, !listconcat([Pure], traits)>;
/// canFail() is in Effects.cpp, as are effects and speculatability, which are the same for all.
class Weld_FailingOp<string name, list<Trait> traits = []>
    : Weld_Op<name, !listconcat([DeclareOpInterfaceMethods<Weld_MayFail>,
                                 DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                 DeclareOpInterfaceMethods<ConditionallySpeculatable>], traits)>;

//===-- Values ------------------------------------------------------------===//

def Weld_ConstantOp : Weld_PureOp<"constant", [ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a known scalar";
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Weld_Scalar:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def Weld_StringOp : Weld_PureOp<"string"> {
  let summary = "the bytes of a string literal, followed by a NUL that does not count";
  let arguments = (ins StrAttr:$bytes);
  let results = (outs Weld_VecType:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weld_MakeVecOp : Weld_PureOp<"make_vec"> {
  let summary = "a vector of these elements";
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs Weld_VecType:$result);
  let assemblyFormat = "$elements attr-dict `:` functional-type($elements, $result)";
  let hasVerifier = 1;
}

def Weld_MakeStructOp : Weld_PureOp<"make_struct", [
    TypesMatchWith<"operands are the fields", "result", "fields",
                   "::llvm::cast<StructType>($_self).getFields()">]> {
  let summary = "a struct of these fields, values or builders";
  let arguments = (ins Variadic<AnyType>:$fields);
  let results = (outs Weld_StructType:$result);
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$fields)>];
  let assemblyFormat = "$fields attr-dict `:` type($result)";
  let hasCanonicalizer = 1;
}

def Weld_FieldOp : Weld_PureOp<"field", [InferTypeOpAdaptor]> {
  let summary = "a field of a struct; of a struct of builders, each field may be taken once";
  let arguments = (ins Weld_StructType:$operand, ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` type($operand)";
  let hasFolder = 1;
}

def Weld_BinaryOp : Weld_FailingOp<"binary", [
    SameTypeOperands, InferTypeOpAdaptor]> {
  let summary = "an infix operator, min, max or pow; lane by lane on simd";
  let description = [{
    Comparisons return `i1`, or a simd of it. Integers wrap; division by zero and a negative exponent of
    an integer fail; a division by a constant other than zero does not. Vectors compare
    lexicographically, structs field by field. `min` and `max` propagate NaN.
  }];
  let arguments = (ins Weld_BinaryAttr:$function, AnyType:$lhs, AnyType:$rhs);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$function $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Weld_UnaryOp : Weld_PureOp<"unary", [SameOperandsAndResultType]> {
  let summary = "minus, not, or a function of a float; lane by lane on simd";
  let arguments = (ins Weld_UnaryAttr:$function, AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$function $operand attr-dict `:` type($operand)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Weld_CastOp : Weld_PureOp<"cast"> {
  let summary = "a conversion of scalars, or lane by lane";
  let description = [{
    Integers keep their low bits, or are extended by the sign of the source; floats saturate, NaN gives 0;
    a cast to bool is `!= 0`.
  }];
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Weld_SelectOp : Weld_PureOp<"select", [AllTypesMatch<["onTrue", "onFalse", "result"]>]> {
  let summary = "one of two values, both computed; lane by lane if the condition is a simd";
  let arguments = (ins AnyType:$condition, AnyType:$onTrue, AnyType:$onFalse);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$condition `,` $onTrue `,` $onFalse attr-dict `:` type($condition) `,` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Weld_BroadcastOp : Weld_PureOp<"broadcast", [
    TypesMatchWith<"lanes are the operand's type", "result", "operand",
                   "::llvm::cast<SimdType>($_self).getElement()">]> {
  let summary = "a simd whose lanes are equal";
  let arguments = (ins Weld_Scalar:$operand);
  let results = (outs Weld_SimdType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

//===-- Control -----------------------------------------------------------===//

def Weld_YieldOp : Weld_PureOp<"yield", [
    Terminator, ParentOneOf<["IfOp", "IterateOp", "ForOp", "SortOp"]>]> {
  let summary = "the values that a region returns";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Weld_IfOp : Weld_Op<"if", [
    NoRegionArguments, SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "evaluates one of two regions";
  let description = [{
    Results may be builders. `&&` and `||` become `if(a, b, false)` and `if(a, true, b)`.
  }];
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
  let results = (outs Variadic<AnyType>:$results);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$condition)>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "$condition (`->` type($results)^)? $thenRegion `else` $elseRegion attr-dict";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &thenBlock() { return getThenRegion().front(); }
    ::mlir::Block &elseBlock() { return getElseRegion().front(); }
    YieldOp thenYield();
    YieldOp elseYield();
  }];
}

def Weld_IterateOp : Weld_Op<"iterate", [
    AllTypesMatch<["initial", "result"]>, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "a sequential loop: the region is run until the bool that it yields is false";
  let description = [{
    The region takes a state, and yields the next one and whether to continue. The result is the state
    that is yielded last; the region runs at least once.
  }];
  let arguments = (ins AnyType:$initial);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs AnyType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$initial)>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "$initial attr-dict `:` type($initial) $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument state() { return getBody().getArgument(0); }
    YieldOp yield();
  }];
}

def Weld_ForOp : Weld_FailingOp<"for", [
    AttrSizedOperandSegments, SingleBlock, RecursiveMemoryEffects,
    InferTypeOpAdaptor]> {
  let summary = "merges into builders, once for each element";
  let description = [{
    Iterates over one or more iterators (`zip`), which must have the same number of elements
    (MismatchedZipSize); bounds are checked before the first iteration (BadIteratorLength). Weld.td lists
    the operands of each kind of iterator. The region takes the builders, the number of the iteration
    (`si64`), and one element per iterator; the locations of its arguments are those of the builders and
    of the iterators. It yields the builders, each derived from its own argument. A struct of builders in
    the source becomes several builders, and a nested zip several iterators.

    ```mlir
    %sum = weld.for (plain %v : !weld.vec<f64>, range %a, %b, %c) into (%m : !weld.merger<f64, add>) {
    ^bb0(%acc: !weld.merger<f64, add>, %i: si64, %x: f64, %k: si64):
      %next = weld.merge %acc, %x : !weld.merger<f64, add>, f64
      weld.yield %next : !weld.merger<f64, add>
    }
    ```

    `merges`, where it is there, says for each builder how often an iteration merges into it (in
    nested loops too): `once`, `at_most_once` or `many`. `infer-sizes` finds it.

    `strategies`, where it is there, says for each builder how it is best filled; results do not
    depend on it. `choose-strategies` finds it. Appenders: `indexed` (one merge an iteration: element
    i of the result), `compress` (one at most), `general` (pieces that grow). Mergers: `accumulate`.
    Vecmergers: `map` (the index is the iteration's number, once an iteration), `scatter`.
    Dictmergers: `adaptive`, or as the annotation `impl` says `local`, `partitioned`; `dense` for keys
    of eight bits or bools. Groupbuilders: `count` (one merge an iteration at most: count, then
    scatter), `general`.

    The annotation that matters here: `vectorize`.
  }];
  let arguments = (ins Variadic<AnyType>:$iterators, Variadic<Weld_AnyBuilder>:$builders,
                       Weld_IteratorArrayAttr:$kinds, OptionalAttr<Weld_MergeCountArrayAttr>:$merges,
                       OptionalAttr<Weld_StrategyArrayAttr>:$strategies);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Weld_AnyBuilder>:$results);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ArrayRef<IteratorOperands>":$iterators, "::mlir::ValueRange":$builders)>];
  let assemblyFormat = [{
    `(` custom<Iterators>($iterators, type($iterators), $kinds) `)` `into`
    `(` $builders `:` type($builders) `)` $body attr-dict
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// One per iterator, in the order of the region's arguments.
    ::llvm::SmallVector<IteratorOperands> iteratorList();
    unsigned numIterators() { return getKinds().size(); }
    unsigned numBuilders() { return getBuilders().size(); }
    ::mlir::Block &block() { return getBody().front(); }
    ::llvm::ArrayRef<::mlir::BlockArgument> builderArguments() {
      return ::llvm::ArrayRef<::mlir::BlockArgument>(block().getArguments()).take_front(numBuilders());
    }
    ::mlir::BlockArgument index() { return block().getArgument(numBuilders()); }
    ::llvm::ArrayRef<::mlir::BlockArgument> elements() {
      return ::llvm::ArrayRef<::mlir::BlockArgument>(block().getArguments()).drop_front(numBuilders() + 1);
    }
    YieldOp yield();
  }];
}

//===-- Builders ----------------------------------------------------------===//

def Weld_NewBuilderOp : Weld_Op<"new_builder"> {
  let summary = "a builder without merges";
  let description = [{
    The argument is the vector of a vecmerger, the value a merger starts from, or the number of elements
    that an appender or a dictmerger may expect (advice). Two builders are never merged into one, so this
    counts as an allocation. Annotations with an effect: `size`, `impl`, `num_keys`.
  }];
  let arguments = (ins Optional<AnyType>:$argument);
  let results = (outs Res<Weld_AnyBuilder, "", [MemAlloc]>:$result);
  let assemblyFormat = "(`(` $argument^ `:` type($argument) `)`)? attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Weld_MergeOp : Weld_FailingOp<"merge", [AllTypesMatch<["target", "result"]>]> {
  let summary = "adds a value to a builder; an index outside of a vecmerger's vector fails";
  let arguments = (ins Weld_AnyBuilder:$target, AnyType:$value);
  let results = (outs Weld_AnyBuilder:$result);
  let assemblyFormat = "$target `,` $value attr-dict `:` type($target) `,` type($value)";
  let hasVerifier = 1;
}

def Weld_ResultOp : Weld_PureOp<"result", [
    TypesMatchWith<"result is the builder's", "target", "result",
                   "::llvm::cast<BuilderType>($_self).getResultType()">]> {
  let summary = "the value that a builder has built";
  let arguments = (ins Weld_AnyBuilder:$target);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let hasCanonicalizer = 1;
}

//===-- Collections -------------------------------------------------------===//

def Weld_LookupOp : Weld_FailingOp<"lookup", [
    TypesMatchWith<"key is the collection's", "collection", "key", "keyType($_self)">,
    TypesMatchWith<"result is the collection's", "collection", "result", "valueType($_self)">]> {
  let summary = "an element of a vector, or a value of a dictionary: ArrayOutOfBounds, KeyNotFoundError";
  let arguments = (ins AnyTypeOf<[Weld_VecType, Weld_DictType]>:$collection, AnyType:$key);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$collection `[` $key `]` attr-dict `:` type($collection)";
}

def Weld_OptLookupOp : Weld_PureOp<"opt_lookup", [
    TypesMatchWith<"key is the dictionary's", "dict", "key", "keyType($_self)">,
    TypesMatchWith<"result is a bool and the dictionary's value", "dict", "result", "optionType($_self)">]> {
  let summary = "whether the dictionary has a key, and its value or zero";
  let arguments = (ins Weld_DictType:$dict, AnyType:$key);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$dict `[` $key `]` attr-dict `:` type($dict)";
}

def Weld_KeyExistsOp : Weld_PureOp<"key_exists", [
    TypesMatchWith<"key is the dictionary's", "dict", "key", "keyType($_self)">]> {
  let summary = "whether the dictionary has a key";
  let arguments = (ins Weld_DictType:$dict, AnyType:$key);
  let results = (outs I1:$result);
  let assemblyFormat = "$dict `[` $key `]` attr-dict `:` type($dict)";
}

def Weld_LenOp : Weld_PureOp<"len"> {
  let summary = "the number of elements";
  let arguments = (ins AnyTypeOf<[Weld_VecType, Weld_DictType]>:$collection);
  let results = (outs SI64:$result);
  let assemblyFormat = "$collection attr-dict `:` type($collection)";
  let hasFolder = 1;
}

def Weld_SliceOp : Weld_FailingOp<"slice", [AllTypesMatch<["vec", "result"]>]> {
  let summary = "a view of a part of a vector; a size beyond the end is reduced";
  let arguments = (ins Weld_VecType:$vec, SI64:$start, SI64:$size);
  let results = (outs Weld_VecType:$result);
  let assemblyFormat = "$vec `[` $start `,` $size `]` attr-dict `:` type($vec)";
}

def Weld_SortOp : Weld_Op<"sort", [
    AllTypesMatch<["vec", "result"]>, SingleBlock, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "a stably sorted copy of a vector";
  let description = [{
    The region takes two elements and yields an `si32`, which is positive if the first is greater.

    If `order` is set, to `ascending` or `descending`, the region compares elements with `<` and `>`, or the
    fields to which `path` leads. The region is still used for NaN, which it treats as equal to everything.
    `weld-recognize-order` sets both.
  }];
  let arguments = (ins Weld_VecType:$vec, OptionalAttr<StrAttr>:$order, OptionalAttr<DenseI64ArrayAttr>:$path);
  let regions = (region SizedRegion<1>:$comparator);
  let results = (outs Weld_VecType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$vec)>];
  let skipDefaultBuilders = 1;
  let assemblyFormat = "$vec attr-dict `:` type($vec) $comparator";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    YieldOp yield();
  }];
}

def Weld_ToVecOp : Weld_PureOp<"to_vec", [
    TypesMatchWith<"result holds keys and values", "dict", "result", "entriesType($_self)">]> {
  let summary = "the keys and values of a dictionary, in the order of their insertion";
  let arguments = (ins Weld_DictType:$dict);
  let results = (outs Weld_VecType:$result);
  let assemblyFormat = "$dict attr-dict `:` type($dict)";
}

def Weld_SerializeOp : Weld_PureOp<"serialize"> {
  let summary = "the bytes of a value";
  let arguments = (ins AnyType:$operand);
  let results = (outs Weld_VecType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

def Weld_DeserializeOp : Weld_FailingOp<"deserialize"> {
  let summary = "the value that bytes stand for: DeserializationError";
  let arguments = (ins Weld_VecType:$bytes);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$bytes attr-dict `:` type($bytes) `->` type($result)";
}

//===-- Others ------------------------------------------------------------===//

def Weld_AssertOp : Weld_FailingOp<"assert"> {
  let summary = "fails with AssertionError unless the condition is true";
  let arguments = (ins I1:$condition);
  let results = (outs I1:$result);
  let assemblyFormat = "$condition attr-dict";
}

def Weld_CudfOp : Weld_FailingOp<"cudf"> {
  let summary = "a call of a C function, which is never repeated, merged, dropped or moved";
  let arguments = (ins StrAttr:$callee, Variadic<AnyType>:$arguments);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $result)";
}

#endif
