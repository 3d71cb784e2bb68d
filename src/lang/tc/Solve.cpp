#include "lang/tc/Solve.h"

using namespace tessera;
using namespace tessera::tc;

void Solver::solve() {
  origins.resize(forms.variables().size());
  while (round())
    ;
}

/// All variables of a round are solved against its beginning, so that their order does not matter.
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
/// or none, or it has to wait.
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

/// Of what may be either, the sign that stands in front of it: `s` counts as positive, `-s` as
/// negative, so that both ends of a range agree.
bool Solver::countsAsNegative(Size coefficient) {
  Size zero = sizes.constant(0);
  if (sizes.isAtMost(zero, coefficient) == true)
    return false;
  return sizes.isAtMost(coefficient, zero) == true || coefficient.terms()[0].coefficient < 0;
}

/// a*v + r >= 0 is v >= ceil(-r / a), or for a negative a, v < floor(r / -a) + 1. That a
/// coefficient which is no number has the sign it seems to have becomes a precondition.
void Solver::apply(const Claim &claim, Candidate &candidate) {
  Size zero = sizes.constant(0), factor = claim.coefficient;
  bool isNegative = countsAsNegative(factor);
  if (isNegative)
    factor = sizes.sub(zero, factor);
  if (sizes.isAtMost(sizes.constant(1), factor) != true)
    candidate.factors.push_back({claim.from, factor});
  auto take = [&](Size &end, const Inequality *&origin, Size found, Size chosen) {
    if (!origin || chosen == found)
      end = found, origin = claim.from;
    else
      end = chosen;
    isTooLarge |= !end;
  };
  Range &range = candidate.range;
  if (isNegative) {
    Size upper = sizes.add(sizes.floorDiv(claim.rest, factor), sizes.constant(1));
    take(range.upper, candidate.origin.upper, upper, sizes.min(range.upper, upper));
  } else {
    Size lower = sizes.ceilDiv(sizes.sub(zero, claim.rest), factor);
    take(range.lower, candidate.origin.lower, lower, sizes.max(range.lower, lower));
  }
}

/// Needs a bound on both sides.
bool Solver::settle(unsigned variable) {
  Candidate candidate;
  for (const Claim &claim : claims[variable])
    apply(claim, candidate);
  if (!candidate.origin.lower || !candidate.origin.upper)
    return false;
  box.ranges[variable] = candidate.range;
  origins[variable] = candidate.origin;
  factors.append(candidate.factors);
  for (const Claim &claim : claims[variable])
    claim.from->state = Inequality::Solved;
  return true;
}
