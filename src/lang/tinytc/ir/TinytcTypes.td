#ifndef TESSERA_LANG_TINYTC_IR_TINYTC_TYPES
#define TESSERA_LANG_TINYTC_IR_TINYTC_TYPES

include "Tinytc.td"
include "mlir/IR/AttrTypeBase.td"

class Tinytc_Type<string name, string keyword, string about> : TypeDef<Tinytc_Dialect, name> {
  let mnemonic = keyword;
  let summary = about;
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

def Tinytc_MemrefType : Tinytc_Type<"Memref", "memref", "a tensor in memory; the first mode is the fastest"> {
  let description = [{
    Element (i1, ..., in) is i1*S1 + ... + in*Sn elements after the first one. There is one
    stride for each mode, even if the text omits them because they are packed. Unknown sizes and strides
    are `ShapedType::kDynamic`.

    ```mlir
    !tinytc.memref<4x?xf32>                           // strides 1, 4
    !tinytc.memref<4x8xf32, strided<1, ?>, local>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$element,
                        ArrayRefParameter<"int64_t">:$strides, "AddressSpace":$space);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$element,
        "::llvm::ArrayRef<int64_t>":$strides, CArg<"AddressSpace", "AddressSpace::Global">:$space), [{
      return $_get(element.getContext(), shape, element, strides, space);
    }]>];
  let extraClassDeclaration = [{
    int64_t order() const { return getShape().size(); }
    int64_t size(int64_t mode) const { return getShape()[mode]; }
    int64_t stride(int64_t mode) const { return getStrides()[mode]; }
    int64_t rows() const { return size(0); }
    int64_t columns() const { return size(1); }
    /// Whether neighbours along the first mode are neighbours in memory.
    bool isDense() const { return stride(0) == 1; }
    bool isLocal() const { return getSpace() == AddressSpace::Local; }
    bool hasStaticShape() const { return !::mlir::ShapedType::isDynamicShape(getShape()); }
    /// The number of elements from the first to the last one; nullopt if it is unknown.
    std::optional<int64_t> extent() const;
  }];
}

def Tinytc_GroupType : Tinytc_Type<"Group", "group", "pointers to tensors of one type"> {
  let description = [{
    Member i begins `offset` elements after the i-th pointer.

    ```mlir
    !tinytc.group<!tinytc.memref<4x?xf32>, ?>
    !tinytc.group<!tinytc.memref<4x?xf32>, 42, offset 5>
    ```
  }];
  let parameters = (ins "MemrefType":$member, "int64_t":$size, "int64_t":$offset);
  let builders = [
    TypeBuilderWithInferredContext<(ins "MemrefType":$member, "int64_t":$size, "int64_t":$offset), [{
      return $_get(member.getContext(), member, size, offset);
    }]>];
}

def Tinytc_CoopMatrixType
    : Tinytc_Type<"CoopMatrix", "coopmatrix", "a matrix that the work-items of a subgroup hold together"> {
  let description = "`!tinytc.coopmatrix<8x16xf32, matrix_acc>`";
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "::mlir::Type":$component, "MatrixUse":$use);
  let builders = [
    TypeBuilderWithInferredContext<(ins "int64_t":$rows, "int64_t":$columns, "::mlir::Type":$component,
                                        "MatrixUse":$use), [{
      return $_get(component.getContext(), rows, columns, component, use);
    }]>];
}

def Tinytc_Scalar : Type<CPred<"::tessera::tinytc::ir::isScalar($_self)">, "a scalar of tinytc">;
def Tinytc_Integer : Type<CPred<"::tessera::tinytc::ir::isInteger($_self)">, "an integer of tinytc">;
/// Types that loops and branches may carry.
def Tinytc_Carried : Type<CPred<"::tessera::tinytc::ir::isCarried($_self)">, "a bool, a scalar or a coopmatrix">;
/// Types of operands of arithmetic.
def Tinytc_Number : Type<CPred<"::tessera::tinytc::ir::componentType($_self)">, "a scalar or a coopmatrix">;

#endif
