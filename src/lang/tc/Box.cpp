#include "lang/tc/Box.h"

using namespace tessera;
using namespace tessera::tc;

//===- Linear forms -----------------------------------------------------------------------------===

/// The variable of a term that is a variable, or one times sizes; `factor` becomes the product of
/// the sizes.
static std::optional<unsigned> onlyVariable(const Size::Term &term, Size &factor,
                                            const Forms &forms, SizeContext &sizes) {
  factor = sizes.constant(term.coefficient);
  if (term.atom.kind() == Size::Symbol)
    return forms.variableOf(term.atom);
  if (term.atom.kind() != Size::Product)
    return std::nullopt;
  std::optional<unsigned> found;
  for (Size operand : term.atom.operands()) {
    auto variable = operand.kind() == Size::Symbol ? forms.variableOf(operand) : std::nullopt;
    if (variable && !found)
      found = variable;
    else if (forms.hasVariable(operand) || forms.hasData(operand))
      return std::nullopt;
    else
      factor = sizes.mul(factor, operand);
  }
  return found;
}

LinearForm tc::linearForm(Size size, const Forms &forms, SizeContext &sizes) {
  LinearForm form;
  form.coefficients.resize(forms.variables().size());
  form.rest = sizes.constant(size.offset());
  for (const Size::Term &term : size.terms()) {
    Size factor;
    if (auto variable = onlyVariable(term, factor, forms, sizes)) {
      Size &coefficient = form.coefficients[*variable];
      coefficient = coefficient ? sizes.add(coefficient, factor) : factor;
    } else if (forms.hasVariable(term.atom) || forms.hasData(term.atom))
      form.others.push_back(term);
    else
      form.rest = sizes.add(form.rest, sizes.mul(sizes.constant(term.coefficient), term.atom));
  }
  for (Size &coefficient : form.coefficients)
    if (coefficient.constant() == 0)
      coefficient = {};
  return form;
}

//===- Boxes ------------------------------------------------------------------------------------===

bool Box::isAtLeast(Size size, int64_t bound) const {
  return sizes.isAtMost(sizes.constant(bound), size) == true;
}

bool Box::isOpen(Size size) const {
  return mentions(size, [&](Size symbol) {
    auto variable = forms.variableOf(symbol);
    return variable && !ranges[*variable];
  });
}

bool Box::isNeverEmpty() const {
  return llvm::all_of(ranges, [&](const std::optional<Range> &range) {
    return range && isAtLeast(sizes.sub(range->upper, range->lower), 1);
  });
}

static Ends sum(const Ends &a, const Ends &b, SizeContext &sizes) {
  Ends result{sizes.add(a.least, b.least), sizes.add(a.most, b.most), a.isExact && b.isExact};
  result.rises = a.rises && b.rises;
  result.falls = a.falls && b.falls;
  return result;
}

Ends Box::scale(const Ends &ends, int64_t factor) const {
  Size number = sizes.constant(factor);
  Ends result{sizes.mul(ends.least, number), sizes.mul(ends.most, number), ends.isExact, ends.rises,
              ends.falls};
  if (factor < 0) {
    std::swap(result.least, result.most);
    std::swap(result.rises, result.falls);
  }
  return result;
}

Ends Box::endsOf(Size coefficient, unsigned variable) const {
  const Range &range = *ranges[variable];
  Size first = sizes.mul(coefficient, range.lower);
  Size last = sizes.mul(coefficient, sizes.sub(range.upper, sizes.constant(1)));
  if (isAtLeast(coefficient, 0))
    return {first, last, true, /*rises=*/true, /*falls=*/false};
  if (sizes.isAtMost(coefficient, sizes.constant(0)) == true)
    return {last, first, true, /*rises=*/false, /*falls=*/true};
  return {sizes.min(first, last), sizes.max(first, last)};
}

std::optional<Ends> Box::endsOf(Size size) const {
  if (!size)
    return std::nullopt;
  LinearForm form = linearForm(size, forms, sizes);
  Ends total{form.rest, form.rest, true, /*rises=*/true, /*falls=*/true};
  for (unsigned variable = 0; variable < form.coefficients.size(); ++variable) {
    if (!form.coefficients[variable])
      continue;
    if (!isSolved(variable))
      return std::nullopt;
    total = sum(total, endsOf(form.coefficients[variable], variable), sizes);
  }
  for (const Size::Term &term : form.others) {
    std::optional<Ends> ends = endsOfAtom(term.atom);
    if (!ends)
      return std::nullopt;
    total = sum(total, scale(*ends, term.coefficient), sizes);
    total.isExact = false;
  }
  total.isExact |= (total.rises || total.falls) && isNeverEmpty();
  return total.least && total.most ? std::optional(total) : std::nullopt;
}

/// The ends of a product, quotient, remainder, minimum or maximum in which a variable occurs.
std::optional<Ends> Box::endsOfAtom(Size atom) const {
  if (atom.kind() == Size::Symbol)
    return std::nullopt; // Data; a variable would have been a linear term.
  if (atom.kind() == Size::FloorDiv)
    return endsOfQuotient(atom);
  if (atom.kind() == Size::Mod)
    return endsOfRemainder(atom);
  std::optional<Ends> total;
  for (Size operand : atom.operands()) {
    std::optional<Ends> ends = endsOf(operand);
    if (!ends)
      return std::nullopt;
    if (!total)
      total = ends;
    else if (atom.kind() == Size::Product)
      total = multiply(*total, *ends);
    else
      total = extreme(atom.kind() == Size::Max, *total, *ends);
  }
  return total;
}

Ends Box::extreme(bool isMax, const Ends &a, const Ends &b) const {
  auto choose = [&](Size x, Size y) { return isMax ? sizes.max(x, y) : sizes.min(x, y); };
  return {choose(a.least, b.least), choose(a.most, b.most), false, a.rises && b.rises,
          a.falls && b.falls};
}

Ends Box::multiply(const Ends &a, const Ends &b) const {
  Size first = sizes.mul(a.least, b.least), last = sizes.mul(a.most, b.most);
  if (isAtLeast(a.least, 0) && isAtLeast(b.least, 0))
    return {first, last, false, a.rises && b.rises, a.falls && b.falls};
  Size second = sizes.mul(a.least, b.most), third = sizes.mul(a.most, b.least);
  return {sizes.min(sizes.min(first, last), sizes.min(second, third)),
          sizes.max(sizes.max(first, last), sizes.max(second, third)), false};
}

std::optional<Ends> Box::endsOfQuotient(Size atom) const {
  std::optional<Ends> dividend = endsOf(atom.operands()[0]);
  Size divisor = atom.operands()[1];
  if (!dividend || forms.hasVariable(divisor) || forms.hasData(divisor) || !isAtLeast(divisor, 1))
    return std::nullopt;
  return Ends{sizes.floorDiv(dividend->least, divisor), sizes.floorDiv(dividend->most, divisor),
              dividend->isExact, dividend->rises, dividend->falls};
}

std::optional<Ends> Box::endsOfRemainder(Size atom) const {
  std::optional<Ends> dividend = endsOf(atom.operands()[0]);
  Size divisor = atom.operands()[1];
  if (forms.hasVariable(divisor) || forms.hasData(divisor) || !isAtLeast(divisor, 1))
    return std::nullopt;
  Size most = sizes.sub(divisor, sizes.constant(1));
  if (dividend && isAtLeast(dividend->least, 0) && sizes.isAtMost(dividend->most, most) == true)
    return dividend;
  return Ends{sizes.constant(0), most, false};
}
