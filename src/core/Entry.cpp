#include "core/Entry.h"
#include "core/Attributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;
using core::ElementType;

namespace {

struct KindName {
  ElementType::Kind kind;
  llvm::StringLiteral name; ///< Followed by the number of bits.
};
constexpr KindName elementKindNames[] = {{ElementType::Int, "int"},
                                         {ElementType::Uint, "uint"},
                                         {ElementType::Float, "float"},
                                         {ElementType::Bfloat, "bfloat"}};

bool isFloat(ElementType::Kind kind) {
  return kind == ElementType::Float || kind == ElementType::Bfloat;
}

core::EntryValue valueOf(Type type, DictionaryAttr attributes) {
  core::EntryValue value{type, "", core::elementOf(type)};
  if (!attributes)
    return value;
  if (auto name = attributes.getAs<StringAttr>(core::nameAttr))
    value.name = name;
  if (auto said = attributes.getAs<StringAttr>(core::typeAttr))
    value.element = core::elementNamed(said);
  if (auto sizes = attributes.getAs<ArrayAttr>(core::sizesAttr))
    for (Attribute size : sizes)
      value.sizes.push_back(isa<StringAttr>(size) ? cast<StringAttr>(size).getValue() : "");
  value.isInitial = attributes.contains(core::initialAttr);
  return value;
}

} // namespace

std::string core::name(ElementType element) {
  for (const KindName &row : elementKindNames)
    if (row.kind == element.kind)
      return row.name.str() + std::to_string(element.bits);
  return "bool";
}

std::optional<ElementType> core::elementNamed(StringRef text) {
  if (text == "bool")
    return ElementType{ElementType::Bool, 8};
  StringRef digits = text.drop_while([](char c) { return !llvm::isDigit(c); });
  unsigned bits;
  if (digits.getAsInteger(10, bits))
    return std::nullopt;
  for (const KindName &row : elementKindNames)
    for (unsigned known : {8, 16, 32, 64})
      if (bits == known && name({row.kind, bits}) == text)
        return ElementType{row.kind, bits};
  return std::nullopt;
}

std::optional<ElementType> core::elementOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isSignlessInteger(1))
    return ElementType{ElementType::Bool, 8};
  if (element.isBF16())
    return ElementType{ElementType::Bfloat, 16};
  if (element.isF16() || element.isF32() || element.isF64())
    return ElementType{ElementType::Float, element.getIntOrFloatBitWidth()};
  for (unsigned bits : {8, 16, 32, 64})
    if (element.isSignlessInteger(bits))
      return ElementType{ElementType::Int, bits};
  return std::nullopt;
}

bool core::fits(Type type, ElementType element) {
  std::optional<ElementType> own = elementOf(type);
  if (!own || own->bits != element.bits)
    return false;
  bool isByte = getElementTypeOrSelf(type).isSignlessInteger(8);
  if (own->kind == ElementType::Bool || element.kind == ElementType::Bool || isFloat(own->kind))
    return own->kind == element.kind || (element.kind == ElementType::Bool && isByte);
  return !isFloat(element.kind);
}

core::EntryValue core::entryParameter(func::FuncOp entry, unsigned index) {
  return valueOf(entry.getArgumentTypes()[index], entry.getArgAttrDict(index));
}

core::EntryValue core::entryResult(func::FuncOp entry, unsigned index) {
  return valueOf(entry.getResultTypes()[index], entry.getResultAttrDict(index));
}
