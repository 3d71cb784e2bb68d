#include "Case.h"
#include "../Random.h"
#include "lang/tinytc/Check.h"
#include "lang/tinytc/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;
using llvm::StringRef;

Parsed::Parsed(const std::string &text)
    : file("program.tinytc", text), program(parse(file, {}, diagnostics)),
      isCorrect(check(*program, {}, diagnostics)) {}

std::string Parsed::errors() {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == Severity::Error)
      print(out, diagnostic, {});
  return text;
}

//===-- Comments ----------------------------------------------------------===//

static bool readNumbers(StringRef text, llvm::SmallVectorImpl<int64_t> &numbers) {
  if (text == "-")
    return true;
  for (StringRef part : llvm::split(text, 'x'))
    if (part.getAsInteger(10, numbers.emplace_back()))
      return false;
  return true;
}

static std::optional<Fill> fillNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<Fill>>(name)
      .Case("small", Fill::Small)
      .Case("rough", Fill::Rough)
      .Case("nan", Fill::NaN)
      .Case("index", Fill::Index)
      .Default(std::nullopt);
}

/// Reads words in pairs: "shape 4x3 fill nan".
static bool readArgument(llvm::ArrayRef<StringRef> words, ArgumentCall &argument) {
  for (; words.size() >= 2; words = words.drop_front(2)) {
    StringRef key = words[0], value = words[1];
    bool isRead = false;
    if (key == "=") {
      argument.value = value.str();
      isRead = true;
    } else if (key == "shape") {
      isRead = readNumbers(value, argument.members.emplace_back().shape);
    } else if (key == "strides" && !argument.members.empty()) {
      isRead = readNumbers(value, argument.members.back().strides);
    } else if (key == "offset") {
      isRead = !value.getAsInteger(10, argument.offset);
    } else if (key == "fill") {
      std::optional<Fill> fill = fillNamed(value);
      isRead = fill.has_value();
      argument.fill = fill.value_or(Fill::Small);
    }
    if (!isRead)
      return false;
  }
  return words.empty();
}

static bool readSetting(StringRef word, Call &call) {
  auto [name, value] = word.split('=');
  if (name == "groups")
    return !value.getAsInteger(10, call.groups);
  if (name == "threads")
    return !value.getAsInteger(10, call.threads);
  return name == "seed" && !value.getAsInteger(10, call.seed);
}

std::optional<Call> random::readCall(StringRef text, StringRef function) {
  Call call;
  for (StringRef line : llvm::split(text, '\n')) {
    llvm::SmallVector<StringRef> words;
    llvm::SplitString(line, words, " ");
    if (words.size() < 3 || words[0] != ";" || words[1] != function)
      continue;
    llvm::ArrayRef<StringRef> rest = llvm::ArrayRef(words).drop_front(2);
    bool isRead = rest[0].starts_with("%")
                      ? readArgument(rest.drop_front(), call.arguments[rest[0]])
                      : llvm::all_of(rest, [&](StringRef word) { return readSetting(word, call); });
    if (!isRead)
      return std::nullopt;
  }
  return call;
}

//===-- Values ------------------------------------------------------------===//

/// Reads a number of this type: "2", "2.5", "[1.0,2.0]", "true".
static Quantity readNumber(StringRef text, const Type &type) {
  Literal literal;
  if (type.kind == Type::Bool)
    return Quantity::ofInt(text == "true");
  bool isRead = true;
  if (kindOf(type.scalar) == NumberKind::Integer) {
    isRead = !text.getAsInteger(10, literal.integer);
  } else {
    text.consume_front("[");
    text.consume_back("]");
    auto [re, im] = text.split(',');
    isRead = !re.getAsDouble(literal.real) && (im.empty() || !im.getAsDouble(literal.imag));
  }
  if (!isRead)
    throw Undefined{"no value for a scalar"};
  return numberOf(literal, type);
}

static Quantity fillOf(Fill fill, ScalarType type, size_t cell, Random &random) {
  if (kindOf(type) == NumberKind::Integer) {
    int64_t least = std::numeric_limits<int64_t>::min() >> (64 - 8 * bytesOf(type));
    int64_t small = random.between(-4, 4);
    return Quantity::ofInt(fill == Fill::NaN ? least : fill == Fill::Index ? int64_t(cell) : small);
  }
  auto real = [&]() -> double {
    double small = double(random.between(-8, 8)) / 4;
    double rough = double(random.between(-2'000'000, 2'000'000)) / 1'234'567;
    return fill == Fill::NaN ? NAN : fill == Fill::Rough ? rough : small;
  };
  Literal literal{Literal::Complex};
  literal.real = real();
  if (kindOf(type) == NumberKind::Complex)
    literal.imag = real();
  Type scalar{Type::Scalar, type};
  return numberOf(literal, scalar);
}

/// The call must agree with the static parts of the type.
static Memref makeMember(const Type &type, MemberCall call, const ArgumentCall &argument,
                         Random &random) {
  if (call.shape.empty())
    call.shape.assign(type.shape.begin(), type.shape.end());
  bool isPacked = call.strides.empty();
  if (isPacked)
    call.strides = packedStrides(call.shape);
  Memref memref{nullptr, argument.offset, call.shape, call.strides};
  for (int64_t mode = 0, order = type.order(); mode < order; ++mode) {
    if (isPacked && type.strides[mode] != dynamic)
      memref.strides[mode] = type.strides[mode];
    bool fits = call.shape.size() == size_t(order) && call.strides.size() == size_t(order) &&
                call.shape[mode] != dynamic &&
                (type.shape[mode] == dynamic || type.shape[mode] == call.shape[mode]) &&
                (type.strides[mode] == dynamic || type.strides[mode] == memref.strides[mode]);
    if (!fits)
      throw Undefined{"the call does not fit a type"};
  }
  int64_t size = argument.offset + 1;
  for (auto [mode, stride] : llvm::zip_equal(memref.shape, memref.strides))
    size += std::max<int64_t>(mode - 1, 0) * stride;
  memref.memory = std::make_shared<Memory>(type.scalar, size_t(size));
  for (int64_t cell = 0; cell < size; ++cell)
    memref.memory->initialize(size_t(cell), fillOf(argument.fill, type.scalar, cell, random));
  return memref;
}

static Datum makeArgument(const Type &type, ArgumentCall call, Random &random) {
  if (type.kind == Type::Bool || type.isScalar())
    return readNumber(call.value, type);
  if (type.isMemref()) {
    call.offset = 0;
    return makeMember(type, call.members.empty() ? MemberCall() : call.members.front(), call,
                      random);
  }
  if (type.size != dynamic)
    call.members.resize(type.size);
  if (type.offset != dynamic)
    call.offset = type.offset;
  Group group;
  for (const MemberCall &member : call.members)
    group.push_back(makeMember(*type.member, member, call, random));
  return std::make_shared<const Group>(std::move(group));
}

std::vector<Datum> random::makeArguments(const Function &function, const Call &call) {
  Random random(call.seed);
  std::vector<Datum> arguments;
  for (const Value *parameter : function.parameters)
    arguments.push_back(
        makeArgument(*parameter->type, call.arguments.lookup(parameter->name.text), random));
  return arguments;
}
