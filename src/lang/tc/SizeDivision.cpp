#include "lang/tc/SizeNode.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace tessera::tc {

using llvm::SmallVector;
using Term = Size::Term;

/// size = divisor * result + remainder, where no term of the remainder is a multiple of the divisor
/// and its constant is in [0, divisor). Terms are not divided further, although 3*n/2 is n + n/2:
/// a reader would not recognize them. The divisor is positive.
Size SizeContext::divideTerms(Size size, int64_t divisor, Size &remainder) {
  SmallVector<Term> whole, rest;
  for (const Term &term : size.terms())
    if (term.coefficient % divisor == 0)
      whole.push_back({term.coefficient / divisor, term.atom});
    else
      rest.push_back(term);
  int64_t quotient = llvm::divideFloorSigned(size.offset(), divisor);
  remainder = sum(rest, size.offset() - quotient * divisor);
  return sum(whole, quotient);
}

Size SizeContext::floorDiv(Size a, Size b) {
  if (!a || !b)
    return {};
  if (auto divisor = b.constant()) {
    if (*divisor < 0)
      return floorDiv(scale(a, -1), scale(b, -1));
    return *divisor == 0 ? Size() : floorDivBy(a, *divisor);
  }
  if (a == constant(0))
    return a;
  if (a == b && lowerBound(b).value_or(0) > 0)
    return constant(1);
  return intern(SizeNode::make(Size::FloorDiv, 0, {}, {a, b}));
}

/// The greatest common divisor of the divisor and all coefficients.
static int64_t commonDivisor(Size size, int64_t divisor) {
  for (const Term &term : size.terms())
    divisor = std::gcd(divisor, term.coefficient);
  return divisor;
}

/// floor((floor(x / d) + r) / c) as x + r*d, to be divided by c*d. Null if it does not have this
/// form.
static Size nestedDividend(SizeContext &context, Size size, int64_t &divisor) {
  if (size.terms().size() != 1 || size.terms()[0].coefficient != 1 ||
      size.terms()[0].atom.kind() != Size::FloorDiv)
    return {};
  llvm::ArrayRef<Size> inner = size.terms()[0].atom.operands();
  int64_t product, shift;
  if (!inner[1].constant() || llvm::MulOverflow(*inner[1].constant(), divisor, product) ||
      llvm::MulOverflow(*inner[1].constant(), size.offset(), shift))
    return {};
  divisor = product;
  return context.add(inner[0], context.constant(shift));
}

Size SizeContext::floorDivBy(Size dividend, int64_t divisor) {
  Size rest, whole = divideTerms(dividend, divisor, rest);
  if (!whole || !rest || rest.constant()) // A constant rest is below the divisor.
    return rest ? whole : rest;
  // floor((g*x + r) / (g*c)) = floor((x + floor(r / g)) / c)
  int64_t common = commonDivisor(rest, divisor);
  SmallVector<Term> terms(rest.terms());
  for (Term &term : terms)
    term.coefficient /= common;
  rest = sum(terms, rest.offset() / common);
  divisor /= common;
  if (Size nested = nestedDividend(*this, rest, divisor))
    return add(whole, floorDivBy(nested, divisor));
  auto lower = lowerBound(rest), upper = upperBound(rest);
  if (lower && upper &&
      llvm::divideFloorSigned(*lower, divisor) == llvm::divideFloorSigned(*upper, divisor))
    return add(whole, constant(llvm::divideFloorSigned(*lower, divisor)));
  return add(whole, intern(SizeNode::make(Size::FloorDiv, 0, {}, {rest, constant(divisor)})));
}

/// By a positive constant: floor((a + b - 1) / b), whose terms keep their signs.
Size SizeContext::ceilDiv(Size a, Size b) {
  if (b && b.constant().value_or(0) > 0)
    return floorDiv(add(a, constant(*b.constant() - 1)), b);
  return scale(floorDiv(scale(a, -1), b), -1);
}

Size SizeContext::mod(Size a, Size b) {
  if (!a || !b)
    return {};
  std::optional<int64_t> divisor = b.constant();
  if (!divisor) {
    if (a == constant(0))
      return a;
    return intern(SizeNode::make(Size::Mod, 0, {}, {a, b}));
  }
  if (*divisor == 0)
    return {};
  if (*divisor < 0)
    return scale(mod(scale(a, -1), scale(b, -1)), -1);
  Size rest;
  divideTerms(a, *divisor, rest);
  auto lower = lowerBound(rest), upper = upperBound(rest);
  if (!rest || (lower && upper && *lower >= 0 && *upper < *divisor))
    return rest;
  return intern(SizeNode::make(Size::Mod, 0, {}, {rest, b}));
}

} // namespace tessera::tc
