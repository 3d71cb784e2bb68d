/// Statements.
#include "Writer.h"
#include <algorithm>
#include <utility>

using namespace tessera::ttl::random;

static bool isFreeInt(const Variable &v) {
  return !v.isMatrix && !v.isFloat && !v.isCounting;
}

void Writer::line(const std::string &text) {
  block->lines.push_back(text);
  ++block->numStatements;
  --linesLeft;
  cost += weight;
}

void Writer::statements(int count) {
  for (int i = 0; i < count && linesLeft > 0; ++i)
    statement();
}

void Writer::statement() {
  int64_t roll = random.below(120);
  bool canNest = scopes.size() < 4 && linesLeft > 3;
  if (flaw != Flaw::None && random.chance(6))
    return flawed();
  if (roll < 14)
    return defineScalar();
  if (roll < 32)
    return defineMatrix();
  if (roll < 42)
    return print();
  if (roll < 54)
    return assignScalar();
  if (roll < 68)
    return assignMatrix();
  if (roll < 78)
    return assignElement();
  if (roll < 81)
    return callStatement();
  if (roll < 84 && scopes.size() < 4)
    return defineUnbraced();
  if (roll < 86)
    return defineUnwritten();
  if (!canNest)
    return print();
  if (roll < 96)
    return branch();
  if (roll < 108)
    return loop();
  if (roll < 112)
    return stencil();
  if (roll < 115)
    return timeSteps();
  if (roll < 117)
    return shrinkingLoop();
  return compound();
}

// Blocks.

/// Inside, the sizes of a matrix of dynamic type may differ between iterations: they become symbols
/// on entry and others on exit.
Block Writer::nested(const std::function<void()> &body) {
  struct Fluid {
    Variable *variable;
    size_t freeDepth;
    int64_t minExtent;
  };
  std::vector<Fluid> fluid;
  auto makeFresh = [&](Variable &v) {
    for (size_t dim = 0; dim < v.shape.size(); ++dim)
      if (!v.isFixed[dim])
        v.shape[dim] = newSymbol(v.minExtent);
  };
  for (Variable *v :
       visible([&](const Variable &v) { return v.isMatrix && v.freeDepth == scopes.size(); })) {
    if (std::find(v->isFixed.begin(), v->isFixed.end(), false) == v->isFixed.end() ||
        !random.chance(25))
      continue;
    fluid.push_back({v, v->freeDepth, v->minExtent});
    int64_t least = 1;
    for (size_t dim = 0; dim < v->shape.size(); ++dim)
      if (!v->isFixed[dim])
        least = std::min(least, minOf(v->shape[dim]));
    v->minExtent = std::max(v->minExtent, random.chance(75) ? least : 0);
    v->freeDepth = scopes.size() + 1;
    makeFresh(*v);
  }
  Block inner, *outer = std::exchange(block, &inner);
  scopes.emplace_back();
  body();
  if (inner.lines.empty())
    print();
  scopes.pop_back();
  block = outer;
  for (Fluid &entry : fluid) {
    makeFresh(*entry.variable);
    entry.variable->freeDepth = entry.freeDepth;
    entry.variable->minExtent = entry.minExtent;
  }
  return inner;
}

void Writer::append(const Block &inner, const std::string &head, bool needsBraces) {
  bool isDefinition = inner.lines.front().starts_with("var ");
  bool hasBraces = needsBraces || inner.needsBraces || inner.numStatements != 1 || isDefinition ||
                   random.chance(40);
  block->lines.push_back(head + (hasBraces ? " {" : ""));
  for (const std::string &text : inner.lines)
    block->lines.push_back("  " + text);
  if (hasBraces)
    block->lines.push_back("}");
  ++block->numStatements;
}

void Writer::compound() {
  Block inner = nested([&] { statements(random.between(1, 3)); });
  block->lines.push_back("{");
  for (const std::string &text : inner.lines)
    block->lines.push_back("  " + text);
  block->lines.push_back("}");
  ++block->numStatements;
}

void Writer::branch() {
  std::string head = "if (" + (random.chance(75) ? comparison(1) : intExpr(2)).text + ")";
  Block then = nested([&] { statements(random.between(1, 3)); });
  bool hasElse = random.chance(45) && linesLeft > 0;
  const std::string &first = then.lines.front();
  append(then, head, hasElse && (first.starts_with("if") || first.starts_with("for")));
  if (!hasElse)
    return;
  Block other = nested([&] { statements(random.between(1, 2)); });
  --block->numStatements;
  bool isChain = other.numStatements == 1 && !other.needsBraces &&
                 other.lines.front().starts_with("if") && random.chance(70);
  if (isChain) {
    block->lines.push_back("else " + other.lines.front());
    block->lines.insert(block->lines.end(), other.lines.begin() + 1, other.lines.end());
    ++block->numStatements;
  } else {
    append(other, "else", false);
  }
}

// Loops.

Variable &Writer::counter() {
  if (random.chance(50))
    if (Variable *found = find(isFreeInt))
      return *found;
  if (random.chance(4)) // A loop inside a loop over the same variable.
    if (Variable *found = find([](const Variable &v) { return v.isCounting && v.name != "depth"; }))
      return *found;
  Variable variable{
      .name = newName("i"), .bound = Interval::within(1000), .now = Interval::within(1000)};
  line("var int " + variable.name + ";");
  return declare(variable);
}

/// Narrows the counter's range for the body and multiplies the weight.
std::string Writer::loopHead(Variable &counter) {
  int64_t begin = random.chance(70) ? 0 : random.between(-3, 4), trips = random.between(1, 5),
          step = random.chance(75) ? 1 : random.between(1, 4);
  std::string head = "for (" + counter.name + " in ", some = intExpr(1).text;
  Variable *over =
      find([&](const Variable &v) { return v.isMatrix && weight * numElements(v.shape) < 5000; });
  if (over && random.chance(45)) {
    size_t dim = random.below(over->shape.size());
    Extent extent = over->shape[dim];
    trips = extent.isKnown() ? extent.value : 6;
    counter.now = {0, extent.isKnown() ? std::max<int64_t>(extent.value - 1, 0) : 999};
    counter.below = extent.symbol < 0 ? -1 : extent.symbol;
    head += "0..." + over->name + " $ " + std::to_string(dim);
  } else if (random.chance(20)) {
    useHelper("wrap");
    trips = 4;
    counter.now = {begin, begin + 3};
    head += std::to_string(begin) + "..." + (begin ? std::to_string(begin) + " + " : "") + "wrap(" +
            some + ", 5)";
  } else {
    if (random.chance(5))
      trips = -trips;
    counter.now = {begin, std::max(begin, begin + trips * step - 1)};
    std::string range = std::to_string(begin) + "..." + std::to_string(begin + trips * step);
    head += random.chance(8) ? "(" + range + ")" : range;
  }
  weight *= std::max<int64_t>(trips, 1);
  return head + " by " + std::to_string(step) + ")";
}

void Writer::loop() {
  if (weight > 300)
    return print();
  Variable &counter = this->counter();
  int64_t outerWeight = weight;
  bool wasCounting = counter.isCounting;
  std::string head = loopHead(counter);
  counter.isCounting = true;
  Block body = nested([&] {
    statements(random.between(1, 3));
    bool isShadowed = visible([&](const Variable &v) { return &v == &counter; }).empty();
    if (!isShadowed && random.chance(8)) { // For the rest of the iteration.
      line(counter.name + " = " + reduced(intExpr(1), 1000).text + ";");
      counter.now = counter.bound;
      counter.below = -1;
      statements(1);
    }
  });
  append(body, head, false);
  counter.isCounting = wasCounting;
  counter.now = counter.bound;
  counter.below = -1;
  weight = outerWeight;
}

/// A loop nest that assigns the value to each element; only for known sizes.
void Writer::fillInLoops(const Variable &matrix,
                         const std::function<std::string(const std::string &)> &value) {
  std::string indices, indent;
  std::vector<std::string> names;
  for (size_t dim = 0; dim < matrix.shape.size(); ++dim) {
    names.push_back(newName("k"));
    line("var int " + names.back() + ";");
    indices += (dim ? ", " : "") + names.back();
  }
  std::string store = matrix.name + "[" + indices + "] = " + value(indices) + ";";
  for (size_t dim = 0; dim < names.size(); ++dim) {
    std::string end = random.chance(50) ? std::to_string(matrix.shape[dim].value)
                                        : matrix.name + " $ " + std::to_string(dim);
    block->lines.push_back(indent + "for (" + names[dim] + " in 0..." + end + " by 1)");
    indent += "  ";
  }
  line(indent + store);
  spend(matrix.shape, 4);
}

/// Updates elements from their neighbors, in place or not.
void Writer::stencil() {
  Variable *found = find([&](const Variable &v) {
    bool isBigEnough = !v.shape.empty() && v.shape[0].isKnown() && v.shape[0].value > 2;
    return v.isMatrix && isBigEnough && weight * numElements(v.shape) < 3000;
  });
  if (!found)
    return print();
  std::string name = found->name, i = newName("i"), others, indent;
  int64_t last = found->shape[0].value;
  line("var int " + i + ";");
  std::vector<std::string> heads;
  for (size_t dim = 1; dim < found->shape.size(); ++dim) {
    std::string j = newName("j");
    line("var int " + j + ";");
    heads.push_back("for (" + j + " in 0..." + name + " $ " + std::to_string(dim) + " by 1)");
    others += ", " + j;
  }
  heads.insert(heads.begin() + random.below(heads.size() + 1),
               "for (" + i + " in 1..." + std::to_string(last - 1) + " by 1)");
  for (const std::string &head : heads) {
    block->lines.push_back(indent + head);
    indent += "  ";
  }
  auto at = [&](const char *offset) { return name + "{" + i + offset + others + "}"; };
  std::string sum = at(" - 1") + " + " + at("") + " + " + at(" + 1");
  line(indent + name + "[" + i + others +
       "] = " + (found->isFloat ? "(" + sum + ") * 0.25;" : "(" + sum + ") / 3;"));
  spend(found->shape, 6);
}

/// Two matrices that swap roles at the end of each step.
void Writer::timeSteps() {
  bool isFloat = random.chance(60);
  Variable u{
      .name = newName("u"), .isFloat = isFloat, .isMatrix = true, .bound = Interval::within(1000)};
  u.shape = knownShape(random.between(1, 2));
  if (weight * numElements(u.shape) > 300 || u.shape[0].value < 3)
    return print();
  u.isFixed.assign(u.shape.size(), true);
  Variable v = u;
  v.name = newName("v");
  std::string init = initializer(u), other = reduced(scalar(isFloat, 1), 1000).text;
  line("var " + typeOf(u) + " " + u.name + " = " + init + ";");
  line("var " + typeOf(v) + " " + v.name + " = " + other + ";");
  v.bound = u.bound;
  std::string step = newName("i"), w = newName("w"), i = newName("i"), rest, index, head;
  line("var int " + step + ";");
  int64_t steps = random.between(2, 5);
  bool hasSwap = random.chance(50);
  int64_t outerWeight = weight;
  weight *= steps;
  Block body = nested([&] {
    line("var int " + i + ";");
    if (u.shape.size() == 2) {
      std::string j = newName("j");
      line("var int " + j + ";");
      head = "for (" + j + " in 0..." + u.name + " $ 1 by 1)";
      rest = ", " + j;
    }
    if (!head.empty())
      block->lines.push_back(head);
    block->lines.push_back("for (" + i + " in 1..." + u.name + " $ 0 - 1 by 1)");
    std::string sum =
        u.name + "{" + i + " - 1" + rest + "} + " + u.name + "{" + i + " + 1" + rest + "}";
    line("  " + v.name + "[" + i + rest + "] = (" + sum + (isFloat ? ") * 0.5;" : ") / 2;"));
    if (hasSwap)
      line("var " + typeOf(u) + " " + w + " = " + u.name + ";");
    line(u.name + " = " + v.name + ";");
    if (hasSwap)
      line(v.name + " = " + w + ";");
  });
  append(body, "for (" + step + " in 0..." + std::to_string(steps) + " by 1)", true);
  weight = outerWeight;
  spend(u.shape, 8 * steps);
  declare(u);
  declare(v);
  printMatrix(u);
}

/// Large enough to be packed and divided among threads.
void Writer::hugeProduct() {
  static const int64_t sizes[] = {64, 97, 128, 130, 150, 161};
  int64_t rows = random.pick(sizes), inner = random.pick(sizes), columns = random.pick(sizes);
  bool isFloat = random.chance(70);
  std::string type = isFloat ? "float" : "int", x = newName("x"), names[2];
  line("var " + type + " " + x + (isFloat ? " = 0.3;" : " = 3;"));
  for (int side : {0, 1}) {
    Variable variable{.name = newName("h"), .isFloat = isFloat, .isMatrix = true};
    variable.shape = {{side ? inner : rows, -1}, {side ? columns : inner, -1}};
    variable.isFixed = {true, true};
    names[side] = variable.name;
    line("var " + typeOf(variable) + " " + variable.name + ";");
    std::string i = newName("i"), j = newName("j");
    line("var int " + i + ";");
    line("var int " + j + ";");
    block->lines.push_back("for (" + i + " in 0..." + variable.name + " $ 0 by 1)");
    block->lines.push_back("  for (" + j + " in 0..." + variable.name + " $ 1 by 1) {");
    line("    " + x + (isFloat ? " = " + x + " * 1.7 + 0.1;" : " = " + x + " * 7 + 3;"));
    line("    if (" + x + (isFloat ? " > 1.0) " : " > 50) ") + x + " = " + x +
         (isFloat ? " - 2.0;" : " - " + x + " / 53 * 53;"));
    line("    " + variable.name + "[" + i + ", " + j + "] = " + x + ";");
    block->lines.push_back("  }");
  }
  std::string c = newName("h"), d = newName("h"), ones = newName("h");
  std::string m = std::to_string(rows), n = std::to_string(columns);
  line("var matrix<" + type + ">[?, ?] " + c + " = " + names[0] + " # " + names[1] + ";");
  line("var matrix<" + type + ">[?, ?] " + d + " = (" + c + " + " + c + ") * " +
       (isFloat ? "0.3" : "3") + " - " + c + ";");
  line("var matrix<" + type + ">[1, " + m + "] " + ones + (isFloat ? " = 1.0;" : " = 1;"));
  line("print(" + ones + " # " + c + ");");
  line("print(" + ones + " # " + d + ");");
  line("print(" + d + "{" + std::to_string(rows - 2) + "..." + m + ", 0..." + n + "});");
}

/// A loop in which a matrix shrinks.
void Writer::shrinkingLoop() {
  bool isFloat = random.chance(50);
  Variable v{.name = newName("s"), .isFloat = isFloat, .isMatrix = true};
  v.shape = {{random.between(4, 7), -1}};
  if (random.chance(40))
    v.shape.push_back({random.between(1, 3), -1});
  v.isFixed.assign(v.shape.size(), false);
  if (v.shape.size() == 2 && random.chance(50))
    v.isFixed[1] = true;
  std::string init = reduced(matrix(isFloat, v.shape, 2), 1000).text;
  v.bound = Interval::within(1000);
  line("var " + typeOf(v) + " " + v.name + " = " + init + ";");
  std::string i = newName("i"), rest = v.shape.size() == 2 ? ", 0..." + v.name + " $ 1" : "";
  line("var int " + i + ";");
  int64_t trips = random.between(1, v.shape[0].value);
  block->lines.push_back("for (" + i + " in 0..." + std::to_string(trips) + " by 1) {");
  bool fromFront = random.chance(50);
  std::string range = fromFront ? "1..." + v.name + " $ 0" : "0..." + v.name + " $ 0 - 1";
  line("  " + v.name + " = " + v.name + "{" + range + rest + "}" + (isFloat ? " * 0.5;" : " - 1;"));
  if (random.chance(60))
    line("  print(" + v.name + ");");
  block->lines.push_back("}");
  v.bound = v.bound + Interval::within(10);
  v.shape[0].value -= trips;
  spend(v.shape, 3 * trips);
  declare(v);
}

// Definitions and assignments.

void Writer::defineScalar() {
  Variable variable{.name = "", .isFloat = random.chance(45)};
  variable.bound = variable.now = Interval::within(random.chance(80) ? 1000 : 100000);
  std::string init;
  if (random.chance(85))
    init = " = " + reduced(scalar(variable.isFloat, 2), variable.bound.hi).text;
  variable.name = newName(variable.isFloat ? "x" : "n", /*mayShadow=*/true);
  line("var " + typeOf(variable) + " " + variable.name + init + ";");
  declare(variable);
}

void Writer::defineMatrix() {
  Variable variable{.name = "", .isFloat = random.chance(50), .isMatrix = true};
  variable.shape = someShape(variable.isFloat);
  bool wantsDynamic = random.chance(35);
  for (Extent &extent : variable.shape) {
    if (wantsDynamic && extent.isKnown() && random.chance(12))
      extent.value = random.between(0, extent.value);
    bool mayBeFixed = extent.isKnown() && extent.value > 0;
    variable.isFixed.push_back(mayBeFixed && !(wantsDynamic && random.chance(70)));
  }
  if (!isAvailable(variable.isFloat, variable.shape))
    return print();
  std::string init = initializer(variable);
  variable.name = newName("m", /*mayShadow=*/true);
  line("var " + typeOf(variable) + " " + variable.name + " = " + init + ";");
  declare(variable);
}

/// Without an initializer: either every element is written at once, or only written elements are
/// read.
void Writer::defineUnwritten() {
  Variable variable{.name = newName("m"),
                    .isFloat = random.chance(50),
                    .isMatrix = true,
                    .bound = Interval::within(1000)};
  variable.shape = knownShape(random.between(1, 3));
  if (weight * numElements(variable.shape) > 2000)
    return print();
  variable.isFixed.assign(variable.shape.size(), true);
  std::string value = reduced(scalar(variable.isFloat, 1), 1000).text;
  line("var " + typeOf(variable) + " " + variable.name + ";");
  if (random.chance(65)) {
    fillInLoops(variable, [&](const std::string &) { return value; });
    declare(variable);
    return;
  }
  std::string indices, part, copy = newName("c");
  for (Extent extent : variable.shape) {
    int64_t at = random.below(extent.value);
    indices += (indices.empty() ? "" : ", ") + std::to_string(at);
    part += (part.empty() ? "" : ", ") + std::to_string(at) + "..." + std::to_string(at + 1);
  }
  line(variable.name + "[" + indices + "] = " + value + ";");
  line("var " + typeOf(variable) + " " + copy + " = " + variable.name + ";");
  line("print(" + copy + "{" + (random.chance(50) ? indices : part) + "});");
}

/// The definition belongs to the enclosing scope, with a default value if the body does not run.
void Writer::defineUnbraced() {
  Variable variable{.name = "", .isFloat = random.chance(40), .isMatrix = random.chance(40)};
  variable.bound = variable.now = Interval::within(1000);
  std::string init, head, condition = comparison(1).text;
  if (variable.isMatrix) {
    variable.shape = someShape(variable.isFloat);
    if (!isAvailable(variable.isFloat, variable.shape))
      variable.shape = knownShape(1);
    variable.isFixed.assign(variable.shape.size(), false);
    init = reduced(matrix(variable.isFloat, variable.shape, 1), 1000).text;
    for (Extent &extent : variable.shape)
      extent = newSymbol(0);
  } else {
    init = reduced(scalar(variable.isFloat, 1), 1000).text;
  }
  if (random.chance(40) && weight < 100) {
    int64_t outerWeight = weight;
    Variable &counting = counter();
    head = loopHead(counting);
    counting.now = counting.bound;
    counting.below = -1;
    weight = outerWeight;
  } else {
    head = "if (" + comparison(1).text + ")";
  }
  variable.name = newName("d", /*mayShadow=*/true);
  block->needsBraces = true;
  block->lines.push_back(head);
  std::string indent = "  ";
  if (random.chance(25)) {
    block->lines.push_back(indent + "if (" + condition + ")");
    indent += "  ";
  }
  line(indent + "var " + typeOf(variable) + " " + variable.name + " = " + init + ";");
  declare(variable);
}

void Writer::assignScalar() {
  Variable *target = find([](const Variable &v) { return !v.isMatrix && !v.isCounting; });
  if (!target)
    return defineScalar();
  std::string value = reduced(scalar(target->isFloat, 3), target->bound.hi).text;
  line(target->name + " = " + value + ";");
}

void Writer::assignMatrix() {
  Variable *target = find([](const Variable &v) { return v.isMatrix; });
  if (!target || weight * numElements(target->shape) > 20000)
    return print();
  Shape shape = target->shape;
  bool mayReshape = target->freeDepth == scopes.size();
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (mayReshape && !target->isFixed[dim] && random.chance(40))
      shape[dim] = {std::max(random.below(6), target->minExtent), -1};
  if (!isAvailable(target->isFloat, shape))
    shape = target->shape;
  std::string value = reduced(matrix(target->isFloat, shape, 3), target->bound.hi).text;
  line(target->name + " = " + value + ";");
  target->shape = shape;
}

void Writer::assignElement() {
  Variable *target = find([](const Variable &v) { return v.isMatrix; });
  if (!target)
    return print();
  std::string indices;
  for (Extent extent : target->shape) {
    std::optional<Piece> one = index(extent, 2);
    if (!one)
      return print();
    indices += (indices.empty() ? "" : ", ") + one->text;
  }
  std::string value = reduced(scalar(target->isFloat, 3), target->bound.hi).text;
  line(target->name + "[" + indices + "] = " + value + ";");
}

void Writer::callStatement() {
  if (functions.empty())
    return print();
  if (std::optional<Piece> piece = call(random.pick(functions), 1))
    return line(piece->text + ";");
  print();
}

// Output.

void Writer::print() {
  Variable *found = find([](const Variable &) { return true; });
  if (found && found->isMatrix && random.chance(85))
    return printMatrix(*found);
  line("print(" + scalar(random.chance(40), 2).text + ");");
}

/// Prints large matrices as a part and a sum.
void Writer::printMatrix(const Variable &matrix) {
  int64_t count = numElements(matrix.shape);
  if (weight * count > 4000)
    return line("print(" + matrix.name + " $ 0);");
  bool isProduct =
      matrix.shape.size() == 2 && matrix.shape[0].isKnown() && matrix.shape[0].value > 0;
  if (count <= 80 || !isProduct || random.chance(10))
    return line("print(" + matrix.name + ");");
  Variable ones{.name = newName("t"), .isFloat = matrix.isFloat, .isMatrix = true, .bound = {1, 1}};
  ones.shape = {{1, -1}, matrix.shape[0]};
  ones.isFixed = {true, true};
  line("var " + typeOf(ones) + " " + ones.name + (matrix.isFloat ? " = 1.0;" : " = 1;"));
  line("print(" + ones.name + " # " + matrix.name + ");");
  declare(ones);
}
