#include "Form.h"
#include "Number.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

int64_t random::floorDivided(int64_t a, int64_t b) {
  return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}

bool Form::isNumber() const {
  return !isData && others.empty() && llvm::all_of(factors, [](int64_t f) { return f == 0; });
}

Form FormMaker::number(int64_t value) const {
  return {.factors = std::vector<int64_t>(numVariables), .rest = value, .others = {}};
}

Form FormMaker::data() const {
  return {.isData = true, .factors = std::vector<int64_t>(numVariables), .others = {}};
}

Form FormMaker::other(const Expr &self) const {
  Form form = number(0);
  form.others.push_back({1, &self});
  return form;
}

static bool isInteger(std::optional<Scalar> type) {
  return type && *type != Scalar::Bool && kindOf(*type) != ScalarKind::Float;
}

static bool isSizeType(std::optional<Scalar> type) {
  return type == Scalar::I32 || type == Scalar::I64;
}

/// Bounds [tc.sizeexpr.5] and expressions of sizes and indices [tc.size.8] are computed in 64 bits.
/// Other numbers wrap, and nothing is known about other narrow values.
Form FormMaker::wrapped(Form value, const Expr &self) const {
  if (value.isData || isBound || self.isWide() || bitsOf(*self.type) == 64)
    return value;
  return value.isNumber() ? number(random::wrapped(value.rest, *self.type)) : data();
}

static void addTo(Form &sum, const Form &term, int64_t factor) {
  sum.isData |= term.isData;
  sum.isVague |= term.isVague;
  sum.rest += factor * term.rest;
  for (auto [to, from] : llvm::zip(sum.factors, term.factors))
    to += factor * from;
  for (const Form::Other &other : term.others)
    if (factor)
      sum.others.push_back({factor * other.factor, other.expr});
}

Form FormMaker::of(const Expr &expr) const {
  const Expr &bare = expr.bare();
  if (auto *literal = bare.as<IntLiteral>())
    return number(int64_t(literal->value));
  if (auto *reference = bare.as<Reference>())
    return ofReference(*reference);
  if (auto *extent = bare.as<Extent>())
    return number(plan.tensors.at(extent->tensor)[extent->dimension].size());
  if (auto *apply = bare.as<Apply>())
    return ofApply(*apply, bare);
  if (auto *cast = bare.as<Cast>())
    return ofCast(*cast);
  if (auto *binary = bare.as<Binary>())
    return ofBinary(*binary, bare);
  auto *unary = bare.as<Unary>();
  if (!unary || unary->op != UnaryOp::Minus || !isInteger(bare.type))
    return data();
  Form sum = number(0);
  addTo(sum, of(*unary->operand), -1);
  return wrapped(sum, bare);
}

Form FormMaker::ofReference(const Reference &reference) const {
  if (reference.size)
    return number(plan.sizes[*reference.size]);
  if (reference.let)
    return of(*reference.let->value);
  if (reference.tensor)
    return ofElement(reference.tensor);
  if (reference.variable->index >= numVariables)
    return data();
  Form form = number(0);
  form.factors[reference.variable->index] = 1;
  return form;
}

Form FormMaker::ofElement(const Tensor *tensor) const {
  auto scalar = plan.scalars.find(tensor);
  return scalar == plan.scalars.end() ? data() : number(scalar->second);
}

Form FormMaker::ofApply(const Apply &apply, const Expr &self) const {
  if (apply.tensor)
    return ofElement(apply.tensor);
  if ((apply.builtin != Builtin::min && apply.builtin != Builtin::max) || !isInteger(self.type))
    return data();
  Form a = of(*apply.arguments[0]), b = of(*apply.arguments[1]);
  if (a.isData || b.isData)
    return data();
  if (!a.isNumber() || !b.isNumber())
    return other(self);
  return number(apply.builtin == Builtin::min ? std::min(a.rest, b.rest)
                                              : std::max(a.rest, b.rest));
}

/// A cast that keeps every value, a cast between types that sizes may have, or a cast of a number.
Form FormMaker::ofCast(const Cast &cast) const {
  std::optional<Scalar> from = cast.operand->type;
  if (!isInteger(from) || !isInteger(cast.type))
    return data();
  bool isWider = bitsOf(cast.type) > bitsOf(*from);
  bool isSame = kindOf(cast.type) == kindOf(*from);
  bool keeps = isSame ? isWider : isWider && kindOf(cast.type) == ScalarKind::Signed;
  Form form = of(*cast.operand);
  bool isSize = isSizeType(cast.type) && isSizeType(from);
  if (keeps || cast.type == *from || isBound)
    return form;
  if (form.isNumber())
    return number(random::wrapped(form.rest, cast.type));
  return isSize ? form : data();
}

Form FormMaker::ofBinary(const Binary &binary, const Expr &self) const {
  if (classOf(binary.op) != OpClass::Arithmetic || !isInteger(self.type))
    return data();
  bool divides = binary.op == BinaryOp::Div || binary.op == BinaryOp::Mod;
  Form a = of(*binary.lhs), b = of(*binary.rhs);
  if (a.isData || b.isData)
    return data();
  if (divides) {
    if (!a.isNumber() || !b.isNumber())
      return binary.op == BinaryOp::Mod ? other(self) : wrapped(other(self), self);
    int64_t quotient = floorDivided(a.rest, b.rest);
    bool isMod = binary.op == BinaryOp::Mod;
    return wrapped(number(isMod && b.rest ? a.rest - quotient * b.rest : quotient), self);
  }
  if (binary.op != BinaryOp::Mul) {
    addTo(a, b, binary.op == BinaryOp::Add ? 1 : -1);
    return wrapped(a, self);
  }
  if (!a.isNumber() && !b.isNumber())
    return wrapped(other(self), self);
  if (a.isNumber())
    std::swap(a, b);
  Form product = number(0);
  addTo(product, a, b.rest);
  product.isVague |= !a.isNumber() && b.rest == 0;
  return wrapped(product, self);
}

int64_t FormMaker::at(const Expr &expr, llvm::ArrayRef<int64_t> point) const {
  Form form = of(expr);
  int64_t value = form.rest;
  for (auto [factor, coordinate] : llvm::zip(form.factors, point))
    value += factor * coordinate;
  for (const Form::Other &other : form.others) {
    auto *binary = other.expr->as<Binary>();
    auto *apply = other.expr->as<Apply>();
    int64_t a = at(binary ? *binary->lhs : *apply->arguments[0], point),
            b = at(binary ? *binary->rhs : *apply->arguments[1], point);
    int64_t result = !binary && apply->builtin == Builtin::min ? std::min(a, b)
                     : !binary                                 ? std::max(a, b)
                     : binary->op == BinaryOp::Mul             ? a * b
                     : binary->op == BinaryOp::Div             ? floorDivided(a, b)
                     : b == 0                                  ? 0
                                                               : a - floorDivided(a, b) * b;
    value += other.factor * result;
  }
  return value;
}

void FormMaker::collect(const Expr &expr, std::vector<bool> &variables) const {
  Form form = of(expr);
  for (auto [number, factor] : llvm::enumerate(form.factors))
    if (factor)
      variables[number] = true;
  for (const Form::Other &other : form.others) {
    auto *binary = other.expr->as<Binary>();
    auto *apply = other.expr->as<Apply>();
    collect(binary ? *binary->lhs : *apply->arguments[0], variables);
    collect(binary ? *binary->rhs : *apply->arguments[1], variables);
  }
}
