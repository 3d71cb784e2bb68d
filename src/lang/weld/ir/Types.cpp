#include "lang/weld/ir/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera::weld::ir;
namespace ir = tessera::weld::ir;

#include "lang/weld/ir/Enums.cpp.inc"
#include "lang/weld/ir/TypeInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lang/weld/ir/Attrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "lang/weld/ir/Types.cpp.inc"

void WeldDialect::registerTypes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lang/weld/ir/Attrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "lang/weld/ir/Types.cpp.inc"
      >();
}

bool ir::isScalar(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    return integer.isSignless() ? width == 1 : llvm::is_contained({8u, 16u, 32u, 64u}, width);
  }
  return type.isF32() || type.isF64();
}

bool ir::isCombinable(Type type) {
  auto fields = dyn_cast<StructType>(type);
  return fields ? llvm::all_of(fields.getFields(), isScalar) : isScalar(type);
}

bool ir::isStorable(Type type) {
  if (auto fields = dyn_cast<StructType>(type))
    return llvm::all_of(fields.getFields(), isStorable);
  return isScalar(type) || isa<VecType, DictType>(type);
}

bool ir::isKey(Type type) {
  if (auto fields = dyn_cast<StructType>(type))
    return llvm::all_of(fields.getFields(), isKey);
  if (auto vec = dyn_cast<VecType>(type))
    return isKey(vec.getElement());
  return isScalar(type);
}

bool ir::isBuilderLike(Type type) {
  if (auto fields = dyn_cast<StructType>(type))
    return !fields.getFields().empty() && llvm::all_of(fields.getFields(), isBuilderLike);
  return isa<BuilderType>(type);
}

Type ir::laneType(Type type) {
  if (auto simd = dyn_cast<SimdType>(type))
    return simd.getElement();
  return isScalar(type) ? type : Type();
}

Type ir::withLanes(Type like, Type scalar) {
  return isa<SimdType>(like) ? SimdType::get(scalar) : scalar;
}

bool ir::acceptsMerge(BuilderType builder, Type value) {
  if (value == builder.getMergeType())
    return true;
  auto simd = dyn_cast<SimdType>(value);
  return simd && isa<AppenderType, MergerType>(builder) &&
         simd.getElement() == builder.getMergeType();
}

static Type i64(Type like) {
  return IntegerType::get(like.getContext(), 64, IntegerType::Signed);
}

Type ir::keyType(Type collection) {
  if (auto dict = dyn_cast<DictType>(collection))
    return dict.getKey();
  return isa<VecType>(collection) ? i64(collection) : Type();
}

Type ir::valueType(Type collection) {
  if (auto dict = dyn_cast<DictType>(collection))
    return dict.getValue();
  auto vec = dyn_cast<VecType>(collection);
  return vec ? vec.getElement() : Type();
}

static StructType pairOf(Type first, Type second) {
  return StructType::get(first.getContext(), {first, second});
}

Type ir::optionType(Type dict) {
  Type value = valueType(dict);
  return value ? pairOf(IntegerType::get(dict.getContext(), 1), value) : Type();
}

Type ir::entriesType(Type dict) {
  auto type = dyn_cast<DictType>(dict);
  return type ? VecType::get(pairOf(type.getKey(), type.getValue())) : Type();
}

//===-- What builders accept and return -----------------------------------===//

Type AppenderType::getMergeType() const {
  return getElement();
}
Type AppenderType::getResultType() const {
  return VecType::get(getElement());
}
Type MergerType::getMergeType() const {
  return getValue();
}
Type MergerType::getResultType() const {
  return getValue();
}
Type DictMergerType::getMergeType() const {
  return pairOf(getKey(), getValue());
}
Type DictMergerType::getResultType() const {
  return DictType::get(getKey(), getValue());
}
Type GroupBuilderType::getMergeType() const {
  return pairOf(getKey(), getValue());
}
Type GroupBuilderType::getResultType() const {
  return DictType::get(getKey(), VecType::get(getValue()));
}
Type VecMergerType::getMergeType() const {
  return pairOf(i64(getElement()), getElement());
}
Type VecMergerType::getResultType() const {
  return VecType::get(getElement());
}

//===-- Which types there are ---------------------------------------------===//

using Emit = function_ref<InFlightDiagnostic()>;

static LogicalResult wants(bool holds, Emit emit, Type type, StringRef what) {
  return holds ? success() : emit() << type << " is not " << what;
}
static LogicalResult wantsStorable(Emit emit, Type type) {
  return wants(isStorable(type), emit, type, "a type that vectors and dictionaries hold");
}
static LogicalResult wantsKey(Emit emit, Type type) {
  return wants(isKey(type), emit, type, "a type of keys");
}
static LogicalResult wantsCombinable(Emit emit, Type type) {
  return wants(isCombinable(type), emit, type, "a scalar or a struct of scalars");
}

LogicalResult VecType::verify(Emit emit, Type element) {
  return wantsStorable(emit, element);
}
LogicalResult DictType::verify(Emit emit, Type key, Type value) {
  return success(succeeded(wantsKey(emit, key)) && succeeded(wantsStorable(emit, value)));
}
LogicalResult StructType::verify(Emit emit, ArrayRef<Type> fields) {
  for (Type field : fields)
    if (!isScalar(field) && !isa<WeldDialect>(field.getDialect()))
      return emit() << field << " is not a type of Weld";
  return success();
}
LogicalResult SimdType::verify(Emit emit, Type element) {
  return wants(isScalar(element), emit, element, "a scalar");
}
LogicalResult AppenderType::verify(Emit emit, Type element) {
  return wantsStorable(emit, element);
}
LogicalResult MergerType::verify(Emit emit, Type value, Combine) {
  return wantsCombinable(emit, value);
}
LogicalResult DictMergerType::verify(Emit emit, Type key, Type value, Combine) {
  return success(succeeded(wantsKey(emit, key)) && succeeded(wantsCombinable(emit, value)));
}
LogicalResult GroupBuilderType::verify(Emit emit, Type key, Type value) {
  return success(succeeded(wantsKey(emit, key)) && succeeded(wantsStorable(emit, value)));
}
LogicalResult VecMergerType::verify(Emit emit, Type element, Combine) {
  return wantsCombinable(emit, element);
}

//===-- Identities of operators -------------------------------------------===//

static TypedAttr identityOfFloat(FloatType type, Combine combine) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  switch (combine) {
  case Combine::Add: // x + -0.0 is x for every x, even for zeros.
    return FloatAttr::get(type, APFloat::getZero(semantics, /*Negative=*/true));
  case Combine::Mul:
    return FloatAttr::get(type, APFloat(semantics, 1));
  case Combine::Min:
    return FloatAttr::get(type, APFloat::getInf(semantics));
  case Combine::Max:
    return FloatAttr::get(type, APFloat::getInf(semantics, /*Negative=*/true));
  }
  llvm_unreachable("no such operator");
}

static APInt identityOfInteger(IntegerType type, Combine combine) {
  unsigned width = type.getWidth();
  bool isUnsigned = type.isUnsigned() || width == 1;
  switch (combine) {
  case Combine::Add:
    return APInt::getZero(width);
  case Combine::Mul:
    return APInt(width, 1);
  case Combine::Min:
    return isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  case Combine::Max:
    return isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  }
  llvm_unreachable("no such operator");
}

TypedAttr ir::identityOf(Type scalar, Combine combine) {
  if (auto real = dyn_cast<FloatType>(scalar))
    return identityOfFloat(real, combine);
  auto integer = cast<IntegerType>(scalar);
  return IntegerAttr::get(integer, identityOfInteger(integer, combine));
}

//===-- Structs as text ---------------------------------------------------===//

Type StructType::parse(AsmParser &parser) {
  SmallVector<Type> fields;
  auto parseField = [&] { return parser.parseType(fields.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseField))
    return Type();
  return parser.getChecked<StructType>(parser.getContext(), fields);
}

void StructType::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getFields(), printer);
  printer << '>';
}
