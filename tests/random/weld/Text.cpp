/// Values as texts and as bytes.
#include "Value.h"
#include "llvm/ADT/StringExtras.h"
#include <bit>
#include <charconv>
#include <cmath>

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;
using llvm::StringRef;

namespace {

/// In Python's format: the fewest digits that can be read back, plain from 1e-4 up to 1e16.
std::string floatText(double value, Scalar type) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[64];
  constexpr auto format = std::chars_format::scientific;
  char *end = (type == Scalar::F32 ? std::to_chars(buffer, std::end(buffer), float(value), format)
                                   : std::to_chars(buffer, std::end(buffer), value, format))
                  .ptr;
  std::string text(buffer, end);
  if (value != 0 && (std::fabs(value) < 1e-4 || std::fabs(value) >= 1e16))
    return text;
  auto [mantissa, exponentText] = StringRef(text).split('e');
  bool isNegative = mantissa.consume_front("-");
  std::string digits = mantissa.take_front(1).str() + mantissa.drop_front().ltrim('.').str();
  int exponent = std::stoi(exponentText.str());
  digits.insert(0, exponent < 0 ? size_t(-exponent) : 0, '0');
  size_t point = exponent < 0 ? 1 : size_t(exponent) + 1;
  if (digits.size() < point + 1)
    digits.append(point + 1 - digits.size(), '0');
  return (isNegative ? "-" : "") + digits.substr(0, point) + "." + digits.substr(point);
}

std::string scalarText(Scalar type, const Value &value) {
  if (isFloat(type))
    return floatText(value.real, type);
  if (type == Scalar::Bool)
    return value.integer ? "true" : "false";
  return isSigned(type) ? std::to_string(value.integer) : std::to_string(uint64_t(value.integer));
}

class Reader {
public:
  explicit Reader(StringRef text) : rest(text.trim()) {}

  std::optional<Value> readAll(const Type &type) {
    int64_t count = 0;
    StringRef after = rest;
    bool isCycle = type.kind == Type::Vec && !after.consumeInteger(10, count) &&
                   after.ltrim().starts_with("of ");
    if (isCycle)
      rest = after.ltrim().drop_front(3);
    std::optional<Value> value = read(type);
    if (!value || !rest.trim().empty())
      return std::nullopt;
    return isCycle ? repeated(*value, size_t(count)) : value;
  }

private:
  static std::optional<Value> repeated(const Value &pattern, size_t count) {
    std::vector<Value> elements;
    if (pattern.elements().empty() && count)
      return std::nullopt;
    for (size_t i = 0; i < count; ++i)
      elements.push_back(pattern.field(i % pattern.elements().size()));
    return Value::of(std::move(elements));
  }

  bool accept(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }

  std::optional<Value> read(const Type &type) {
    switch (type.kind) {
    case Type::Scalar:
      return readScalar(type.scalar);
    case Type::Struct:
      return readFields(type.parts);
    case Type::Dict:
      return readDict(type);
    default:
      return rest.ltrim().starts_with("\"") ? readString() : readElements(type);
    }
  }

  std::optional<Value> readString() {
    accept('"');
    size_t end = rest.find('"');
    if (end == StringRef::npos)
      return std::nullopt;
    std::vector<Value> bytes;
    for (char c : rest.take_front(end))
      bytes.push_back(Value::ofInt(c));
    rest = rest.drop_front(end + 1);
    return Value::of(std::move(bytes));
  }

  std::optional<Value> readElements(const Type &type) {
    std::vector<Value> elements;
    if (!accept('['))
      return std::nullopt;
    if (accept(']'))
      return Value::of({});
    do {
      std::optional<Value> element = read(*type.parts[0]);
      if (!element)
        return std::nullopt;
      elements.push_back(*element);
    } while (accept(','));
    return accept(']') ? std::optional(Value::of(std::move(elements))) : std::nullopt;
  }

  std::optional<Value> readFields(llvm::ArrayRef<const Type *> types) {
    std::vector<Value> fields;
    for (const Type *type : types) {
      if (!accept(fields.empty() ? '[' : ','))
        return std::nullopt;
      std::optional<Value> field = read(*type);
      if (!field)
        return std::nullopt;
      fields.push_back(*field);
    }
    return accept(']') ? std::optional(Value::of(std::move(fields))) : std::nullopt;
  }

  std::optional<Value> readDict(const Type &type) {
    std::vector<Value> entries;
    if (!accept('['))
      return std::nullopt;
    if (accept(']'))
      return makeDict(type, {});
    do {
      std::optional<Value> entry = readFields(type.parts);
      if (!entry)
        return std::nullopt;
      entries.push_back(
          Value::of({canonicalKey(*type.parts[0], entry->field(0)), entry->field(1)}));
    } while (accept(','));
    return accept(']') ? std::optional(makeDict(type, std::move(entries))) : std::nullopt;
  }

  std::optional<Value> readScalar(Scalar type) {
    rest = rest.ltrim();
    StringRef token = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '-' || c == '+' || c == '.'; });
    rest = rest.drop_front(token.size());
    if (type == Scalar::Bool)
      return token == "true" || token == "false" ? std::optional(Value::ofInt(token == "true"))
                                                 : std::nullopt;
    if (isFloat(type))
      return readFloat(type, token);
    int64_t integer = 0;
    uint64_t natural = 0;
    if (isSigned(type) ? token.getAsInteger(10, integer) : token.getAsInteger(10, natural))
      return std::nullopt;
    int64_t bits = isSigned(type) ? integer : int64_t(natural);
    return wrapped(bits, type) == bits ? std::optional(Value::ofInt(bits)) : std::nullopt;
  }

  static std::optional<Value> readFloat(Scalar type, StringRef token) {
    float single = 0;
    double value = 0;
    bool isSingle = type == Scalar::F32;
    auto [end, error] = isSingle ? std::from_chars(token.begin(), token.end(), single)
                                 : std::from_chars(token.begin(), token.end(), value);
    if (end != token.end() || error != std::errc())
      return std::nullopt;
    return Value::ofFloat(isSingle ? double(single) : value);
  }

  StringRef rest;
};

void writeBytes(uint64_t bits, unsigned count, std::vector<Value> &bytes) {
  for (unsigned i = 0; i < count; ++i)
    bytes.push_back(Value::ofInt(int8_t(bits >> (8 * i))));
}

uint64_t takeBytes(unsigned count, llvm::ArrayRef<Value> &bytes) {
  if (bytes.size() < count)
    throw Failure{"DeserializationError"};
  uint64_t bits = 0;
  for (unsigned i = 0; i < count; ++i)
    bits |= uint64_t(uint8_t(bytes[i].integer)) << (8 * i);
  bytes = bytes.drop_front(count);
  return bits;
}

unsigned bytesOf(Scalar type) {
  return type == Scalar::Bool ? 1 : bitsOf(type) / 8;
}

uint64_t bitsOfFloat(Scalar type, const Value &value, bool isInput) {
  if (!isInput && (value.slack > 0 || std::isnan(value.real)))
    throw Unclear{"bytes hang on the last digits of a float"};
  return type == Scalar::F32 ? std::bit_cast<uint32_t>(float(value.real))
                             : std::bit_cast<uint64_t>(value.real);
}

Value scalarFrom(Scalar type, uint64_t bits) {
  if (type == Scalar::F32)
    return Value::ofFloat(std::bit_cast<float>(uint32_t(bits)));
  if (type == Scalar::F64)
    return Value::ofFloat(std::bit_cast<double>(bits));
  return Value::ofInt(type == Scalar::Bool ? bits != 0 : wrapped(int64_t(bits), type));
}

Value takeEntry(const Type &dict, llvm::ArrayRef<Value> &bytes) {
  Value key = deserialize(*dict.parts[0], bytes);
  Value value = deserialize(*dict.parts[1], bytes);
  return Value::of({canonicalKey(*dict.parts[0], key), value});
}

Value takeElements(const Type &type, llvm::ArrayRef<Value> &bytes) {
  auto count = int64_t(takeBytes(8, bytes));
  // Every element takes at least one byte.
  if (count < 0 || uint64_t(count) > bytes.size())
    throw Failure{"DeserializationError"};
  std::vector<Value> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(type.kind == Type::Dict ? takeEntry(type, bytes)
                                               : deserialize(*type.parts[0], bytes));
  if (type.kind != Type::Dict)
    return Value::of(std::move(elements));
  Value dict = makeDict(type, std::move(elements));
  if (dict.cell->index->size() != dict.elements().size())
    throw Unclear{"a key stands twice in a serialized dictionary"};
  return dict;
}

} // namespace

void random::serialize(const Type &type, const Value &value, std::vector<Value> &bytes,
                       bool isInput) {
  if (type.kind == Type::Scalar) {
    uint64_t bits =
        isFloat(type.scalar) ? bitsOfFloat(type.scalar, value, isInput) : uint64_t(value.integer);
    return writeBytes(bits, bytesOf(type.scalar), bytes);
  }
  if (type.kind != Type::Struct)
    writeBytes(value.elements().size(), 8, bytes);
  for (size_t i = 0; i < value.elements().size(); ++i)
    if (type.kind == Type::Dict) {
      serialize(*type.parts[0], value.field(i).field(0), bytes, isInput);
      serialize(*type.parts[1], value.field(i).field(1), bytes, isInput);
    } else {
      serialize(*type.parts[type.kind == Type::Struct ? i : 0], value.field(i), bytes, isInput);
    }
}

Value random::deserialize(const Type &type, llvm::ArrayRef<Value> &bytes) {
  if (type.kind == Type::Scalar)
    return scalarFrom(type.scalar, takeBytes(bytesOf(type.scalar), bytes));
  if (type.kind != Type::Struct)
    return takeElements(type, bytes);
  std::vector<Value> fields;
  for (const Type *field : type.parts)
    fields.push_back(deserialize(*field, bytes));
  return Value::of(std::move(fields));
}

std::string random::text(const Type &type, const Value &value) {
  if (type.kind == Type::Scalar)
    return scalarText(type.scalar, value);
  std::string result;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    const Value &element = value.field(i);
    result += i ? ", " : "";
    if (type.kind == Type::Dict)
      result += "[" + text(*type.parts[0], element.field(0)) + ", " +
                text(*type.parts[1], element.field(1)) + "]";
    else
      result += text(*type.parts[type.kind == Type::Struct ? i : 0], element);
  }
  return "[" + result + "]";
}

std::optional<Value> random::readValue(const Type &type, StringRef text) {
  return Reader(text).readAll(type);
}
