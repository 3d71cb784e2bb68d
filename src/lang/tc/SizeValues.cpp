#include "lang/tc/SizeNode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::tc {

using llvm::ArrayRef;
using Bound = std::optional<int64_t>;
using Values = llvm::DenseMap<const SizeNode *, Bound>;

static Bound plus(Bound a, Bound b) {
  int64_t result;
  return a && b && !llvm::AddOverflow(*a, *b, result) ? Bound(result) : std::nullopt;
}

static Bound times(Bound a, Bound b) {
  int64_t result;
  return a && b && !llvm::MulOverflow(*a, *b, result) ? Bound(result) : std::nullopt;
}

//===- Values -------------------------------------------------------------------------------------

static Bound divide(Bound a, Bound b, bool wantsRemainder) {
  if (!a || !b || *b == 0)
    return std::nullopt;
  if (*b == -1) // The smallest integer has no negative.
    return wantsRemainder ? Bound(0) : times(a, b);
  int64_t quotient = llvm::divideFloorSigned(*a, *b);
  return wantsRemainder ? *a - quotient * *b : quotient;
}

static Bound combine(Size::Kind kind, Bound a, Bound b) {
  if (!a || !b)
    return std::nullopt;
  switch (kind) {
  case Size::Product:
    return times(a, b);
  case Size::FloorDiv:
  case Size::Mod:
    return divide(a, b, kind == Size::Mod);
  case Size::Min:
    return std::min(*a, *b);
  default:
    return std::max(*a, *b);
  }
}

/// Sizes share parts: each is evaluated once.
static Bound valueOf(Size size, ArrayRef<int64_t> symbols, Values &values) {
  if (auto known = values.find(size.key()); known != values.end())
    return known->second;
  Bound value;
  if (size.kind() == Size::Symbol) {
    if (size.symbol() < symbols.size())
      value = symbols[size.symbol()];
  } else if (size.operands().empty()) {
    value = size.offset();
    for (const Size::Term &term : size.terms())
      value = plus(value, times(term.coefficient, valueOf(term.atom, symbols, values)));
  } else {
    value = valueOf(size.operands()[0], symbols, values);
    for (Size operand : size.operands().drop_front())
      value = combine(size.kind(), value, valueOf(operand, symbols, values));
  }
  values[size.key()] = value;
  return value;
}

std::optional<int64_t> SizeContext::evaluate(Size size, ArrayRef<int64_t> symbols) const {
  Values values;
  return size ? valueOf(size, symbols, values) : std::nullopt;
}

std::optional<int64_t> SizeContext::lowerBound(Size size) const {
  return size ? size.node->interval.lower : std::nullopt;
}
std::optional<int64_t> SizeContext::upperBound(Size size) const {
  return size ? size.node->interval.upper : std::nullopt;
}

//===- Intervals ----------------------------------------------------------------------------------

static Interval add(Interval a, Interval b) {
  return {plus(a.lower, b.lower), plus(a.upper, b.upper)};
}

static Interval scale(Interval a, int64_t factor) {
  if (factor < 0)
    std::swap(a.lower, a.upper);
  return {times(a.lower, factor), times(a.upper, factor)};
}

static bool isNonNegative(Interval a) {
  return a.lower && *a.lower >= 0;
}
static Interval negated(Interval a) {
  return scale(a, -1);
}

static Interval multiply(Interval a, Interval b) {
  if (!isNonNegative(a) && a.upper && *a.upper <= 0)
    return negated(multiply(negated(a), b));
  if (!isNonNegative(b) && b.upper && *b.upper <= 0)
    return negated(multiply(a, negated(b)));
  if (isNonNegative(a) && isNonNegative(b))
    return {times(a.lower, b.lower).value_or(0), times(a.upper, b.upper)};
  Interval result;
  Bound corners[] = {times(a.lower, b.lower), times(a.lower, b.upper), times(a.upper, b.lower),
                     times(a.upper, b.upper)};
  if (!llvm::all_of(corners, [](Bound corner) { return corner.has_value(); }))
    return result;
  auto [least, most] = std::minmax_element(std::begin(corners), std::end(corners));
  return {*least, *most};
}

/// A bound of one operand bounds the min from above; bounds of all operands bound it from below.
static Interval smaller(Interval a, Interval b) {
  Interval result;
  if (a.lower && b.lower)
    result.lower = std::min(*a.lower, *b.lower);
  if (a.upper || b.upper)
    result.upper = std::min(a.upper.value_or(INT64_MAX), b.upper.value_or(INT64_MAX));
  return result;
}

/// Divides by something that is never negative. If the divisor may be 0, so may the quotient: TC's
/// programs then compute 0, and these intervals bound their indices.
static Interval divide(Interval a, Interval b) {
  if (!isNonNegative(b))
    return {};
  int64_t least = std::max<int64_t>(*b.lower, 1);
  Interval result;
  if (a.lower && *a.lower >= 0)
    result.lower = b.upper && *b.upper > 0 ? *a.lower / *b.upper : 0;
  else if (a.lower)
    result.lower = llvm::divideFloorSigned(*a.lower, least);
  if (a.upper && *a.upper >= 0)
    result.upper = *a.upper / least;
  else if (a.upper)
    result.upper = b.upper && *b.upper > 0 ? llvm::divideFloorSigned(*a.upper, *b.upper) : -1;
  if (*b.lower > 0)
    return result;
  if (result.lower)
    result.lower = std::min<int64_t>(*result.lower, 0);
  if (result.upper)
    result.upper = std::max<int64_t>(*result.upper, 0);
  return result;
}

static Interval remainder(Interval a, Interval b) {
  if (!isNonNegative(b))
    return {};
  Interval result{0, plus(b.upper, -1)};
  if (isNonNegative(a) && a.upper && (!result.upper || *a.upper < *result.upper))
    result.upper = a.upper;
  return result;
}

static Interval combine(Size::Kind kind, Interval a, Interval b) {
  switch (kind) {
  case Size::Product:
    return multiply(a, b);
  case Size::FloorDiv:
    return divide(a, b);
  case Size::Mod:
    return remainder(a, b);
  case Size::Min:
    return smaller(a, b);
  default:
    return negated(smaller(negated(a), negated(b)));
  }
}

Interval intervalOf(const SizeNode &node) {
  if (node.kind == Size::Sum) {
    Interval total{node.value, node.value};
    for (const Size::Term &term : node.terms)
      total = add(total, scale(term.atom.key()->interval, term.coefficient));
    return total;
  }
  Interval total = node.operands[0].key()->interval;
  for (Size operand : node.operands.drop_front())
    total = combine(node.kind, total, operand.key()->interval);
  return total;
}

} // namespace tessera::tc
