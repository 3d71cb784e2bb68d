#include "core/Kernel.h"
#include "core/Attributes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tessera;
using core::KernelParameter;
using Kind = core::KernelParameter::Kind;

namespace {

constexpr llvm::StringLiteral parameterKindNames[] = {"scalar", "memref", "group"};

std::optional<Kind> kindNamed(StringRef text) {
  auto *found = llvm::find(parameterKindNames, text);
  return found == std::end(parameterKindNames)
             ? std::nullopt
             : std::optional(Kind(found - std::begin(parameterKindNames)));
}

/// Reads a dictionary: missing keys keep their defaults, values of another type are errors.
class Reader {
public:
  explicit Reader(DictionaryAttr row) : row(row) {}

  StringRef text(StringRef key) {
    auto value = row.getAs<StringAttr>(key);
    isGood &= bool(value);
    return value ? value.getValue() : "";
  }
  void number(StringRef key, int64_t &to) {
    if (auto value = get<IntegerAttr>(key))
      to = value.getInt();
  }
  void numbers(StringRef key, SmallVector<int64_t, 4> &to) {
    if (auto value = get<DenseI64ArrayAttr>(key))
      to.assign(value.asArrayRef().begin(), value.asArrayRef().end());
  }

  bool isGood = true;

private:
  template <typename T> T get(StringRef key) {
    auto value = row.getAs<T>(key);
    isGood &= value || !row.contains(key);
    return value;
  }

  DictionaryAttr row;
};

/// Checks that the fields of a parameter are consistent.
bool isSound(const KernelParameter &parameter) {
  size_t order = parameter.shape.size();
  return parameter.strides.size() == order && parameter.shapeDivisors.size() <= order &&
         parameter.strideDivisors.size() <= order && parameter.alignment >= 1 &&
         (parameter.kind != Kind::Scalar || order == 0) &&
         (!parameter.isComplex || parameter.element.kind == core::ElementType::Float);
}

/// The type of one element in memory.
Type elementType(Builder &b, const KernelParameter &parameter) {
  unsigned bits = parameter.element.bits;
  if (parameter.element.kind == core::ElementType::Bfloat)
    return b.getBF16Type();
  if (parameter.element.kind != core::ElementType::Float)
    return b.getIntegerType(bits);
  Type part = bits == 16 ? Type(b.getF16Type()) : bits == 32 ? b.getF32Type() : b.getF64Type();
  return parameter.isComplex ? LLVM::LLVMStructType::getLiteral(b.getContext(), {part, part})
                             : part;
}

} // namespace

DictionaryAttr KernelParameter::attribute(MLIRContext *context) const {
  Builder b(context);
  NamedAttrList row;
  row.set("name", b.getStringAttr(name));
  row.set("kind", b.getStringAttr(parameterKindNames[unsigned(kind)]));
  row.set("element", b.getStringAttr(core::name(element)));
  if (isComplex)
    row.set("complex", b.getUnitAttr());
  if (kind == Kind::Scalar)
    return row.getDictionary(context);
  row.set("shape", b.getDenseI64ArrayAttr(shape));
  row.set("strides", b.getDenseI64ArrayAttr(strides));
  if (kind == Kind::Group) {
    row.set("count", b.getI64IntegerAttr(count));
    row.set("offset", b.getI64IntegerAttr(offset));
  }
  if (alignment > 1)
    row.set("alignment", b.getI64IntegerAttr(alignment));
  if (!shapeDivisors.empty())
    row.set("shape_gcd", b.getDenseI64ArrayAttr(shapeDivisors));
  if (!strideDivisors.empty())
    row.set("stride_gcd", b.getDenseI64ArrayAttr(strideDivisors));
  return row.getDictionary(context);
}

std::optional<KernelParameter> KernelParameter::read(Attribute attribute) {
  auto row = dyn_cast<DictionaryAttr>(attribute);
  if (!row)
    return std::nullopt;
  Reader reader(row);
  KernelParameter parameter;
  parameter.name = reader.text("name").str();
  std::optional<Kind> kind = kindNamed(reader.text("kind"));
  std::optional<ElementType> element = core::elementNamed(reader.text("element"));
  parameter.isComplex = row.contains("complex");
  reader.numbers("shape", parameter.shape);
  reader.numbers("strides", parameter.strides);
  reader.number("count", parameter.count);
  reader.number("offset", parameter.offset);
  reader.number("alignment", parameter.alignment);
  reader.numbers("shape_gcd", parameter.shapeDivisors);
  reader.numbers("stride_gcd", parameter.strideDivisors);
  if (!reader.isGood || !kind || !element)
    return std::nullopt;
  parameter.kind = *kind;
  parameter.element = *element;
  return isSound(parameter) ? std::optional(parameter) : std::nullopt;
}

SmallVector<Type> KernelParameter::fields(MLIRContext *context) const {
  Builder b(context);
  if (kind == Kind::Scalar)
    return {elementType(b, *this)};
  Type pointer = LLVM::LLVMPointerType::get(context);
  size_t numDynamic = llvm::count(shape, dynamic) + llvm::count(strides, dynamic);
  SmallVector<Type> fields{pointer};
  fields.append(numDynamic, kind == Kind::Group ? pointer : Type(b.getI64Type()));
  if (kind == Kind::Group)
    fields.append((count == dynamic) + (offset == dynamic), b.getI64Type());
  return fields;
}

std::optional<std::vector<KernelParameter>> core::kernelParameters(func::FuncOp entry) {
  auto rows = entry->getAttrOfType<ArrayAttr>(kernelAttr);
  if (!rows)
    return std::nullopt;
  std::vector<KernelParameter> parameters;
  for (Attribute row : rows)
    if (std::optional<KernelParameter> parameter = KernelParameter::read(row))
      parameters.push_back(std::move(*parameter));
    else
      return std::nullopt;
  return parameters;
}

LLVM::LLVMStructType core::argumentsType(MLIRContext *context,
                                         ArrayRef<KernelParameter> parameters) {
  SmallVector<Type> fields;
  for (const KernelParameter &parameter : parameters)
    llvm::append_range(fields, parameter.fields(context));
  return LLVM::LLVMStructType::getLiteral(context, fields);
}

LLVM::LLVMStructType core::launchType(MLIRContext *context) {
  Type i64 = IntegerType::get(context, 64), i32 = IntegerType::get(context, 32);
  return LLVM::LLVMStructType::getLiteral(context, {i64, i32, i32});
}
