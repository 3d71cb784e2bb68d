#include "lang/tc/Promote.h"

using namespace tessera;
using namespace tessera::tc;

static Scalar wider(Scalar a, Scalar b) {
  return bitsOf(a) >= bitsOf(b) ? a : b;
}

static Scalar promoteFloats(Scalar a, Scalar b) {
  bool areDifferentHalves = a != b && bitsOf(a) == bitsOf(b);
  return areDifferentHalves ? Scalar::F32 : wider(a, b);
}

static Scalar signedOf(unsigned bits) {
  switch (bits) {
  case 8:
    return Scalar::I8;
  case 16:
    return Scalar::I16;
  case 32:
    return Scalar::I32;
  default:
    return Scalar::I64;
  }
}

Scalar tc::promote(Scalar a, Scalar b) {
  if (a == b)
    return a;
  if (a == Scalar::Bool || b == Scalar::Bool)
    return a == Scalar::Bool ? b : a;
  if (isFloat(a) && isFloat(b))
    return promoteFloats(a, b);
  if (isFloat(a) || isFloat(b))
    return isFloat(a) ? a : b;
  if (kindOf(a) == kindOf(b))
    return wider(a, b);
  return signedOf(std::max(bitsOf(a), bitsOf(b)));
}

Scalar tc::arithmeticType(Scalar type) {
  return type == Scalar::Bool ? Scalar::I32 : type;
}

bool tc::convertsTo(Scalar from, Scalar to) {
  return promote(from, to) == to;
}

//===- Width ------------------------------------------------------------------------------------===

Width tc::widthOf(const Expr &a, const Expr &b) {
  if (a.width == Width::Wide || b.width == Width::Wide)
    return Width::Wide;
  return a.width == b.width ? a.width : Width::Narrow;
}

/// An argument without dimensions can be a size, so it counts as one.
static Width widthOfArgument(const Tensor *tensor) {
  return !tensor->rank && tensor->kind == Tensor::Input ? Width::Wide : Width::Narrow;
}

Width tc::widthOf(const Expr &expr) {
  if (auto *reference = expr.as<Reference>()) {
    if (reference->let)
      return reference->let->value->width;
    return reference->tensor ? widthOfArgument(reference->tensor) : Width::Wide;
  }
  if (auto *apply = expr.as<Apply>())
    return apply->tensor ? widthOfArgument(apply->tensor)
                         : tc::widthOf(*apply->arguments[0], *apply->arguments[1]);
  if (auto *binary = expr.as<Binary>())
    return tc::widthOf(*binary->lhs, *binary->rhs);
  if (auto *conditional = expr.as<Conditional>())
    return tc::widthOf(*conditional->ifTrue, *conditional->ifFalse);
  if (auto *paren = expr.as<Paren>())
    return paren->inner->width;
  if (auto *unary = expr.as<Unary>())
    return unary->operand->width;
  if (auto *cast = expr.as<Cast>())
    return cast->operand->width; // Narrow, unless it is an int32 already.
  return expr.as<IntLiteral>() ? Width::Literal : Width::Wide;
}

Scalar tc::computedIn(const Expr &expr) {
  return expr.isWide() ? Scalar::I64 : *expr.type;
}
