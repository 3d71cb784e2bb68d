// The dialect of Weld: programs with inferred types, before builders become memory and loops.
#ifndef TESSERA_LANG_WELD_IR_WELD
#define TESSERA_LANG_WELD_IR_WELD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Weld_Dialect : Dialect {
  let name = "weld";
  let cppNamespace = "::tessera::weld::ir";
  let summary = "loops that merge values into builders";
  let description = [{
    A program is one `func.func @main`. Scalars are builtin types with their signedness: `i1` is
    bool, then `si8` to `si64`, `ui8` to `ui64`, `f32` and `f64`. Every value is immutable; builders
    are linear: on each path a builder is used at most once.

    Every location is the range of the source text that an operation comes from: run-time errors
    report it. The locations of a loop's block arguments are those of its iterators. An operation may
    carry `weld.annotations`, a dictionary of strings, which the program wrote as `@(name: value)`.

    Operations that may fail have an effect on the resource `Failure`, so that they are neither dropped nor
    moved across branches or each other: the first failure in program order is reported.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = "void registerTypes();";
}


class Weld_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tessera::weld::ir";
  let genSpecializedAttr = 0;
}

def Weld_CombineEnum : Weld_Enum<"Combine", "how builders combine values", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Mul", 1, "mul">, I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"Max", 3, "max">]>;

// In the order of the tree's operators. `or`, `xor` and `and` compute both sides; the tree's `||` and
// `&&` are `weld.if`.
def Weld_BinaryEnum : Weld_Enum<"Binary", "a function of two values", [
  I32EnumAttrCase<"BitOr", 0, "or">, I32EnumAttrCase<"BitXor", 1, "xor">, I32EnumAttrCase<"BitAnd", 2, "and">,
  I32EnumAttrCase<"Equal", 3, "eq">, I32EnumAttrCase<"NotEqual", 4, "ne">, I32EnumAttrCase<"Less", 5, "lt">,
  I32EnumAttrCase<"LessEqual", 6, "le">, I32EnumAttrCase<"Greater", 7, "gt">,
  I32EnumAttrCase<"GreaterEqual", 8, "ge">, I32EnumAttrCase<"Add", 9, "add">, I32EnumAttrCase<"Sub", 10, "sub">,
  I32EnumAttrCase<"Mul", 11, "mul">, I32EnumAttrCase<"Div", 12, "div">, I32EnumAttrCase<"Rem", 13, "rem">,
  I32EnumAttrCase<"Min", 14, "min">, I32EnumAttrCase<"Max", 15, "max">, I32EnumAttrCase<"Pow", 16, "pow">]>;
def Weld_BinaryAttr : EnumAttr<Weld_Dialect, Weld_BinaryEnum, "binary"> {
  let assemblyFormat = "$value";
}

def Weld_UnaryEnum : Weld_Enum<"Unary", "a function of one value", [
  I32EnumAttrCase<"Neg", 0, "neg">, I32EnumAttrCase<"Not", 1, "not">, I32EnumAttrCase<"Exp", 2, "exp">,
  I32EnumAttrCase<"Log", 3, "log">, I32EnumAttrCase<"Sqrt", 4, "sqrt">, I32EnumAttrCase<"Sin", 5, "sin">,
  I32EnumAttrCase<"Cos", 6, "cos">, I32EnumAttrCase<"Tan", 7, "tan">, I32EnumAttrCase<"Asin", 8, "asin">,
  I32EnumAttrCase<"Acos", 9, "acos">, I32EnumAttrCase<"Atan", 10, "atan">, I32EnumAttrCase<"Sinh", 11, "sinh">,
  I32EnumAttrCase<"Cosh", 12, "cosh">, I32EnumAttrCase<"Tanh", 13, "tanh">, I32EnumAttrCase<"Erf", 14, "erf">]>;
def Weld_UnaryAttr : EnumAttr<Weld_Dialect, Weld_UnaryEnum, "unary"> {
  let assemblyFormat = "$value";
}

// Operands: plain, simd, fringe: data. strided: data, start, end, stride. range: start, end, stride.
// nd: data, start, end, stride, shape, strides.
def Weld_IteratorEnum : Weld_Enum<"IteratorKind", "what a loop iterates over", [
  I32EnumAttrCase<"Plain", 0, "plain">, I32EnumAttrCase<"Strided", 1, "strided">,
  I32EnumAttrCase<"Simd", 2, "simd">, I32EnumAttrCase<"Fringe", 3, "fringe">,
  I32EnumAttrCase<"Range", 4, "range">, I32EnumAttrCase<"Nd", 5, "nd">]>;
def Weld_IteratorAttr : EnumAttr<Weld_Dialect, Weld_IteratorEnum, "iterator"> {
  let assemblyFormat = "`<` $value `>`";
}
def Weld_IteratorArrayAttr : TypedArrayAttrBase<Weld_IteratorAttr, "the kinds of iterators">;

def Weld_MergeCountEnum : Weld_Enum<"MergeCount", "how often an iteration merges into a builder", [
  I32EnumAttrCase<"Once", 0, "once">, I32EnumAttrCase<"AtMostOnce", 1, "at_most_once">,
  I32EnumAttrCase<"Many", 2, "many">]>;
def Weld_MergeCountAttr : EnumAttr<Weld_Dialect, Weld_MergeCountEnum, "merge_count"> {
  let assemblyFormat = "`<` $value `>`";
}
def Weld_MergeCountArrayAttr : TypedArrayAttrBase<Weld_MergeCountAttr, "the merge counts of builders">;

def Weld_StrategyEnum : Weld_Enum<"Strategy", "how a loop fills a builder", [
  I32EnumAttrCase<"General", 0, "general">, I32EnumAttrCase<"Indexed", 1, "indexed">,
  I32EnumAttrCase<"Compress", 2, "compress">, I32EnumAttrCase<"Accumulate", 3, "accumulate">,
  I32EnumAttrCase<"Map", 4, "map">, I32EnumAttrCase<"Scatter", 5, "scatter">,
  I32EnumAttrCase<"Adaptive", 6, "adaptive">, I32EnumAttrCase<"Local", 7, "local">,
  I32EnumAttrCase<"Partitioned", 8, "partitioned">, I32EnumAttrCase<"Dense", 9, "dense">,
  I32EnumAttrCase<"Count", 10, "count">]>;
def Weld_StrategyAttr : EnumAttr<Weld_Dialect, Weld_StrategyEnum, "strategy"> {
  let assemblyFormat = "`<` $value `>`";
}
def Weld_StrategyArrayAttr : TypedArrayAttrBase<Weld_StrategyAttr, "the strategies of builders">;

#endif
