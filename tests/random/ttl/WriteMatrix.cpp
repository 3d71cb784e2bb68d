/// Matrix expressions of a given shape, initializers and calls.
#include "Writer.h"
#include <algorithm>

using namespace tessera::ttl::random;

static bool isKnown(const Shape &shape) {
  return std::all_of(shape.begin(), shape.end(), [](Extent extent) { return extent.isKnown(); });
}

int64_t Writer::numElements(const Shape &shape) {
  int64_t count = 1;
  for (Extent extent : shape)
    count *= extent.isKnown() ? extent.value : 6;
  return count;
}

void Writer::spend(const Shape &shape, int64_t factor) {
  cost += weight * numElements(shape) * factor;
}

int64_t Writer::knownSize() {
  static const int64_t small[] = {1, 2, 2, 3, 3, 4, 5, 6, 7},
                       big[] = {1, 3, 5, 8, 9, 16, 17, 31, 33, 40, 70};
  return hasBigMatrices && random.chance(50) ? random.pick(big) : random.pick(small);
}

Shape Writer::knownShape(size_t rank) {
  Shape shape;
  int64_t count = 1, limit = hasBigMatrices ? 2800 : 150;
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t size = knownSize();
    if (rank > 2)
      size = 1 + size % 4;
    if (count * size > limit || weight * count * size > 20000)
      size = 1;
    shape.push_back({size, -1});
    count *= size;
  }
  return shape;
}

/// Often the shape of a variable, so that they can be combined.
Shape Writer::someShape(bool isFloat) {
  Variable *found = find([&](const Variable &v) { return v.isMatrix && v.isFloat == isFloat; });
  if (found && weight * numElements(found->shape) < 20000 && random.chance(60))
    return found->shape;
  static const size_t ranks[] = {1, 1, 2, 2, 2, 2, 3, 4};
  return knownShape(random.pick(ranks));
}

bool Writer::isAvailable(bool isFloat, const Shape &shape) {
  return isKnown(shape) || find([&](const Variable &v) {
           return v.isMatrix && v.isFloat == isFloat && v.shape == shape;
         });
}

Piece Writer::matrix(bool isFloat, const Shape &shape, int depth) {
  Piece piece = someMatrix(isFloat, shape, depth);
  if (isFloat)
    piece.range = {};
  return piece;
}

Piece Writer::someMatrix(bool isFloat, const Shape &shape, int depth) {
  spend(shape);
  int64_t roll = random.below(100);
  std::optional<Piece> piece;
  if (depth > 0 && roll < 35)
    return elementwise(isFloat, shape, depth - 1);
  if (depth > 0 && roll < 50)
    piece = slice(isFloat, shape, depth - 1);
  else if (depth > 0 && roll < 68)
    piece = product(isFloat, shape, depth - 1);
  else if (depth > 0 && roll < 78)
    piece = callReturning(isFloat, &shape, depth - 1);
  if (piece)
    return *piece;
  if (Variable *found = find([&](const Variable &v) {
        return v.isMatrix && v.isFloat == isFloat && v.shape == shape;
      }))
    return variable(*found);
  if (shape.size() == 1 && shape[0].value > 0 && shape[0].value <= 7)
    return list(isFloat, shape[0].value, depth);
  piece = slice(isFloat, shape, 0);
  return piece ? *piece : temporary(isFloat, shape);
}

Piece Writer::list(bool isFloat, int64_t count, int depth) {
  Piece result{"[", 11, {}, {{count, -1}}};
  for (int64_t i = 0; i < count; ++i) {
    Piece element = reduced(scalar(isFloat, count > 4 ? 0 : std::min(depth, 1)), 1000);
    result.text += (i ? ", " : "") + element.text;
    result.range = i ? result.range | element.range : element.range;
  }
  result.text += "]";
  return result;
}

/// A definition before the statement that needs it. A size of 0 is sliced from a larger one.
Piece Writer::temporary(bool isFloat, const Shape &shape) {
  Variable variable{.name = newName("t"), .isFloat = isFloat, .isMatrix = true};
  std::string cut;
  for (Extent extent : shape) {
    variable.shape.push_back({std::max<int64_t>(extent.value, 1), -1});
    cut += (cut.empty() ? "0..." : ", 0...") + std::to_string(extent.value);
  }
  variable.isFixed.assign(shape.size(), true);
  std::string init = initializer(variable);
  line("var " + typeOf(variable) + " " + variable.name + " = " + init + ";");
  Variable &defined = declare(variable);
  if (defined.shape == shape)
    return this->variable(defined);
  return {defined.name + "{" + cut + "}", 11, defined.bound, shape};
}

Piece Writer::elementwise(bool isFloat, const Shape &shape, int depth) {
  static const char *const signs[] = {"+", "-", "*", "/"};
  int64_t which = random.below(100) < 90 ? random.below(3) : 3;
  const char *sign = signs[which];
  int level = which < 2 ? 6 : 7;
  Piece lhs = matrix(isFloat, shape, depth), rhs = matrix(isFloat, shape, 0), result;
  int64_t scalarSide = random.below(100);
  if (scalarSide < 20)
    lhs = scalar(isFloat, 1);
  else if (scalarSide < 45)
    rhs = scalar(isFloat, 1);
  if (!isFloat && which == 3) {
    rhs = nonZero(0);
    if (lhs.shape.empty())
      lhs = matrix(false, shape, 0);
    Variable *divisor =
        find([&](const Variable &v) { return v.isMatrix && !v.isFloat && v.shape == shape; });
    if (divisor && divisor->bound.isIn(Interval::within(5000)) && random.chance(40))
      rhs = binary(binary(variable(*divisor), "*", 7, variable(*divisor)), "+", 6, literal(1));
    else if (divisor && flaw == Flaw::Division && random.chance(30))
      rhs = variable(*divisor);
    lhs = reduced(lhs, INT32_MAX / 2);
    result = binary(lhs, "/", 7, rhs);
    result.range = lhs.range | (Interval{0, 0} - lhs.range);
    result.shape = shape;
    return result;
  }
  auto compute = [&] {
    result = binary(lhs, sign, level, rhs);
    result.range = which == 0   ? lhs.range + rhs.range
                   : which == 1 ? lhs.range - rhs.range
                                : lhs.range * rhs.range;
    result.shape = shape;
  };
  compute();
  if (isFloat || result.range.isIn(anyInt))
    return result;
  if (flaw == Flaw::Overflow && random.chance(50)) {
    result.range = anyInt;
    return result;
  }
  lhs = reduced(lhs, 20000);
  rhs = reduced(rhs, 20000);
  compute();
  return result;
}

std::optional<Piece> Writer::product(bool isFloat, const Shape &shape, int depth) {
  if (shape.size() != 2)
    return std::nullopt;
  Extent inner{knownSize(), -1};
  if (!isKnown(shape)) {
    Variable *lhs = find([&](const Variable &v) {
      return v.isMatrix && v.isFloat == isFloat && v.shape.size() == 2 && v.shape[0] == shape[0];
    });
    if (!lhs)
      return std::nullopt;
    inner = lhs->shape[1];
  }
  Shape left{shape[0], inner}, right{inner, shape[1]};
  bool isTooMuch = weight * numElements(shape) * (inner.isKnown() ? inner.value : 6) > 200000;
  if (isTooMuch || !isAvailable(isFloat, left) || !isAvailable(isFloat, right))
    return std::nullopt;
  spend(shape, inner.isKnown() ? inner.value : 6);
  Piece lhs = reduced(matrix(isFloat, left, depth), 500),
        rhs = reduced(matrix(isFloat, right, 0), 500);
  Piece result = binary(lhs, "#", 10, rhs);
  int64_t terms = inner.isKnown() ? inner.value : 3000;
  if (!inner.isKnown()) {
    lhs = reduced(lhs, 100);
    result = binary(lhs, "#", 10, rhs);
  }
  result.range = lhs.range * rhs.range * Interval{terms, terms} | Interval{0, 0};
  result.shape = shape;
  return result;
}

std::optional<Piece> Writer::slice(bool isFloat, const Shape &shape, int depth) {
  std::vector<Variable *> bases = visible([&](const Variable &v) {
    return v.isMatrix && v.isFloat == isFloat && v.shape.size() == shape.size();
  });
  for (int tries = 0; tries < 3 && !bases.empty(); ++tries) {
    Variable &base = *random.pick(bases);
    size_t ranged = random.below(shape.size());
    std::string indices;
    bool fits = true;
    for (size_t dim = 0; dim < shape.size() && fits; ++dim) {
      std::optional<std::string> one;
      if (dim != ranged && shape[dim] == Extent{1, -1} && random.chance(60))
        if (std::optional<Piece> position = index(base.shape[dim], depth))
          one = position->text;
      if (!one)
        one = sliceIndex(base.shape[dim], shape[dim], depth);
      fits = one.has_value();
      indices += (dim ? ", " : "") + one.value_or("");
    }
    if (!fits)
      continue;
    std::string text = base.name + "{" + indices + "}";
    if (random.chance(10)) { // A slice of a slice: the first takes all.
      std::string all;
      for (size_t dim = 0; dim < shape.size(); ++dim)
        all += (dim ? ", 0..." : "0...") + base.name + " $ " + std::to_string(dim);
      text = base.name + "{" + all + "}{" + indices + "}";
    }
    return Piece{text, 11, base.bound, shape};
  }
  return std::nullopt;
}

std::optional<std::string> Writer::sliceIndex(Extent from, Extent to, int depth) {
  if (from == to && (random.chance(30) || !to.isKnown())) {
    std::optional<Piece> size = extentText(to);
    return size ? std::optional("0..." + size->text) : std::nullopt;
  }
  if (!from.isKnown() || !to.isKnown() || to.value > from.value)
    return std::nullopt;
  int64_t room = from.value - to.value;
  Variable *counting =
      find([&](const Variable &v) { return !v.isMatrix && v.isCounting && v.now.isIn({0, room}); });
  if (counting && random.chance(50))
    return counting->name + "..." + counting->name + " + " + std::to_string(to.value);
  int64_t begin = random.between(0, room), end = begin + to.value;
  std::string text = random.chance(10) ? opaque(begin) : std::to_string(begin);
  text += "..." + (random.chance(15) ? opaque(end) : std::to_string(end));
  return random.chance(10) ? "(" + text + ")" : text;
}

/// Fits the variable's type and shape, and sets its bound.
std::string Writer::initializer(Variable &variable) {
  bool isStatic =
      std::find(variable.isFixed.begin(), variable.isFixed.end(), false) == variable.isFixed.end();
  int64_t roll = random.below(100), count = isStatic ? numElements(variable.shape) : 0;
  variable.bound = Interval::within(1000);
  if (isStatic && roll < 20)
    return reduced(scalar(variable.isFloat, 1), 1000).text;
  if (isStatic && roll < 55 && !variable.isFloat) {
    variable.bound = Interval::within(5000);
    int64_t begin = random.between(-20, 20);
    if (random.chance(30))
      if (Variable *offset = find([](const Variable &v) {
            return !v.isMatrix && !v.isFloat && v.bound.isIn(Interval::within(1000));
          }))
        return offset->name + "..." + offset->name + " + " + std::to_string(count);
    return std::to_string(begin) + "..." + std::to_string(begin + count);
  }
  if (isStatic && count <= 12 && (roll < 85 || variable.shape.size() == 1))
    return list(variable.isFloat, count, 1).text;
  bool canCompute = isAvailable(variable.isFloat, variable.shape) && roll % 2;
  if (!canCompute && isStatic)
    return reduced(scalar(variable.isFloat, 1), 1000).text;
  return reduced(matrix(variable.isFloat, variable.shape, 2), 1000).text;
}

/// Whether the variable has the parameter's shape, for some choice of the unbound symbols.
bool Writer::fits(const Variable &variable, const Variable &parameter,
                  std::map<int, Extent> symbols) {
  if (!variable.isMatrix || variable.isFloat != parameter.isFloat ||
      variable.shape.size() != parameter.shape.size())
    return false;
  for (size_t dim = 0; dim < variable.shape.size(); ++dim) {
    Extent wanted = parameter.shape[dim], given = variable.shape[dim];
    if (!wanted.isKnown() && minOf(given) < symbolMin[wanted.symbol])
      return false;
    if (!wanted.isKnown())
      wanted = symbols.try_emplace(wanted.symbol, given).first->second;
    if (wanted != given)
      return false;
  }
  return true;
}

/// An argument of the shape that the callee relies on; nullopt if there is none.
std::optional<Piece> Writer::matrixArgument(const Variable &parameter,
                                            std::map<int, Extent> &symbols, int depth) {
  Variable *model = find([&](const Variable &v) { return fits(v, parameter, symbols); });
  Shape shape;
  for (size_t dim = 0; dim < parameter.shape.size(); ++dim) {
    Extent wanted = parameter.shape[dim], given = model ? model->shape[dim] : Extent{knownSize()};
    if (!wanted.isKnown())
      wanted = symbols.try_emplace(wanted.symbol, given).first->second;
    shape.push_back(wanted);
  }
  if (!isAvailable(parameter.isFloat, shape) || weight * numElements(shape) > 20000)
    return std::nullopt;
  return reduced(matrix(parameter.isFloat, shape, std::min(depth, 1)), 1000);
}

std::optional<Piece> Writer::call(const Function &callee, int depth) {
  if (weight * callee.cost > 20000)
    return std::nullopt;
  cost += weight * callee.cost;
  std::map<int, Extent> symbols;
  std::string arguments;
  for (const Variable &parameter : callee.parameters) {
    bool isFirst = &parameter == &callee.parameters.front();
    std::optional<Piece> argument;
    if (isFirst && callee.countsDown)
      argument = literal(random.below(5));
    else if (parameter.isMatrix)
      argument = matrixArgument(parameter, symbols, depth);
    else
      argument = reduced(scalar(parameter.isFloat, depth), 1000);
    if (!argument)
      return std::nullopt;
    arguments += (isFirst ? "" : ", ") + argument->text;
  }
  Piece result{callee.name + "(" + arguments + ")", 11, {}, {}};
  if (!callee.result.isFloat)
    result.range = callee.result.bound;
  for (Extent extent : callee.result.shape) {
    bool isOpen = !extent.isKnown() && !symbols.count(extent.symbol);
    result.shape.push_back(extent.isKnown() ? extent
                           : isOpen         ? newSymbol(symbolMin[extent.symbol])
                                            : symbols[extent.symbol]);
  }
  return result;
}

std::optional<Piece> Writer::callReturning(bool isFloat, const Shape *shape, int depth) {
  for (int tries = 0; tries < 2 && !functions.empty(); ++tries) {
    const Function &callee = random.pick(functions);
    bool fits = callee.hasResult && callee.result.isFloat == isFloat &&
                callee.result.isMatrix == (shape != nullptr);
    if (!fits || (shape && callee.result.shape.size() != shape->size()))
      continue;
    std::optional<Piece> piece = call(callee, depth);
    if (piece && (!shape || piece->shape == *shape))
      return piece;
  }
  return std::nullopt;
}
