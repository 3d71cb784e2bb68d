#ifndef TESSERA_LANG_WELD_IR_WELD_TYPES
#define TESSERA_LANG_WELD_IR_WELD_TYPES

include "Weld.td"
include "mlir/IR/AttrTypeBase.td"

def Weld_BuilderInterface : TypeInterface<"BuilderType"> {
  let cppNamespace = "::tessera::weld::ir";
  let description = [{One of the five builders, but not a struct of builders.}];
  let methods = [
    InterfaceMethod<"The type that `weld.merge` accepts; appenders and mergers of scalars also accept a simd of it.",
                    "::mlir::Type", "getMergeType">,
    InterfaceMethod<"The type that `weld.result` returns.", "::mlir::Type", "getResultType">,
  ];
}

class Weld_Type<string name, string keyword, string about, list<Trait> traits = []>
    : TypeDef<Weld_Dialect, name, traits> {
  let mnemonic = keyword;
  let summary = about;
  let genVerifyDecl = 1;
}

def Weld_VecType : Weld_Type<"Vec", "vec", "elements in order; any number of them"> {
  let parameters = (ins "::mlir::Type":$element);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$element), [{
    return $_get(element.getContext(), element);
  }]>];
  let assemblyFormat = "`<` $element `>`";
}

def Weld_DictType : Weld_Type<"Dict", "dict", "values by key, in the order of their insertion"> {
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$key, "::mlir::Type":$value), [{
    return $_get(key.getContext(), key, value);
  }]>];
  let assemblyFormat = "`<` $key `,` $value `>`";
}

def Weld_StructType : Weld_Type<"Struct", "struct", "several values, or builders, as one"> {
  let parameters = (ins OptionalArrayRefParameter<"::mlir::Type">:$fields);
  let hasCustomAssemblyFormat = 1; // The declarative one does not read the empty list.
}

def Weld_SimdType : Weld_Type<"Simd", "simd", "as many scalars as a register of the target holds"> {
  let parameters = (ins "::mlir::Type":$element);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$element), [{
    return $_get(element.getContext(), element);
  }]>];
  let assemblyFormat = "`<` $element `>`";
}

class Weld_Builder<string name, string keyword, string about>
    : Weld_Type<name, keyword, about, [DeclareTypeInterfaceMethods<Weld_BuilderInterface>]>;

def Weld_AppenderType : Weld_Builder<"Appender", "appender", "builds a vector in the order of merges"> {
  let parameters = (ins "::mlir::Type":$element);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$element), [{
    return $_get(element.getContext(), element);
  }]>];
  let assemblyFormat = "`<` $element `>`";
}

def Weld_MergerType : Weld_Builder<"Merger", "merger", "combines scalars, or structs of them field by field"> {
  let parameters = (ins "::mlir::Type":$value, EnumParameter<Weld_CombineEnum>:$combine);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$value, "Combine":$combine), [{
    return $_get(value.getContext(), value, combine);
  }]>];
  let assemblyFormat = "`<` $value `,` $combine `>`";
}

def Weld_DictMergerType : Weld_Builder<"DictMerger", "dictmerger", "combines values of equal keys"> {
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value, EnumParameter<Weld_CombineEnum>:$combine);
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$key, "::mlir::Type":$value, "Combine":$combine), [{
    return $_get(key.getContext(), key, value, combine);
  }]>];
  let assemblyFormat = "`<` $key `,` $value `,` $combine `>`";
}

def Weld_GroupBuilderType : Weld_Builder<"GroupBuilder", "groupbuilder", "gathers the values of equal keys"> {
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$key, "::mlir::Type":$value), [{
    return $_get(key.getContext(), key, value);
  }]>];
  let assemblyFormat = "`<` $key `,` $value `>`";
}

def Weld_VecMergerType : Weld_Builder<"VecMerger", "vecmerger", "combines values with the elements of a vector"> {
  let parameters = (ins "::mlir::Type":$element, EnumParameter<Weld_CombineEnum>:$combine);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$element, "Combine":$combine), [{
    return $_get(element.getContext(), element, combine);
  }]>];
  let assemblyFormat = "`<` $element `,` $combine `>`";
}

def Weld_Scalar : Type<CPred<"::tessera::weld::ir::isScalar($_self)">, "a scalar of Weld">;
def Weld_AnyBuilder : Type<CPred<"::llvm::isa<::tessera::weld::ir::BuilderType>($_self)">, "a builder">;

#endif
