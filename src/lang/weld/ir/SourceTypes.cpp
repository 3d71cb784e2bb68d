#include "lang/weld/ir/PrintSource.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <charconv>

using namespace mlir;
using namespace tessera::weld::ir;
namespace ir = tessera::weld::ir;
using llvm::formatv;

static StringRef sourceOperator(Combine combine) {
  switch (combine) {
  case Combine::Add:
    return "+";
  case Combine::Mul:
    return "*";
  case Combine::Min:
    return "min";
  case Combine::Max:
    return "max";
  }
  llvm_unreachable("no such operator");
}

static std::string sourceScalar(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 1)
      return "bool";
    return (integer.isUnsigned() ? "u" : "i") + std::to_string(integer.getWidth());
  }
  return type.isF32() ? "f32" : "f64";
}

std::string ir::sourceType(Type type) {
  auto each = [](Type part) { return sourceType(part); };
  return TypeSwitch<Type, std::string>(type)
      .Case([](VecType t) { return "vec[" + sourceType(t.getElement()) + "]"; })
      .Case([](SimdType t) { return "simd[" + sourceType(t.getElement()) + "]"; })
      .Case([](AppenderType t) { return "appender[" + sourceType(t.getElement()) + "]"; })
      .Case([](DictType t) {
        return formatv("dict[{0},{1}]", sourceType(t.getKey()), sourceType(t.getValue())).str();
      })
      .Case([](GroupBuilderType t) {
        return formatv("groupbuilder[{0},{1}]", sourceType(t.getKey()), sourceType(t.getValue()))
            .str();
      })
      .Case([](MergerType t) {
        return formatv("merger[{0},{1}]", sourceType(t.getValue()), sourceOperator(t.getCombine()))
            .str();
      })
      .Case([](VecMergerType t) {
        return formatv("vecmerger[{0},{1}]", sourceType(t.getElement()),
                       sourceOperator(t.getCombine()))
            .str();
      })
      .Case([](DictMergerType t) {
        return formatv("dictmerger[{0},{1},{2}]", sourceType(t.getKey()), sourceType(t.getValue()),
                       sourceOperator(t.getCombine()))
            .str();
      })
      .Case([&](StructType t) {
        return "{" + llvm::join(llvm::map_range(t.getFields(), each), ",") + "}";
      })
      .Default([](Type t) { return sourceScalar(t); });
}

static std::string inParentheses(std::string text) {
  return StringRef(text).starts_with("-") ? "(" + text + ")" : text;
}

/// The literal of an integer; unsigned ones have none.
static std::string sourceInteger(IntegerAttr attr) {
  auto type = cast<IntegerType>(attr.getType());
  const APInt &bits = attr.getValue();
  if (type.getWidth() == 1)
    return bits.isZero() ? "false" : "true";
  if (type.isUnsigned()) {
    auto wide = static_cast<int64_t>(bits.getZExtValue());
    return sourceType(type) + "(" + std::to_string(wide) + "L)";
  }
  static constexpr const char *suffixes[] = {"c", "si", "", "L"};
  return inParentheses(std::to_string(bits.getSExtValue()) +
                       suffixes[llvm::Log2_32(type.getWidth() / 8)]);
}

/// Floats have digits on both sides of the point; infinities and NaN are written as divisions.
static std::string sourceFloat(FloatAttr attr) {
  const APFloat &value = attr.getValue();
  std::string suffix = attr.getType().isF32() ? "f" : "";
  if (!value.isFinite()) {
    std::string above = value.isNaN() ? "0.0" : value.isNegative() ? "(-1.0" : "1.0";
    std::string end = value.isInfinity() && value.isNegative() ? suffix + ")" : suffix;
    return "(" + above + end + " / 0.0" + suffix + ")";
  }
  char digits[64]; // The fewest that give the same number.
  auto end = attr.getType().isF32()
                 ? std::to_chars(digits, std::end(digits), value.convertToFloat())
                 : std::to_chars(digits, std::end(digits), value.convertToDouble());
  std::string text(digits, end.ptr);
  if (size_t plus = text.find('+'); plus != std::string::npos)
    text.erase(plus, 1);
  if (text.find('.') == std::string::npos)
    text.insert(std::min(text.find('e'), text.size()), ".0");
  return inParentheses(text + suffix);
}

std::string ir::sourceConstant(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return sourceInteger(integer);
  return sourceFloat(cast<FloatAttr>(value));
}
