// The dialect of tinytc: checked programs, before work-items become lanes and groups become tasks.
#ifndef TESSERA_LANG_TINYTC_IR_TINYTC
#define TESSERA_LANG_TINYTC_IR_TINYTC

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tinytc_Dialect : Dialect {
  let name = "tinytc";
  let cppNamespace = "::tessera::tinytc::ir";
  let summary = "kernels that groups of work-items run on small tensors";
  let description = [{
    A kernel is one `func.func` without results. Scalars are builtin types: `i1` is bool, `i8` to
    `i64` and `index` are signless integers of two's complement, then `bf16 f16 f32 f64`, and
    `complex<f32>`, `complex<f64>`.

    Functions carry `tinytc.subgroup_size` (i64) and `tinytc.work_group_size` (two numbers of
    work-items), both always set; `tinytc.local_bytes` (i64) once `plan-local-memory` has run.
    Functions and arguments may carry `tinytc.attributes`, the dictionary that the program wrote:
    `alignment` and the like of arguments, and attributes without effect. Arguments carry `tessera.name`.

    Every operation is collective, SPMD or mixed; a trait says which, and its verifier looks for the
    `parallel` or `foreach` around it. Bodies of `for` and `if` have the kind of the region around them.

    Every location is the range of the source text that an operation comes from, inside a `NameLoc`
    with the names of its results ("a", or "a,b"), if the program gave any. The same holds for block
    arguments.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = "void registerTypes();";
}

class Tinytc_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tessera::tinytc::ir";
  let genSpecializedAttr = 0;
}
class Tinytc_EnumAttr<EnumInfo info, string name> : EnumAttr<Tinytc_Dialect, info, name> {
  let assemblyFormat = "$value";
}
/// An attribute that may be left out.
class Tinytc_OptionalEnumAttr<EnumInfo info, string name> : EnumAttr<Tinytc_Dialect, info, name> {
  let assemblyFormat = "`<` $value `>`";
}

def Tinytc_SpaceEnum : Tinytc_Enum<"AddressSpace", "the address space of memory", [
  I32EnumAttrCase<"Global", 0, "global">, I32EnumAttrCase<"Local", 1, "local">]>;

def Tinytc_UseEnum : Tinytc_Enum<"MatrixUse", "the role of a cooperative matrix in a product", [
  I32EnumAttrCase<"A", 0, "matrix_a">, I32EnumAttrCase<"B", 1, "matrix_b">,
  I32EnumAttrCase<"Acc", 2, "matrix_acc">]>;

// The order of these three is that of Operators.def.
def Tinytc_BinaryEnum : Tinytc_Enum<"Binary", "a function of two values", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">, I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Div", 3, "div">, I32EnumAttrCase<"Rem", 4, "rem">, I32EnumAttrCase<"Min", 5, "min">,
  I32EnumAttrCase<"Max", 6, "max">, I32EnumAttrCase<"Shl", 7, "shl">, I32EnumAttrCase<"Shr", 8, "shr">,
  I32EnumAttrCase<"And", 9, "and">, I32EnumAttrCase<"Or", 10, "or">, I32EnumAttrCase<"Xor", 11, "xor">]>;
def Tinytc_BinaryAttr : Tinytc_EnumAttr<Tinytc_BinaryEnum, "binary">;

def Tinytc_UnaryEnum : Tinytc_Enum<"Unary", "a function of one value", [
  I32EnumAttrCase<"Abs", 0, "abs">, I32EnumAttrCase<"Neg", 1, "neg">, I32EnumAttrCase<"Not", 2, "not">,
  I32EnumAttrCase<"Conj", 3, "conj">, I32EnumAttrCase<"Im", 4, "im">, I32EnumAttrCase<"Re", 5, "re">,
  I32EnumAttrCase<"Exp", 6, "exp">, I32EnumAttrCase<"NativeExp", 7, "native_exp">]>;
def Tinytc_UnaryAttr : Tinytc_EnumAttr<Tinytc_UnaryEnum, "unary">;

def Tinytc_CompareEnum : Tinytc_Enum<"Compare", "a comparison", [
  I32EnumAttrCase<"Equal", 0, "eq">, I32EnumAttrCase<"NotEqual", 1, "ne">, I32EnumAttrCase<"Greater", 2, "gt">,
  I32EnumAttrCase<"GreaterEqual", 3, "ge">, I32EnumAttrCase<"Less", 4, "lt">,
  I32EnumAttrCase<"LessEqual", 5, "le">]>;
def Tinytc_CompareAttr : Tinytc_EnumAttr<Tinytc_CompareEnum, "compare">;

def Tinytc_BuiltinEnum : Tinytc_Enum<"Builtin", "what a work-item knows about itself", [
  I32EnumAttrCase<"GroupId", 0, "group_id">, I32EnumAttrCase<"NumGroups", 1, "num_groups">,
  I32EnumAttrCase<"NumSubgroups", 2, "num_subgroups">, I32EnumAttrCase<"SubgroupSize", 3, "subgroup_size">,
  I32EnumAttrCase<"SubgroupId", 4, "subgroup_id">, I32EnumAttrCase<"SubgroupLocalId", 5, "subgroup_local_id">]>;
def Tinytc_BuiltinAttr : Tinytc_EnumAttr<Tinytc_BuiltinEnum, "builtin">;

def Tinytc_AxisEnum : Tinytc_Enum<"Axis", "an axis; linear: all of them", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">,
  I32EnumAttrCase<"Linear", 3, "linear">]>;
def Tinytc_AxisAttr : Tinytc_OptionalEnumAttr<Tinytc_AxisEnum, "axis">;

def Tinytc_CheckedEnum : Tinytc_Enum<"Checked", "which positions may be outside of the memory", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Rows", 1, "rows">,
  I32EnumAttrCase<"Columns", 2, "columns">, I32EnumAttrCase<"Both", 3, "both">]>;
def Tinytc_CheckedAttr : Tinytc_OptionalEnumAttr<Tinytc_CheckedEnum, "checked">;

def Tinytc_StoreEnum : Tinytc_Enum<"StoreFlag", "how memory is written", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Atomic", 1, "atomic">,
  I32EnumAttrCase<"AtomicAdd", 2, "atomic_add">]>;
def Tinytc_StoreAttr : Tinytc_OptionalEnumAttr<Tinytc_StoreEnum, "store_flag">;

def Tinytc_ReductionEnum : Tinytc_Enum<"Reduction", "how a subgroup combines values", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">]>;
def Tinytc_ReductionAttr : Tinytc_EnumAttr<Tinytc_ReductionEnum, "reduction">;

def Tinytc_FormEnum : Tinytc_Enum<"ReductionForm", "which values the result of a work-item combines", [
  I32EnumAttrCase<"ExclusiveScan", 0, "exclusive_scan">, I32EnumAttrCase<"InclusiveScan", 1, "inclusive_scan">,
  I32EnumAttrCase<"Reduce", 2, "reduce">]>;
def Tinytc_FormAttr : Tinytc_EnumAttr<Tinytc_FormEnum, "reduction_form">;

#endif
