/// Scalar expressions.
#include "Writer.h"
#include <algorithm>

using namespace tessera::ttl::random;

Interval Interval::operator*(Interval other) const {
  int64_t corners[] = {lo * other.lo, lo * other.hi, hi * other.lo, hi * other.hi};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

Interval Interval::operator|(Interval other) const {
  return {std::min(lo, other.lo), std::max(hi, other.hi)};
}

static int64_t magnitude(Interval range) {
  return std::max(std::abs(range.lo), std::abs(range.hi));
}

std::string Writer::in(const Piece &piece, int level) {
  bool needsParens = piece.level < level || random.chance(4);
  return needsParens ? "(" + piece.text + ")" : piece.text;
}

Piece Writer::binary(const Piece &lhs, const char *op, int level, const Piece &rhs) {
  return {in(lhs, level) + " " + op + " " + in(rhs, level + 1), level, {}, {}};
}

Piece Writer::literal(int64_t value) {
  return {std::to_string(value), value < 0 ? 8 : 11, {value, value}, {}};
}

Piece Writer::floatLiteral() {
  static const char *const literals[] = {"0.0",  "0.5", "1.0", "1.5",   "2.0",
                                         "3.25", "0.1", "7.0", "100.0", "0.001"};
  return {random.pick(literals)};
}

Piece Writer::variable(const Variable &variable) {
  Interval range = variable.isFloat    ? Interval()
                   : variable.isMatrix ? variable.bound
                                       : variable.now;
  return {variable.name, 11, range, variable.shape};
}

/// A number whose value the checker does not see.
Piece Writer::hidden(int64_t value) {
  useHelper("hide");
  return {"hide(" + std::to_string(value) + ")", 11, anyInt, {}};
}

std::string Writer::opaque(int64_t value) {
  useHelper("opaque");
  return "opaque(" + std::to_string(random.between(1, 2)) + ", " + std::to_string(value) + ")";
}

/// Applies a division, or for scalars a remainder.
Piece Writer::reduced(Piece piece, int64_t limit) {
  if (piece.range.isIn(Interval::within(limit)))
    return piece;
  if (piece.shape.empty() && random.chance(60)) {
    useHelper("modulo");
    std::string text = "modulo(" + piece.text + ", " + std::to_string(limit + 1) + ")";
    return {text, 11, Interval::within(limit), {}};
  }
  int64_t divisor = magnitude(piece.range) / limit + 1;
  Piece result = binary(piece, "/", 7, literal(divisor));
  result.range = Interval::within(limit);
  result.shape = piece.shape;
  return result;
}

Piece Writer::intExpr(int depth) {
  int64_t roll = random.below(depth > 0 ? 100 : 40);
  std::optional<Piece> piece;
  if (roll < 2) {
    int64_t value = random.between(-9, 9);
    return {opaque(value), 11, {value, value}, {}};
  }
  if (roll < 12)
    return literal(random.chance(85) ? random.below(10) : random.between(-1000, 1000));
  if (roll < 30) {
    if (Variable *found = find([](const Variable &v) { return !v.isMatrix && !v.isFloat; }))
      return variable(*found);
    return literal(random.below(10));
  }
  if (roll < 40)
    piece = random.chance(65) ? element(false, 0) : size();
  else if (roll < 48)
    piece = element(false, depth);
  else if (roll < 56)
    return comparison(depth - 1);
  else if (roll < 62)
    return logic(depth - 1);
  else if (roll < 68)
    piece = callReturning(false, nullptr, depth - 1);
  else if (roll < 72) {
    int64_t count = random.between(1, 4);
    Piece all = list(false, count, depth - 1);
    return {all.text + "{" + index({count, -1}, 0)->text + "}", 11, all.range, {}};
  }
  return piece ? *piece : depth > 0 ? intArithmetic(depth - 1) : literal(random.below(20));
}

Piece Writer::intArithmetic(int depth) {
  Piece lhs = intExpr(depth), rhs = intExpr(depth), result;
  int64_t roll = random.below(100);
  auto compute = [&] {
    if (roll < 10) {
      bool startsWithMinus = lhs.text.front() == '-';
      result = {"-" + in(lhs, startsWithMinus ? 12 : 8), 8, Interval{0, 0} - lhs.range, {}};
    } else if (roll < 45) {
      result = binary(lhs, "+", 6, rhs);
      result.range = lhs.range + rhs.range;
    } else if (roll < 65) {
      result = binary(lhs, "-", 6, rhs);
      result.range = lhs.range - rhs.range;
    } else {
      result = binary(lhs, "*", 7, rhs);
      result.range = lhs.range * rhs.range;
    }
  };
  if (roll >= 82) {
    lhs = reduced(lhs, INT32_MAX / 2);
    result = binary(lhs, "/", 7, nonZero(depth));
    result.range = Interval::within(magnitude(lhs.range));
    return result;
  }
  compute();
  if (result.range.isIn(anyInt))
    return result;
  bool mayOverflow =
      flaw == Flaw::Overflow && !(lhs.range.isOne() && (rhs.range.isOne() || roll < 10));
  if (mayOverflow && random.chance(50)) {
    result.range = anyInt;
    return result;
  }
  lhs = reduced(lhs, 20000);
  rhs = reduced(rhs, 20000);
  compute();
  return result;
}

Piece Writer::nonZero(int depth) {
  int64_t roll = random.below(100);
  if (flaw == Flaw::Division && roll < 15)
    return random.chance(50) ? hidden(random.below(3)) : variable(counter());
  Variable *small = find([](const Variable &v) {
    return !v.isMatrix && !v.isFloat && v.bound.isIn(Interval::within(1000));
  });
  if (small && roll < 40) {
    Piece result = binary(binary(variable(*small), "*", 7, variable(*small)), "+", 6, literal(1));
    result.range = {1, 1000001};
    return result;
  }
  if (roll < 55) {
    useHelper("wrap");
    return {"wrap(" + intExpr(depth).text + ", 7) + 1", 6, {1, 7}, {}};
  }
  int64_t value = random.between(1, 9);
  return literal(random.chance(30) ? -value : value);
}

Piece Writer::comparison(int depth) {
  static const char *const signs[] = {"<", ">", "<=", ">=", "==", "!="};
  bool isFloat = random.chance(40);
  Piece result = binary(scalar(isFloat, depth), random.pick(signs), 5, scalar(isFloat, depth));
  result.range = {0, 1};
  return result;
}

Piece Writer::logic(int depth) {
  Piece result;
  if (random.chance(30))
    result = {"!" + in(intExpr(depth), 5), 4, {}, {}};
  else if (random.chance(50))
    result = binary(intExpr(depth), "&", 3, intExpr(depth));
  else
    result = binary(intExpr(depth), "|", 2, intExpr(depth));
  result.range = {0, 1};
  return result;
}

Piece Writer::floatExpr(int depth) {
  int64_t roll = random.below(depth > 0 ? 100 : 45);
  std::optional<Piece> piece;
  if (roll < 10)
    return floatLiteral();
  if (roll < 30) {
    Variable *found = find([](const Variable &v) { return !v.isMatrix && v.isFloat; });
    return found ? variable(*found) : floatLiteral();
  }
  if (roll < 55)
    piece = element(true, depth);
  else if (roll < 62)
    piece = callReturning(true, nullptr, depth - 1);
  else if (roll < 66) {
    int64_t count = random.between(1, 4);
    return {list(true, count, depth - 1).text + "{" + index({count, -1}, 0)->text + "}"};
  }
  return piece ? *piece : depth > 0 ? floatArithmetic(depth - 1) : floatLiteral();
}

Piece Writer::floatArithmetic(int depth) {
  Piece lhs = floatExpr(depth), rhs = floatExpr(depth);
  int64_t roll = random.below(100);
  if (roll < 8)
    return {"-" + in(lhs, lhs.text.front() == '-' ? 12 : 8), 8, {}, {}};
  return roll < 40   ? binary(lhs, "+", 6, rhs)
         : roll < 65 ? binary(lhs, "-", 6, rhs)
         : roll < 90 ? binary(lhs, "*", 7, rhs)
                     : binary(lhs, "/", 7, rhs);
}

std::optional<Piece> Writer::element(bool isFloat, int depth) {
  Variable *found = find([&](const Variable &v) { return v.isMatrix && v.isFloat == isFloat; });
  if (!found)
    return std::nullopt;
  Piece base = variable(*found);
  bool isSmall = weight * numElements(base.shape) < 300;
  if (depth > 0 && isSmall && random.chance(15))
    base = matrix(isFloat, base.shape, 1);
  std::string indices;
  for (Extent extent : base.shape) {
    std::optional<Piece> one = index(extent, depth - 1);
    if (!one)
      return std::nullopt;
    indices += (indices.empty() ? "" : ", ") + one->text;
  }
  return Piece{in(base, 11) + "{" + indices + "}", 11, base.range, {}};
}

std::optional<Piece> Writer::size() {
  if (random.chance(20)) { // The size of a result, which must still be computed.
    bool isFloat = random.chance(50);
    Shape shape = knownShape(random.between(1, 2));
    Piece base = matrix(isFloat, shape, 1);
    int64_t dim = random.below(shape.size());
    return Piece{
        in(base, 9) + " $ " + std::to_string(dim), 9, {shape[dim].value, shape[dim].value}, {}};
  }
  Variable *found = find([](const Variable &v) { return v.isMatrix; });
  if (!found)
    return std::nullopt;
  int64_t dim = random.below(found->shape.size());
  Extent extent = found->shape[dim];
  Interval range =
      extent.isKnown() ? Interval{extent.value, extent.value} : Interval{minOf(extent), 3000};
  return Piece{found->name + " $ " + std::to_string(dim), 9, range, {}};
}

std::optional<Piece> Writer::extentText(Extent extent) {
  for (Variable *v : visible([](const Variable &v) { return v.isMatrix; }))
    for (size_t dim = 0; dim < v->shape.size(); ++dim)
      if (v->shape[dim] == extent && (!extent.isKnown() || random.chance(15)))
        return Piece{v->name + " $ " + std::to_string(dim),
                     9,
                     {minOf(extent), extent.isKnown() ? extent.value : 3000},
                     {}};
  return extent.isKnown() ? std::optional(literal(extent.value)) : std::nullopt;
}

std::optional<Piece> Writer::index(Extent extent, int depth) {
  int64_t least = minOf(extent);
  Variable *counting = find([&](const Variable &v) {
    bool isBelow = !extent.isKnown() && v.below == extent.symbol;
    return !v.isMatrix && !v.isFloat && v.isCounting && (isBelow || v.now.isIn({0, least - 1}));
  });
  if (counting && random.chance(70))
    return variable(*counting);
  if (least < 1)
    return counting ? std::optional(variable(*counting)) : std::nullopt;
  if (depth > 0 && random.chance(30))
    if (std::optional<Piece> size = extentText(extent)) {
      useHelper("wrap");
      return Piece{"wrap(" + intExpr(depth - 1).text + ", " + size->text + ")", 11, {0, 3000}, {}};
    }
  if (random.chance(15))
    if (std::optional<Piece> size = extentText(extent)) {
      Piece last = binary(*size, "-", 6, literal(1));
      last.range = {least - 1, size->range.hi - 1};
      return last;
    }
  return literal(random.below(least));
}
