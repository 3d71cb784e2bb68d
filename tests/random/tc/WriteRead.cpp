/// Reads of tensors, and their indices.
#include "Form.h"
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

const Known *Writer::find(llvm::function_ref<bool(const Known &)> test) {
  std::vector<const Known *> found;
  for (const Known &tensor : scope.tensors)
    if (test(tensor))
      found.push_back(&tensor);
  return found.empty() ? nullptr : random.pick(found);
}

std::optional<Piece> Writer::read(Sort sort) {
  const Known *tensor = find([&](const Known &known) { return sortOf(known.type) == sort; });
  return tensor ? readOf(*tensor) : std::nullopt;
}

std::optional<Piece> Writer::readOf(const Known &tensor) {
  if (tensor.box.empty())
    return Piece{tensor.name + (random.chance(20) ? "()" : "")};
  std::string text;
  for (const Interval &range : tensor.box)
    text += (text.empty() ? tensor.name + "(" : ", ") + index(range);
  return Piece{text + ")"};
}

/// " + 3", " - 3" or nothing.
std::string Writer::plus(int64_t constant) {
  if (constant == 0)
    return "";
  return (constant < 0 ? " - " : " + ") + std::to_string(std::abs(constant));
}

/// An index that is mostly in range.
std::string Writer::index(const Interval &range) {
  if (random.chance(8))
    if (std::optional<std::string> text = dataIndex(range))
      return *text;
  if (indices.empty() || random.chance(5)) {
    int64_t value = range.size() > 0 ? random.between(range.lower, range.upper - 1) : range.lower;
    return random.chance(60) ? std::to_string(value) : sizeNear(value).text;
  }
  Index &variable = random.pick(indices);
  if (variable.range)
    if (std::optional<std::string> text = pinnedIndex(range, variable))
      return *text;
  return affineIndex(range, variable);
}

/// An index that determines the range of its variable: strides, shifts, reversal, sums of two.
std::string Writer::affineIndex(const Interval &range, Index &variable) {
  int64_t choice = random.below(100);
  const std::string &name = variable.name;
  const Index &other = random.pick(indices);
  bool isSum = choice >= 80 && other.name != name;
  if (!isSum)
    variable.isAnchored = true;
  int64_t shift = random.between(-3, 3), factor = random.between(2, 3);
  std::string scaled = (random.chance(70) ? std::to_string(factor) + "*" + name
                                          : name + "*" + std::to_string(factor));
  if (choice < 50)
    return name;
  if (choice < 62)
    return name + plus(shift);
  if (choice < 70)
    return scaled + plus(random.between(-1, 2));
  if (choice < 76) // Reversed.
    return (random.chance(50) ? std::to_string(range.upper - 1) : sizeNear(range.upper - 1).text) +
           " - " + name;
  // If not known in advance, a factor must be positive.
  if (choice < 78 && !scope.sizes.empty())
    if (auto [factor, value] = someSize(); value > 0)
      return factor + "*" + name;
  if (!isSum)
    return random.chance(50) ? "(" + name + ")" : name + plus(shift);
  const char *between = random.chance(80) ? " + " : " - ";
  std::string second = random.chance(65) ? other.name : "2*" + other.name;
  return (random.chance(65) ? name : scaled) + between + second +
         (random.chance(25) ? plus(shift) : "");
}

/// An index from a variable with a given range that stays inside `range`.
std::optional<std::string> Writer::pinnedIndex(const Interval &range, const Index &variable) {
  const Interval &given = *variable.range;
  const std::string &name = variable.name;
  int64_t room = range.size() - given.size();
  int64_t choice = random.below(100);
  if (choice < 8 && range.size() > 0)
    return "max(min(" + name + plus(random.between(-2, 2)) + ", " + sizeNear(range.upper - 1).text +
           "), " + std::to_string(range.lower) + ")";
  auto isInside = [&](auto of) {
    for (int64_t value = given.lower; value < given.upper; ++value)
      if (!range.contains(of(value)))
        return false;
    return true;
  };
  if (choice < 18) {
    int64_t by = random.between(2, 3);
    if (isInside([&](int64_t v) { return v >= 0 ? v / by : -((by - 1 - v) / by); }))
      return name + " / " + std::to_string(by);
  }
  if (choice < 26) {
    int64_t by = random.between(2, 4);
    if (isInside([&](int64_t v) { return ((v % by) + by) % by; }))
      return name + " % " + std::to_string(by);
  }
  if (choice < 32 && isInside([](int64_t v) { return v * v; }))
    return name + "*" + name;
  if (choice < 40 && room >= 0)
    return std::to_string(given.upper - 1 + range.lower + random.below(room + 1)) + " - " + name;
  if (choice < 85 && room >= 0)
    return name + plus(range.lower - given.lower + random.below(room + 1));
  if (range.lower <= given.lower && given.upper <= range.upper)
    return name;
  return std::nullopt;
}

/// Elements of an integer tensor that are all in range, or are clamped.
std::optional<std::string> Writer::dataIndex(const Interval &range) {
  if (depthOfReads > 1 || range.size() <= 0)
    return std::nullopt;
  auto fits = [&](const Known &known) {
    return sortOf(known.type) == Sort::Int && range.contains(known.least) &&
           range.contains(known.most);
  };
  const Known *tensor = find(fits);
  bool isClamped = !tensor || random.chance(20);
  if (isClamped)
    tensor = find([](const Known &known) { return sortOf(known.type) == Sort::Int; });
  if (!tensor)
    return std::nullopt;
  ++depthOfReads;
  std::optional<Piece> element = readOf(*tensor);
  --depthOfReads;
  if (!isClamped)
    return element->text;
  std::string upper = std::to_string(range.upper - 1), lower = std::to_string(range.lower);
  if (random.chance(30) && range.lower == 0)
    return "int32(" + element->text + ") % " + std::to_string(range.upper);
  return "max(min(" + element->text + ", " + upper + "), " + lower + ")";
}

/// A read that is in range only because of its condition.
std::optional<Piece> Writer::guardedRead(Sort sort) {
  const Known *tensor =
      find([&](const Known &t) { return sortOf(t.type) == sort && t.box.size() == 1; });
  std::vector<Index *> pinned;
  for (Index &index : indices)
    if (index.range)
      pinned.push_back(&index);
  if (!tensor || pinned.empty())
    return std::nullopt;
  const Interval &range = tensor->box[0];
  std::string at = random.pick(pinned)->name + plus(random.between(-3, 3));
  if (random.chance(20))
    at = "2*" + at;
  std::string low = at + (random.chance(50) ? " >= " + std::to_string(range.lower)
                                            : " > " + std::to_string(range.lower - 1));
  std::string high = at + " < " + sizeNear(range.upper).text;
  std::string read = tensor->name + "(" + at + ")", other = leaf(sort).text;
  if (sort == Sort::Bool && random.chance(50))
    return Piece{low + " && " + high + " && " + read, 2};
  switch (random.below(4)) {
  case 0:
    return Piece{low + " ? (" + high + " ? " + read + " : " + other + ") : " + other, 0};
  case 1:
    return Piece{"!(" + low + ") || !(" + high + ") ? " + other + " : " + read, 0};
  default:
    return Piece{low + " && " + high + " ? " + read + " : " + other, 0};
  }
}

//===- Sizes ------------------------------------------------------------------------------------===

std::pair<std::string, int64_t> Writer::someSize() {
  return *std::next(scope.sizes.begin(), random.below(int64_t(scope.sizes.size())));
}

Writer::SizeText Writer::size() {
  if (scope.sizes.empty() || random.chance(15)) {
    int64_t value = random.below(6);
    return {std::to_string(value), value};
  }
  if (random.chance(20))
    if (const Known *tensor = find([](const Known &known) { return !known.box.empty(); })) {
      size_t dimension = size_t(random.below(int64_t(tensor->box.size())));
      return {tensor->name + "." + std::to_string(dimension), tensor->box[dimension].size()};
    }
  auto [first, a] = someSize();
  auto [second, b] = someSize();
  switch (random.below(12)) {
  case 0:
    return {first + " + " + second, a + b};
  case 1:
    return {first + " / 2", floorDivided(a, 2)};
  case 2:
    return {"min(" + first + ", " + second + ")", std::min(a, b)};
  case 3:
    return {"max(" + first + ", " + second + ")", std::max(a, b)};
  case 4:
    return {first + " % 3 + 1", a - 3 * floorDivided(a, 3) + 1};
  case 5:
    return {first + " - " + second, a - b};
  default:
    return {first, a};
  }
}

/// A size expression with this value.
Writer::SizeText Writer::sizeNear(int64_t value) {
  if (random.chance(30))
    return {std::to_string(value), value};
  SizeText text = size();
  return {text.text + plus(value - text.value), value};
}
