#include "lang/tc/Solve.h"

using namespace tessera;
using namespace tessera::tc;

void Solver::solve() {
  origins.resize(forms.variables().size());
  while (round())
    ;
}

/// All variables of a round are solved from what was known before it, so that their order does not
/// matter.
bool Solver::round() {
  claims.assign(forms.variables().size(), {});
  for (Inequality &inequality : inequalities)
    if (inequality.state == Inequality::Open)
      examine(inequality);
  bool isProgress = false;
  for (unsigned variable = 0; variable < claims.size(); ++variable)
    isProgress |= !box.isSolved(variable) && settle(variable);
  return isProgress;
}

/// Replaces solved variables by the ends that make the slack smallest; then one variable is left,
/// or none, or the inequality has to wait.
void Solver::examine(Inequality &inequality) {
  if (!box.isOpen(inequality.slack)) {
    std::optional<Ends> ends = box.endsOf(inequality.slack);
    inequality.state = ends ? Inequality::Closed : Inequality::Dropped;
    inequality.ends = ends.value_or(Ends());
    return;
  }
  LinearForm form = linearForm(inequality.slack, forms, sizes);
  std::optional<unsigned> open;
  Size rest = form.rest;
  for (unsigned variable = 0; variable < form.coefficients.size(); ++variable) {
    Size coefficient = form.coefficients[variable];
    if (!coefficient)
      continue;
    if (box.isSolved(variable))
      rest = sizes.add(rest, box.endsOf(coefficient, variable).least);
    else if (open)
      return;
    else
      open = variable;
  }
  for (const Size::Term &term : form.others) {
    Size other = sizes.mul(sizes.constant(term.coefficient), term.atom);
    std::optional<Ends> ends = box.isOpen(other) ? std::nullopt : box.endsOf(other);
    if (!ends)
      return;
    rest = sizes.add(rest, ends->least);
  }
  if (open)
    claims[*open].push_back({&inequality, form.coefficients[*open], rest});
}

/// The sign is known for sizes, which are never negative, and for numbers, but not for a scalar
/// argument.
bool Solver::hasKnownSign(Size coefficient) {
  Size zero = sizes.constant(0);
  return sizes.isAtMost(zero, coefficient) == true || sizes.isAtMost(coefficient, zero) == true;
}

/// Applies one more claim: the larger lower end and the smaller upper end remain.
void Solver::narrow(const Range &found, const Origin &origin, Candidate &candidate) {
  auto take = [&](Size &end, const Inequality *&from, Size claimed, Size chosen,
                  const Inequality *claimant) {
    if (!from || chosen == claimed)
      end = claimed, from = claimant;
    else
      end = chosen;
    isTooLarge |= !end;
  };
  Range &range = candidate.range;
  if (origin.lower)
    take(range.lower, candidate.origin.lower, found.lower, sizes.max(range.lower, found.lower),
         origin.lower);
  if (origin.upper)
    take(range.upper, candidate.origin.upper, found.upper, sizes.min(range.upper, found.upper),
         origin.upper);
}

/// a*v + r >= 0 is v >= ceil(-r / a), or for a negative a, v < floor(r / -a) + 1. A coefficient
/// that is not a number must not be zero, which becomes a precondition.
void Solver::apply(const Claim &claim, Candidate &candidate) {
  Size zero = sizes.constant(0), factor = claim.coefficient;
  bool isNegative = sizes.isAtMost(zero, factor) != true;
  if (isNegative)
    factor = sizes.sub(zero, factor);
  if (sizes.isAtMost(sizes.constant(1), factor) != true)
    candidate.factors.push_back({claim.from, factor, factor});
  if (isNegative)
    narrow({{}, sizes.add(sizes.floorDiv(claim.rest, factor), sizes.constant(1))},
           {nullptr, claim.from}, candidate);
  else
    narrow({sizes.ceilDiv(sizes.sub(zero, claim.rest), factor), {}}, {claim.from, nullptr},
           candidate);
}

/// a*v + r >= 0 and -a*v + t >= 0, where a may have either sign. Divided by |a| they bound v from
/// `first` to `last`, or, if a is negative, -v: then v goes from -last to -first.
void Solver::apply(const Claim &lower, const Claim &upper, Candidate &candidate) {
  Size zero = sizes.constant(0), one = sizes.constant(1), factor = lower.coefficient;
  Size magnitude = sizes.max(factor, sizes.sub(zero, factor));
  candidate.factors.push_back({lower.from, factor, magnitude});
  Size first = sizes.ceilDiv(sizes.sub(zero, lower.rest), magnitude);
  Size last = sizes.floorDiv(upper.rest, magnitude);
  Size isPositive = sizes.min(one, sizes.max(zero, factor)); // 1, or else 0.
  Size both = sizes.mul(isPositive, sizes.add(first, last));
  Size begin = sizes.sub(both, last), end = sizes.add(sizes.sub(both, first), one);
  narrow({begin, end}, {lower.from, upper.from}, candidate);
}

static bool isOpposite(Size a, Size b, SizeContext &sizes) {
  Size sum = sizes.add(a, b);
  return sum && sum.constant() == 0;
}

/// Chooses the range of a variable that is bounded on both sides.
bool Solver::settle(unsigned variable) {
  Candidate candidate;
  // Both ends of a dimension are next to each other.
  llvm::ArrayRef<Claim> open = claims[variable];
  for (; !open.empty(); open = open.drop_front())
    if (hasKnownSign(open.front().coefficient))
      apply(open.front(), candidate);
    else if (open.size() > 1 && isOpposite(open[0].coefficient, open[1].coefficient, sizes))
      apply(open[0], open[1], candidate), open = open.drop_front();
  if (!candidate.origin.lower || !candidate.origin.upper)
    return false;
  box.ranges[variable] = candidate.range;
  origins[variable] = candidate.origin;
  factors.append(candidate.factors);
  for (const Claim &claim : claims[variable])
    claim.from->state = Inequality::Solved;
  return true;
}
