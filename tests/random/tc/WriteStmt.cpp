/// Statements.
#include "Writer.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

Candidate Writer::statement() {
  int64_t choice = random.below(100);
  bool hasDefined = llvm::any_of(scope.tensors, [](const Known &known) { return !known.isInput; });
  if (!scope.callees.empty() && choice < 30)
    return callStatement();
  if (choice < (scope.isLarge ? 80 : 18))
    return pattern();
  if (hasDefined && choice < 48)
    return update();
  if (choice >= 95)
    return fill();
  return definition();
}

std::string Writer::newName(const char *prefix) {
  return prefix + std::to_string(++scope.numNames);
}

//===- Variables --------------------------------------------------------------------------------===

void Writer::addVariables(size_t count, int percentPinned) {
  static constexpr const char *names[] = {"i", "j", "k", "l", "x", "y", "h", "w", "j0", "i_2"};
  while (indices.size() < count) {
    std::string name = random.pick(names);
    if (llvm::any_of(indices, [&](const Index &index) { return index.name == name; }))
      continue;
    indices.push_back({name});
    if (random.chance(percentPinned))
      if (const Known *tensor = find([](const Known &known) { return !known.box.empty(); }))
        pin(indices.back(), random.pick(tensor->box));
  }
}

/// Gives the variable a range inside another one, shifted, or independent.
void Writer::pin(Index &index, const Interval &within) {
  Interval range = within;
  int64_t choice = random.below(100);
  if (choice < 25 && range.size() > 1)
    range = {range.lower + random.below(2), range.upper - random.below(2)};
  else if (choice < 35 && range.size() > 0)
    range.lower = range.upper - random.below(range.size() + 1);
  else if (choice < 45)
    range = {range.lower + random.between(-3, 3), 0},
    range.upper = range.lower + std::min<int64_t>(within.size(), 7) + random.between(0, 2);
  index.range = range;
}

std::string Writer::clauses() {
  std::vector<std::string> all = otherClauses;
  for (const Index &index : indices)
    if (index.range) {
      std::string lower = random.chance(85) ? std::to_string(index.range->lower)
                                            : sizeNear(index.range->lower).text;
      if (llvm::StringRef(lower).starts_with("-") && random.chance(30))
        lower = "(" + lower + ")";
      all.push_back(index.name + " in " + lower + ":" + sizeNear(index.range->upper).text);
    }
  std::string text;
  for (const std::string &clause : all)
    text += (text.empty() ? " where " : ", ") + clause;
  return text;
}

/// Gives every variable a range, from a read or from a clause.
void Writer::anchorAll(Piece &value) {
  for (Index &index : indices) {
    if (index.isAnchored || index.range || random.chance(2))
      continue;
    const Known *tensor = find([](const Known &known) { return known.box.size() == 1; });
    std::string read = tensor ? tensor->name + "(" + index.name + ")" : "";
    int64_t choice = random.below(100);
    if (tensor && choice < 40 && sortOf(tensor->type) != Sort::Bool)
      value = binary(value, random.chance(70) ? "*" : "+", random.chance(70) ? 5 : 4, {read});
    else if (tensor && choice < 55)
      otherClauses.push_back("exists " + read);
    else if (const Known *some = find([](const Known &known) { return !known.box.empty(); }))
      pin(index, random.pick(some->box));
    else
      pin(index, {0, random.below(5)});
  }
}

//===- Comprehensions ---------------------------------------------------------------------------===

std::string Writer::reductionOperator(bool initializes) {
  static constexpr const char *names[] = {"+=", "+=", "+=", "*=", "min=", "max="};
  return random.pick(names) + std::string(initializes ? "!" : "");
}

Candidate Writer::finish(const std::string &target, const std::string &op, Piece value,
                         size_t numLeft) {
  anchorAll(value);
  std::string left = target;
  for (size_t i = 0; i < numLeft; ++i)
    left += (i ? ", " : "(") + indices[i].name;
  if (numLeft || random.chance(25))
    left += numLeft ? ")" : "()";
  return {left + " " + op + " " + value.text + clauses(), {target}};
}

Candidate Writer::definition() {
  static constexpr size_t lefts[] = {0, 0, 1, 1, 1, 1, 2, 2, 2, 3};
  static constexpr size_t reductions[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
  size_t numLeft = random.pick(lefts), numReduced = random.pick(reductions);
  if (scope.isLarge)
    numLeft = std::min<size_t>(numLeft, 2), numReduced = std::min<size_t>(numReduced, 1);
  addVariables(numLeft + numReduced, 22);
  int64_t choice = random.below(100);
  Sort sort = choice < 62 ? Sort::Float : choice < 92 ? Sort::Int : Sort::Bool;
  if (random.chance(8)) {
    letSort = sort == Sort::Bool ? Sort::Int : sort;
    std::string name = newName("e");
    otherClauses.push_back(name + " = " + expr(letSort, 1).text);
    lets.push_back(name);
  }
  Piece value = expr(sort, int(random.between(1, 3)));
  bool reduces = numReduced || random.chance(10);
  bool isInOut = reduces && random.chance(7);
  std::string op = reduces ? reductionOperator(!isInOut) : "=";
  Candidate candidate = finish(newName("O"), op, value, numLeft);
  candidate.isInOut = isInOut;
  return candidate;
}

/// Assigns to a tensor that already has a value, to all of it or a part.
Candidate Writer::update() {
  const Known *target = find([](const Known &known) { return !known.isInput; });
  size_t numLeft = target->box.size(), numReduced = size_t(random.chance(35));
  addVariables(numLeft, 0);
  bool isWhole = random.chance(45);
  for (size_t i = 0; i < numLeft; ++i) {
    const Interval &range = target->box[i];
    if (isWhole && random.chance(50))
      continue; // A read determines the range.
    indices[i].range = range;
    if (!isWhole && range.size() > 0)
      indices[i].range->lower += random.below(range.size() + 1);
    if (!isWhole && indices[i].range->size() > 0)
      indices[i].range->upper -= random.below(indices[i].range->size() + 1);
  }
  addVariables(numLeft + numReduced, 25);
  Sort sort = sortOf(target->type);
  Piece value = expr(sort, int(random.between(0, 2)));
  if (random.chance(40)) { // The old value.
    std::string own = target->name;
    for (size_t i = 0; i < numLeft; ++i) {
      own += (i ? ", " : "(") + indices[i].name;
      indices[i].isAnchored = true;
    }
    Piece old{own + (numLeft ? ")" : "")};
    value = sort == Sort::Bool ? binary(old, "!=", 3, value) : binary(old, "+", 4, value);
  }
  if (random.chance(75))
    value = cast(target->type, value);
  bool reduces = numReduced || random.chance(25);
  std::string op = reduces ? reductionOperator(random.chance(40)) : "=";
  return finish(target->name, op, value, numLeft);
}

/// A tensor defined only by a range.
Candidate Writer::fill() {
  size_t numLeft = size_t(random.between(1, 2));
  addVariables(numLeft, 0);
  for (Index &index : indices) {
    int64_t lower = random.between(-4, 8);
    index.range = {lower, lower + random.below(6)};
  }
  Piece value =
      random.chance(50) ? literal(random.chance(50) ? Sort::Int : Sort::Float) : intExpr(1);
  return finish(newName("O"), "=", value, numLeft);
}

Candidate Writer::callStatement() {
  const Callee &callee = random.pick(scope.callees);
  Candidate candidate;
  std::string arguments, results;
  for (auto [type, rank] : callee.parameters) {
    const Known *tensor = find([&, type = type, rank = rank](const Known &known) {
      return known.type == type && known.box.size() == rank;
    });
    if (!tensor)
      return definition();
    arguments += (arguments.empty() ? "" : ", ") + tensor->name;
  }
  for (const Known &result : callee.results) {
    const Known *old = find([&](const Known &known) {
      return !known.isInput && known.type == result.type && known.box == result.box &&
             !llvm::is_contained(candidate.targets, known.name);
    });
    candidate.targets.push_back(old && random.chance(50) ? old->name : newName("O"));
    results += (results.empty() ? "" : ", ") + candidate.targets.back();
  }
  if (random.chance(25))
    results = "(" + results + ")";
  candidate.text = results + " = " + callee.name + "(" + arguments + ")";
  return candidate;
}
