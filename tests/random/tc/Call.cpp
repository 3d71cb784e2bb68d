#include "Call.h"
#include "../Random.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

static constexpr llvm::StringRef mark = "# call: ";

std::string Call::text() const {
  std::string text = llvm::formatv("{0}{1} seed={2}", mark, entry, seed);
  for (auto &[name, size] : sizes)
    text += llvm::formatv(" {0}={1}", name, size);
  for (auto &[name, limit] : limits)
    text += llvm::formatv(" {0}<{1}", name, limit);
  return text + "\n";
}

std::optional<Call> random::readCall(llvm::StringRef program) {
  llvm::StringRef line = program.take_until([](char c) { return c == '\n'; });
  if (!line.consume_front(mark))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(line, words);
  Call call;
  for (llvm::StringRef word : words) {
    auto [name, number] = word.contains('<') ? word.split('<') : word.split('=');
    int64_t value = 0;
    number.getAsInteger(10, value);
    if (number.empty())
      call.entry = name.str();
    else if (name == "seed")
      call.seed = uint64_t(value);
    else
      (word.contains('<') ? call.limits : call.sizes)[name.str()] = value;
  }
  return call;
}

int64_t random::numElements(const Box &box) {
  int64_t count = 1;
  for (const Interval &range : box)
    count *= range.size();
  return count;
}

//===- Data -------------------------------------------------------------------------------------===

/// Most floats have exact sums, so that decisions can depend on them.
static double randomFloat(Random &random, int64_t style) {
  if (style < 40)
    return double(random.between(-6, 6));
  if (style < 65)
    return double(random.between(-24, 24)) / 8;
  if (style < 75)
    return double(random.below(2));
  double fraction = double(random.next() >> 11) * 0x1p-53;
  return style < 97 ? 4 * fraction - 2 : std::ldexp(fraction - 0.5, int(random.between(-30, 30)));
}

static int64_t randomInt(Random &random, int64_t style, Scalar type) {
  if (style < 45)
    return random.between(kindOf(type) == ScalarKind::Signed ? -9 : 0, 9);
  if (style < 60)
    return random.below(4);
  if (style < 75)
    return random.between(1, 5);
  if (style < 90)
    return int64_t(random.next() >> random.below(60));
  uint64_t least = uint64_t(1) << (bitsOf(type) - 1);
  const int64_t extremes[] = {0, 1, -1, int64_t(least), int64_t(least - 1), int64_t(least + 1), 2};
  return random.pick(extremes);
}

static Number randomElement(Random &random, int64_t style, Scalar type) {
  if (isFloating(type))
    return stored(Number::ofFloat(randomFloat(random, style)), type);
  if (type == Scalar::Bool)
    return Number::ofInt(random.below(2));
  return Number::ofInt(wrapped(randomInt(random, style, type), type));
}

Array random::makeArray(const Call &call, llvm::StringRef name, Scalar type, const Box &box) {
  uint64_t hash = call.seed;
  for (char c : name)
    hash = (hash ^ uint64_t(c)) * 0x100000001b3;
  Random random(hash);
  int64_t style = random.below(100);
  Array array{type, box, std::vector<Number>(size_t(numElements(box)))};
  auto limit = call.limits.find(name.str());
  // Scalars may serve as sizes.
  if (box.empty())
    style %= 75;
  for (Number &element : array.elements)
    element = limit != call.limits.end()
                  ? Number::ofInt(wrapped(random.below(std::max<int64_t>(limit->second, 1)), type))
                  : randomElement(random, style, type);
  return array;
}

Values random::valuesOf(const Call &call, const Def &def) {
  Values values = call.sizes;
  for (const tc::Parameter &parameter : def.parameters) {
    Scalar type = parameter.type.element;
    if (!parameter.tensor->rank && !isFloating(type) && type != Scalar::Bool)
      values[parameter.name.text.str()] =
          makeArray(call, parameter.name.text, type, {}).elements[0].integer;
  }
  return values;
}
