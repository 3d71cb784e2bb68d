#include "lang/tc/Forms.h"
#include "lang/tc/Promote.h"
#include <cmath>

using namespace tessera;
using namespace tessera::tc;

/// Chains of let clauses could be as long as the program. A deeper expression has a larger stack:
/// see Language.cpp.
static constexpr unsigned maxLetDepth = 2000;

static RealInterval valuesOf(Scalar type) {
  bool isUnsigned = kindOf(type) != ScalarKind::Signed;
  unsigned bits = type == Scalar::Bool ? 1 : isUnsigned ? bitsOf(type) : bitsOf(type) - 1;
  double limit = std::ldexp(1.0, std::min(bits, 62u)); // Far below where doubles become inexact.
  return {isUnsigned ? 0 : -limit, limit - 1};
}

Forms::Forms(const Comprehension &statement, const Frame &frame, Inferred &inferred)
    : frame(frame), sizes(inferred.sizes), hasStatement(true) {
  for (const Variable *variable : statement.variables) {
    Size symbol = sizes.symbol({variable->name.text.str(), /*isNonNegative=*/false});
    variableNumbers[symbol.key()] = variable->index;
    variableSymbols.push_back(symbol);
  }
  for (const auto &[tensor, size] : frame.scalars)
    if (size.kind() == Size::Symbol)
      intervals[size.key()] = valuesOf(tensor->element);
  // In their order, so that none recurses into a long chain of earlier ones.
  for (const Clause &clause : statement.where)
    if (auto *let = clause.as<LetClause>())
      let->value->type == Scalar::Bool ? void(conditionOf(*let, true)) : void(formOf(*let));
}

//===- Expressions ------------------------------------------------------------------------------===

Size Forms::of(const Expr &expr) {
  maxDepth = std::max({maxDepth, maxLetDepth, 2 * expr.depth});
  if (depth >= maxDepth)
    return opaque(expr);
  ++depth;
  Size result = std::visit([&](const auto &node) { return form(node, expr); }, expr.node);
  --depth;
  return result ? result : opaque(expr);
}

Size Forms::form(const IntLiteral &literal, const Expr &self) {
  return literal.value <= INT64_MAX ? sizes.constant(literal.value) : opaque(self);
}

Size Forms::form(const Reference &reference, const Expr &self) {
  if (reference.size)
    return frame.sizes[*reference.size];
  if (reference.let)
    return formOf(*reference.let);
  if (reference.variable)
    return hasStatement ? variableSymbols[reference.variable->index] : Size();
  return reference.tensor ? element(*reference.tensor, {}, self) : opaque(self);
}

Size Forms::formOf(const LetClause &let) {
  auto known = lets.find(&let);
  if (known != lets.end())
    return known->second;
  Size form = of(*let.value);
  lets[&let] = form;
  return form;
}

Size Forms::form(const Apply &apply, const Expr &self) {
  if (apply.tensor)
    return element(*apply.tensor, apply.arguments, self);
  bool isMin = apply.builtin == Builtin::min, isMax = apply.builtin == Builtin::max;
  if ((!isMin && !isMax) || !isIntegral(self.type) || apply.arguments.size() != 2)
    return opaque(self);
  Size a = of(*apply.arguments[0]), b = of(*apply.arguments[1]);
  return isMin ? sizes.min(a, b) : sizes.max(a, b);
}

/// The element that is read. The value of a scalar argument is a size.
Size Forms::element(const Tensor &tensor, llvm::ArrayRef<Expr *> indices, const Expr &self) {
  if (auto scalar = frame.scalars.find(&tensor); scalar != frame.scalars.end())
    return scalar->second;
  if (!hasStatement || !isIntegral(tensor.element))
    return opaque(self);
  std::vector<const SizeNode *> key;
  for (const Expr *index : indices) {
    Size form = of(*index);
    if (!form)
      return opaque(self);
    key.push_back(form.key());
  }
  Size &value = elements[{&tensor, std::move(key)}];
  if (!value)
    value = newData(tensor.name.text, tensor.element);
  return value;
}

Size Forms::form(const Extent &extent, const Expr &self) {
  auto shape = frame.tensors.find(extent.tensor);
  if (shape == frame.tensors.end() || extent.dimension >= shape->second.size())
    return opaque(self);
  const Range &range = shape->second[extent.dimension];
  return sizes.sub(range.upper, range.lower);
}

static bool includes(Scalar outer, Scalar inner) {
  if (kindOf(outer) == kindOf(inner))
    return bitsOf(outer) >= bitsOf(inner);
  return kindOf(outer) == ScalarKind::Signed && bitsOf(outer) > bitsOf(inner);
}

Size Forms::form(const Cast &cast, const Expr &self) {
  if (!isIntegral(cast.type) || !isIntegral(cast.operand->type))
    return opaque(self);
  Size value = of(*cast.operand);
  if (!value || includes(computedIn(self), computedIn(*cast.operand)))
    return value;
  bool isSize = cast.type == Scalar::I32 || cast.type == Scalar::I64;
  return isSize && !hasData(value) && !cast.operand->isWide() ? value : cut(value, cast.type);
}

Size Forms::form(const Unary &unary, const Expr &self) {
  if (unary.op != UnaryOp::Minus || !isIntegral(self.type))
    return opaque(self);
  return wrapped(sizes.sub(sizes.constant(0), of(*unary.operand)), self);
}

Size Forms::form(const Binary &binary, const Expr &self) {
  if (classOf(binary.op) != OpClass::Arithmetic || !isIntegral(self.type))
    return opaque(self);
  Size a = of(*binary.lhs), b = of(*binary.rhs);
  switch (binary.op) {
  case BinaryOp::Add:
    return wrapped(sizes.add(a, b), self);
  case BinaryOp::Sub:
    return wrapped(sizes.sub(a, b), self);
  case BinaryOp::Mul:
    return wrapped(sizes.mul(a, b), self);
  default:
    if (b && b.constant() == 0) // The quotient is 0, and so is the remainder [tc.own.7].
      return a ? b : a;
    return binary.op == BinaryOp::Div ? wrapped(sizes.floorDiv(a, b), self) : sizes.mod(a, b);
  }
}

Size Forms::form(const Conditional &conditional, const Expr &self) {
  if (!hasStatement || !isIntegral(self.type))
    return opaque(self);
  if (auto known = opaques.find(&self); known != opaques.end())
    return known->second;
  Size result = opaque(self);
  chosen.insert(result.key());
  RealInterval hull{0, 0};
  auto equals = [&](const Expr &expr) {
    Size value = of(expr);
    if (!value)
      return Condition::unknown();
    RealInterval arm = intervalOf(value);
    hull = {std::min(hull.least, arm.least), std::max(hull.most, arm.most)};
    return Condition{{Facts{sizes.sub(result, value), sizes.sub(value, result)}}, true};
  };
  Condition isTrue = both(condition(*conditional.condition, true), equals(*conditional.ifTrue));
  Condition isFalse = both(condition(*conditional.condition, false), equals(*conditional.ifFalse));
  conditionals.push_back(either(isTrue, isFalse));
  intervals[result.key()] = hull;
  return result;
}

//===- Wrapping around --------------------------------------------------------------------------===

/// What is computed in 64 bits from index variables and sizes alone does not wrap [tc.size.8].
Size Forms::wrapped(Size value, const Expr &self) {
  Scalar type = computedIn(self);
  if (!value || isBound || (type == Scalar::I64 && !hasData(value)))
    return value;
  return cut(value, type);
}

Size Forms::cut(Size value, Scalar type) {
  RealInterval interval = intervalOf(value);
  if (isBound || valuesOf(type).contains(interval))
    return value;
  if (!hasStatement)
    return {};
  // The same value cut twice gives the same result.
  Size &result = cuts[{value.key(), type}];
  if (!result) {
    if (!hasData(value) && !hasVariable(value))
      result = lowerBits(value, type);
    if (!result)
      result = newData("?", type);
    conditionals.push_back(cutsTo(value, result, type, interval));
  }
  return result;
}

/// The lower bits of a value that is known when the program is called. 64 bits always fit.
Size Forms::lowerBits(Size value, Scalar type) {
  if (bitsOf(type) == 64)
    return value;
  Size modulus = sizes.constant(int64_t(1) << bitsOf(type));
  Size least = sizes.constant(int64_t(valuesOf(type).least));
  return sizes.add(sizes.mod(sizes.sub(value, least), modulus), least);
}

/// The result is the value itself, or the value is beyond an end of the type. The ends of 64-bit
/// types are approximated from inside.
Condition Forms::cutsTo(Size value, Size result, Scalar type, const RealInterval &interval) {
  RealInterval fit = valuesOf(type);
  Condition condition{{Facts{sizes.sub(result, value), sizes.sub(value, result)}}, true};
  if (interval.most > fit.most)
    condition.alternatives.push_back(
        Facts{sizes.sub(sizes.sub(value, sizes.constant(int64_t(fit.most))), sizes.constant(1))});
  if (interval.least < fit.least)
    condition.alternatives.push_back(
        Facts{sizes.sub(sizes.constant(int64_t(fit.least)), sizes.add(value, sizes.constant(1)))});
  return condition;
}

static RealInterval product(const RealInterval &a, const RealInterval &b) {
  auto [least, most] =
      std::minmax({a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most});
  return {least, most};
}

RealInterval Forms::intervalOf(Size size) const {
  RealInterval sum{double(size.offset()), double(size.offset())};
  for (const Size::Term &term : size.terms()) {
    double factor = double(term.coefficient);
    RealInterval part = product({factor, factor}, intervalOfAtom(term.atom));
    sum = {sum.least + part.least, sum.most + part.most};
  }
  return sum;
}

/// Sizes and index variables that take part in arithmetic with data are assumed to fit int32, or
/// nearly so.
RealInterval Forms::intervalOfAtom(Size atom) const {
  constexpr double limit = 2147483648.0;
  if (atom.kind() == Size::Symbol) {
    auto known = intervals.find(atom.key());
    return known == intervals.end() ? RealInterval{-limit, limit} : known->second;
  }
  RealInterval result = intervalOf(atom.operands()[0]);
  for (Size operand : atom.operands().drop_front()) {
    RealInterval other = intervalOf(operand);
    double largest = std::max(std::fabs(result.least), std::fabs(result.most));
    switch (atom.kind()) {
    case Size::Product:
      result = product(result, other);
      break;
    case Size::Min:
      result = {std::min(result.least, other.least), std::min(result.most, other.most)};
      break;
    case Size::Max:
      result = {std::max(result.least, other.least), std::max(result.most, other.most)};
      break;
    case Size::FloorDiv:
      result = other.least >= 0
                   ? RealInterval{std::min(result.least, 0.0), std::max(result.most, 0.0)}
                   : RealInterval{-largest, largest};
      break;
    default: // A remainder is between 0 and the divisor.
      result = {std::min(other.least, 0.0), std::max(other.most, 0.0)};
    }
  }
  return result;
}

//===- Unknown values ---------------------------------------------------------------------------===

Size Forms::opaque(const Expr &self) {
  if (!hasStatement)
    return {};
  Size &symbol = opaques[&self];
  if (!symbol)
    symbol = newData("?", self.type ? std::optional(computedIn(self)) : std::nullopt);
  return symbol;
}

Size Forms::newData(llvm::StringRef name, std::optional<Scalar> type) {
  bool isUnsigned =
      type && kindOf(*type) != ScalarKind::Signed && kindOf(*type) != ScalarKind::Float;
  Size symbol = sizes.symbol({name.str(), isUnsigned});
  data.insert(symbol.key());
  if (type && kindOf(*type) != ScalarKind::Float)
    intervals[symbol.key()] = {isUnsigned ? 0 : -std::ldexp(1.0, bitsOf(*type) - 1),
                               std::ldexp(1.0, bitsOf(*type) - !isUnsigned) - 1};
  if (!type || kindOf(*type) == ScalarKind::Float || bitsOf(*type) == 64)
    return symbol;
  unsigned bits = *type == Scalar::Bool ? 1 : isUnsigned ? bitsOf(*type) : bitsOf(*type) - 1;
  Size limit = sizes.constant(int64_t(1) << bits);
  typeFacts.push_back(sizes.sub(sizes.sub(limit, sizes.constant(1)), symbol));
  if (!isUnsigned)
    typeFacts.push_back(sizes.add(limit, symbol));
  return symbol;
}

std::optional<unsigned> Forms::variableOf(Size symbol) const {
  auto found = variableNumbers.find(symbol.key());
  return found == variableNumbers.end() ? std::nullopt : std::optional(found->second);
}

bool tc::mentions(Size size, llvm::function_ref<bool(Size)> wanted) {
  llvm::SmallVector<Size> waiting = {size};
  llvm::DenseSet<const SizeNode *> seen;
  while (!waiting.empty()) {
    Size next = waiting.pop_back_val();
    if (!next || !seen.insert(next.key()).second)
      continue;
    if (next.kind() == Size::Symbol && wanted(next))
      return true;
    for (const Size::Term &term : next.terms())
      waiting.push_back(term.atom);
    waiting.append(next.operands().begin(), next.operands().end());
  }
  return false;
}

bool Forms::hasData(Size size) const {
  return mentions(size, [&](Size symbol) { return data.contains(symbol.key()); });
}
bool Forms::hasVariable(Size size) const {
  return mentions(size, [&](Size symbol) { return variableOf(symbol).has_value(); });
}
bool Forms::isDetermined(Size size) const {
  return size && !mentions(size, [&](Size symbol) {
           return !variableOf(symbol) && !chosen.contains(symbol.key());
         });
}

Size Forms::ofBound(const Expr &expr, const Frame &frame, Inferred &inferred) {
  Forms forms(frame, inferred);
  forms.isBound = true;
  return forms.of(expr);
}

/// A scalar argument is a size only if sizes depend on it: others are not known before the call.
Size tc::sizeOf(const Expr &expr, const Frame &frame, Inferred &inferred) {
  Size size = Forms(frame, inferred).of(expr);
  auto isOther = [&](Size symbol) {
    auto isSame = [&](const auto &scalar) { return scalar.second == symbol; };
    return !llvm::is_contained(inferred.entry().sizes, symbol) &&
           llvm::none_of(inferred.scalars, isSame);
  };
  return size && mentions(size, isOther) ? Size() : size;
}
