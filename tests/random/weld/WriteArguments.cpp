/// Literals, and arguments as JSON: typical, smallest and largest values.
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

namespace {

constexpr int64_t chunk = 16384; ///< Longer loops run in parallel.

bool isFloating(Scalar type) {
  return kindOf(type) == ScalarKind::Float;
}

int64_t smallest(Scalar type) {
  return kindOf(type) == ScalarKind::Unsigned ? 0 : -(int64_t(1) << (bitsOf(type) - 2)) * 2;
}

uint64_t largest(Scalar type) {
  return ~uint64_t(0) >> (64 - bitsOf(type) + (kindOf(type) == ScalarKind::Signed));
}

/// Their sums are exact, except for the last ones.
const char *const floats[] = {"0.0",  "1.0",  "-1.0",  "0.5",    "2.0",  "-0.25", "3.0",
                              "-2.5", "10.0", "100.5", "7.0",    "-3.5", "0.75",  "1.5",
                              "-0.0", "0.1",  "-0.3",  "3.1415", "1e-5", "1e10"};
constexpr size_t numExactFloats = 14;

} // namespace

std::string Writer::jsonNumber(Scalar type, bool isKey) {
  if (type == Scalar::Bool)
    return random.chance(50) ? "true" : "false";
  if (isFloating(type)) {
    if (!isKey && random.chance(3))
      return random.chance(40) ? "nan" : random.chance(50) ? "inf" : "-inf";
    return floats[random.below(random.chance(85) ? numExactFloats : std::size(floats))];
  }
  bool isUnsigned = kindOf(type) == ScalarKind::Unsigned;
  if (random.chance(80))
    return std::to_string(isUnsigned ? random.below(9) : random.between(-4, 8));
  return random.chance(50) ? std::to_string(largest(type)) : std::to_string(smallest(type));
}

std::string Writer::jsonElements(const Type *type, int64_t count) {
  std::vector<std::string> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(json(type, false));
  return "[" + llvm::join(elements, ", ") + "]";
}

/// With distinct keys.
std::string Writer::jsonEntries(const Type *type) {
  std::set<std::string> keys;
  std::vector<std::string> entries;
  for (int64_t i = random.below(6); i > 0; --i) {
    std::string key = json(type->parts[0], true);
    if (keys.insert(key).second && !llvm::StringRef(key).contains("-0.0"))
      entries.push_back("[" + key + ", " + json(type->parts[1], false) + "]");
  }
  return "[" + llvm::join(entries, ", ") + "]";
}

std::string Writer::json(const Type *type, bool isKey) {
  switch (type->kind) {
  case Type::Scalar:
    return jsonNumber(type->scalar, isKey);
  case Type::Dict:
    return jsonEntries(type);
  case Type::Struct: {
    std::vector<std::string> fields;
    for (const Type *field : type->parts)
      fields.push_back(json(field, isKey));
    return "[" + llvm::join(fields, ", ") + "]";
  }
  default:
    return jsonElements(type->parts[0], random.chance(20) ? 0
                                        : isKey           ? random.between(1, 2)
                                                          : random.between(1, 9));
  }
}

std::string Writer::argument(const Type *type) {
  if (type->kind == Type::Vec && random.chance(15))
    return std::to_string(random.between(10, 100)) + " of " +
           jsonElements(type->parts[0], random.between(1, 17));
  if (type->kind != Type::Vec || hasLarge || !random.chance(15))
    return json(type, false);
  hasLarge = true;
  int64_t count =
      random.chance(30) ? chunk + random.between(-1, 1) : random.between(chunk, 3 * chunk);
  return std::to_string(count) + " of " + jsonElements(type->parts[0], random.between(1, 40));
}

std::string Writer::intLiteral(Scalar type, int64_t value) {
  std::string text = std::to_string(value);
  switch (type) {
  case Scalar::I8:
    return text + "c";
  case Scalar::I16:
    return text + "si";
  case Scalar::I32:
    return text;
  case Scalar::I64:
    return text + "L";
  default:
    return (spelling(type) + "(" + text + "L)").str();
  }
}

std::string Writer::floatLiteral(Scalar type) {
  std::string suffix = type == Scalar::F32 ? "f" : "";
  if (random.chance(2)) {
    std::string numerator = random.chance(50) ? "0.0" : "1.0";
    return "(" + numerator + suffix + " / 0.0" + suffix + ")";
  }
  std::string text = floats[random.below(random.chance(85) ? numExactFloats : std::size(floats))];
  return text[0] == '-' ? "(" + text + suffix + ")" : text + suffix;
}

std::string Writer::numberLiteral(Scalar type) {
  if (isFloating(type))
    return floatLiteral(type);
  bool isSigned = kindOf(type) == ScalarKind::Signed;
  int64_t value = isSigned ? random.between(-3, 7) : random.below(8);
  if (random.chance(10))
    value = random.chance(50) ? int64_t(largest(type)) : smallest(type);
  std::string text = intLiteral(type, value);
  return text[0] == '-' ? "(" + text + ")" : text;
}

std::string Writer::literal(const Type *type) {
  if (type->scalar == Scalar::Bool)
    return random.chance(50) ? "true" : "false";
  return numberLiteral(type->scalar);
}
