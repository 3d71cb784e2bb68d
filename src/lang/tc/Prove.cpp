#include "lang/tc/Inference.h"

using namespace tessera;
using namespace tessera::tc;

const Range &ReadProver::stored(const Inequality &inequality) const {
  return (*frame.shapeOf(*inequality.read->apply->tensor))[inequality.dimension];
}

std::string ReadProver::indexText(const Inequality &inequality) const {
  return frame.shared.program.excerpt(
      inequality.read->apply->arguments[inequality.dimension]->range);
}

/// Whether it depends only on sizes: the read happens at every point, and the index reaches its
/// extreme value at some point.
bool ReadProver::isLinear(const Inequality &inequality) const {
  return !inequality.read->guard && inequality.read->hasAllGuards &&
         (inequality.state == Inequality::Solved ||
          (inequality.state == Inequality::Closed && inequality.ends.isExact));
}

/// As with `i*j`: the ends are reached where no range is empty.
bool ReadProver::isMonotone(const Inequality &inequality) const {
  return !inequality.read->guard && inequality.read->hasAllGuards &&
         inequality.state == Inequality::Closed && (inequality.ends.rises || inequality.ends.falls);
}

void ReadProver::prove(const Inequality &lower, const Inequality &upper) {
  auto isOfSizes = [&](const Inequality &end) { return isLinear(end) || isMonotone(end); };
  if (isOfSizes(lower) && isOfSizes(upper))
    return proveSizes(lower, upper);
  keep(lower, proveRead(lower), proveRead(upper));
}

//===- Sizes ------------------------------------------------------------------------------------===

/// 1 if no variable has an empty range, otherwise 0.
static Size isAnyPoint(const Box &box, SizeContext &sizes) {
  Size isAny = sizes.constant(1);
  for (const std::optional<Range> &range : box.ranges)
    isAny = sizes.min(isAny, sizes.sub(range->upper, range->lower));
  return isAny;
}

/// Whether the inequality holds at every point, of which there may be none.
bool ReadProver::holdsAtPoints(const Inequality &inequality) const {
  SizeProof proof(sizes);
  proof.assumeNegative(inequality.ends.least);
  for (const std::optional<Range> &range : box.ranges)
    proof.assume(sizes.sub(sizes.sub(range->upper, sizes.constant(1)), range->lower));
  return proof.solve() == SizeProof::Impossible;
}

void ReadProver::proveSize(const Inequality &inequality) {
  if (inequality.state == Inequality::Solved || holdsAtPoints(inequality))
    return;
  SourceRange where = inequality.read->apply->arguments[inequality.dimension]->range;
  Verdict verdict = frame.requireIf(isAnyPoint(box, sizes), inequality.ends.least, where);
  if (verdict == Verdict::False)
    return reportFalse(inequality);
  if (verdict == Verdict::Proved || !frame.warns())
    return;
  const Range &range = stored(inequality);
  Report report =
      frame.warn(where, frame.requirement,
                 llvm::formatv("dimension {0} of `{1}` has the range {2}", inequality.dimension,
                               inequality.read->apply->callee.text, range.str()));
  // `A(2 * i) where i in 0:N` is hardly meant for an `N` of 1 only.
  auto isScaled = [](Size factor) { return factor && std::abs(factor.constant().value_or(1)) > 1; };
  if (llvm::any_of(linearForm(inequality.slack, forms, sizes).coefficients, isScaled))
    advise(inequality, report);
}

void ReadProver::requireUnlessEmpty(const Inequality &inequality) {
  const Range &range = stored(inequality);
  Precondition condition;
  condition.where = inequality.read->apply->arguments[inequality.dimension]->range;
  if (inequality.isLower) {
    condition.smaller = range.lower;
    condition.larger = sizes.add(inequality.ends.least, range.lower);
    condition.text = range.lower.str() + " <= " + indexText(inequality);
  } else {
    condition.smaller = sizes.sub(range.upper, inequality.ends.least);
    condition.larger = range.upper;
    condition.text = indexText(inequality) + " < " + range.upper.str();
  }
  SourceRange where = condition.where;
  frame.requireIf(isAnyPoint(box, sizes), std::move(condition));
  if (frame.warns())
    frame.warn(where, frame.requirement, whyUnproved(inequality));
}

/// As with `A(P(k) % N)`, which is out of range for every P if N is 0. If data decides whether the
/// read happens, only --checked detects it.
void ReadProver::requireElements(const Inequality &inequality) {
  const Range &range = stored(inequality);
  Size one = sizes.constant(1), extent = sizes.sub(range.upper, range.lower);
  if (inequality.read->guard || !inequality.read->hasAllGuards ||
      frame.isNeverNegative(sizes.sub(extent, one)) == true)
    return;
  Precondition condition;
  condition.where = inequality.read->apply->arguments[inequality.dimension]->range;
  condition.isSilent = true;
  condition.smaller = one;
  condition.larger = extent;
  condition.text = "1 <= " + extent.str();
  Size isAny = isAnyPoint(box, sizes);
  if (isAny.constant() != 0)
    frame.requireIf(isAny, std::move(condition));
}

/// For an index whose ends depend only on sizes.
void ReadProver::proveSizes(const Inequality &lower, const Inequality &upper) {
  bool areLinear = isLinear(lower) && isLinear(upper);
  Finding below = areLinear ? Finding() : proveRead(lower);
  Finding above = areLinear ? Finding() : proveRead(upper);
  bool isFalse = below.verdict == Verdict::False || above.verdict == Verdict::False;
  if (isFalse || below.needsElements || above.needsElements)
    return keep(lower, below, above);
  for (auto [end, finding] : {std::pair(&lower, &below), std::pair(&upper, &above)})
    if (isLinear(*end))
      proveSize(*end);
    else if (finding->verdict == Verdict::Unknown)
      requireUnlessEmpty(*end);
}

void ReadProver::reportFalse(const Inequality &inequality, std::optional<int64_t> wrong) {
  if (!frame.fails())
    return;
  const Range &range = stored(inequality);
  Size index = forms.of(*inequality.read->apply->arguments[inequality.dimension]);
  std::optional<Ends> ends = box.endsOf(index);
  std::string taken =
      wrong ? llvm::formatv("the value {0}", *wrong).str()
      : !ends || inequality.read->guard
          ? "other values"
          : "values in " + Range{ends->least, sizes.add(ends->most, sizes.constant(1))}.str();
  SourceRange where = inequality.read->apply->arguments[inequality.dimension]->range;
  advise(inequality,
         frame.fail(where, diag::NeverInRange, indexText(inequality), taken, inequality.dimension,
                    inequality.read->apply->callee.text, range.str()));
}

//===- Guards and data --------------------------------------------------------------------------===

const Condition &ReadProver::conditionOf(const Guard &guard) {
  auto known = conditions.find(&guard);
  if (known == conditions.end())
    known = conditions.emplace(&guard, forms.condition(*guard.condition, guard.value)).first;
  return known->second;
}

/// A violation is definite only if nothing but index variables can vary.
void ReadProver::assume(SizeProof &proof, Size fact, bool &isDefinite) {
  proof.assume(fact);
  isDefinite &= forms.isDetermined(fact);
}

void ReadProver::assume(SizeProof &proof, const Condition &condition, bool &isDefinite) {
  proof.assumeAny(condition.alternatives);
  isDefinite &= condition.isExact;
  for (const Facts &facts : condition.alternatives)
    isDefinite &= llvm::all_of(facts, [&](Size fact) { return forms.isDetermined(fact); });
}

/// Products of variables and the like are bounded by their ends.
void ReadProver::assumeOthers(SizeProof &proof, Size slack) {
  for (const Size::Term &term : linearForm(slack, forms, sizes).others)
    if (std::optional<Ends> ends = box.endsOf(term.atom))
      proof.assume(sizes.sub(term.atom, ends->least)).assume(sizes.sub(ends->most, term.atom));
}

/// Assumes that the point is in the box.
void ReadProver::assumePoint(SizeProof &proof, bool &isDefinite) {
  for (auto [variable, range] : llvm::zip(forms.variables(), box.ranges)) {
    assume(proof, sizes.sub(variable, range->lower), isDefinite);
    assume(proof, sizes.sub(sizes.sub(range->upper, sizes.constant(1)), variable), isDefinite);
  }
}

bool ReadProver::alwaysHas(const Expr &condition, bool value) {
  SizeProof proof(sizes);
  bool isDefinite = true;
  assume(proof, forms.condition(condition, !value), isDefinite);
  assumePoint(proof, isDefinite);
  return proof.solve() == SizeProof::Impossible;
}

/// Whether the index can be out of range where the read happens.
ReadProver::Violation ReadProver::violation(const Inequality &inequality, bool hasElements) {
  SizeProof proof(sizes);
  proof.assumeNegative(inequality.slack);
  assumeOthers(proof, inequality.slack);
  bool isDefinite = inequality.read->hasAllGuards && forms.isDetermined(inequality.slack);
  assumePoint(proof, isDefinite);
  for (const Guard *guard = inequality.read->guard; guard; guard = guard->outer)
    assume(proof, conditionOf(*guard), isDefinite);
  for (Size fact : forms.dataFacts())
    proof.assume(fact);
  for (const Condition &choice : forms.choices())
    assume(proof, choice, isDefinite);
  for (Size fact : frame.assumptionsAbout(inequality.slack))
    proof.assume(fact);
  const Range &range = stored(inequality);
  if (hasElements)
    proof.assume(sizes.sub(sizes.sub(range.upper, sizes.constant(1)), range.lower));
  SizeProof::Answer answer = proof.solve();
  Size index = forms.of(*inequality.read->apply->arguments[inequality.dimension]);
  return {answer, isDefinite, answer == SizeProof::Possible ? proof.valueOf(index) : std::nullopt};
}

//===- Trying all -------------------------------------------------------------------------------===

/// More points than this are not worth their cost. Each costs as much as several steps of a proof.
static constexpr int64_t maxPoints = 1 << 16, pricePerPoint = 8;

/// The points of the variables that occur in some sizes; nullopt if their ranges are not numbers.
std::optional<ReadProver::Points> ReadProver::pointsOf(llvm::ArrayRef<Size> occurring) const {
  Points points;
  for (auto [variable, range] : llvm::zip(forms.variables(), box.ranges)) {
    auto isThis = [&](Size symbol) { return symbol == variable; };
    if (llvm::none_of(occurring, [&](Size size) { return mentions(size, isThis); })) {
      points.areReached &=
          sizes.isAtMost(sizes.add(range->lower, sizes.constant(1)), range->upper) == true;
      continue;
    }
    std::optional<int64_t> lower = range->lower.constant(), upper = range->upper.constant();
    if (!lower || !upper || *upper - *lower > maxPoints / std::max<int64_t>(points.number, 1))
      return std::nullopt;
    points.number *= *upper - *lower;
    points.variables.push_back({variable.symbol(), *lower, *upper});
    points.at.resize(std::max<size_t>(points.at.size(), variable.symbol() + 1));
    points.at[variable.symbol()] = *lower;
  }
  return points;
}

void ReadProver::Points::advance() {
  for (const Variable &variable : variables) {
    if (++at[variable.symbol] < variable.upper)
      return;
    at[variable.symbol] = variable.lower;
  }
}

/// Whether a condition holds at a point; nullopt if that is not known.
static std::optional<bool> holds(const Condition &condition, llvm::ArrayRef<int64_t> point,
                                 const SizeContext &sizes) {
  bool isAny = false;
  for (const Facts &facts : condition.alternatives) {
    bool areAll = true;
    for (Size fact : facts) {
      std::optional<int64_t> value = sizes.evaluate(fact, point);
      if (!value)
        return std::nullopt;
      areAll &= *value >= 0;
    }
    isAny |= areAll;
  }
  return isAny;
}

/// Whether a point determines all of them.
bool ReadProver::areOfPoints(llvm::ArrayRef<Size> all) const {
  auto isOther = [&](Size symbol) { return !forms.variableOf(symbol); };
  return llvm::none_of(all, [&](Size size) { return !size || mentions(size, isOther); });
}

/// As with `i*(5-i)`, where everything but the index variables is a number. Guards that a point
/// does not determine may hold anywhere.
std::optional<ReadProver::Violation> ReadProver::tryAll(const Inequality &inequality) {
  llvm::SmallVector<const Condition *> guards;
  llvm::SmallVector<Size> occurring = {inequality.slack};
  if (!areOfPoints(occurring))
    return std::nullopt;
  bool isDefinite = inequality.read->hasAllGuards;
  for (const Guard *guard = inequality.read->guard; guard; guard = guard->outer) {
    const Condition &condition = conditionOf(*guard);
    bool isKnown =
        condition.isExact && llvm::all_of(condition.alternatives,
                                          [&](const Facts &facts) { return areOfPoints(facts); });
    isDefinite &= isKnown;
    if (!isKnown)
      continue;
    guards.push_back(&condition);
    for (const Facts &facts : condition.alternatives)
      occurring.append(facts);
  }
  std::optional<Points> points = pointsOf(occurring);
  if (!points || !sizes.spend(pricePerPoint * points->number * occurring.size()))
    return std::nullopt;
  Size index = forms.of(*inequality.read->apply->arguments[inequality.dimension]);
  for (int64_t i = 0; i < points->number; ++i, points->advance()) {
    bool happens = true;
    for (const Condition *guard : guards) {
      std::optional<bool> isTrue = holds(*guard, points->at, sizes);
      if (!isTrue)
        return std::nullopt;
      happens &= *isTrue;
    }
    std::optional<int64_t> slack = sizes.evaluate(inequality.slack, points->at);
    if (happens && !slack)
      return std::nullopt;
    if (happens && *slack < 0)
      return Violation{SizeProof::Possible, isDefinite && points->areReached,
                       sizes.evaluate(index, points->at)};
  }
  return Violation{SizeProof::Impossible, /*isDefinite=*/true, std::nullopt};
}

ReadProver::Finding ReadProver::proveRead(const Inequality &inequality) {
  if (inequality.state == Inequality::Solved)
    return {};
  if (inequality.state == Inequality::Closed &&
      sizes.isAtMost(sizes.constant(0), inequality.ends.least) == true)
    return {};
  Violation found = violation(inequality, /*hasElements=*/false);
  if (found.answer == SizeProof::Unknown)
    found = tryAll(inequality).value_or(found);
  switch (found.answer) {
  case SizeProof::Impossible:
    return {};
  case SizeProof::Possible:
    if (found.isDefinite)
      return {Verdict::False, /*needsElements=*/false, found.index};
    [[fallthrough]];
  case SizeProof::Unknown:
    bool needsElements =
        violation(inequality, /*hasElements=*/true).answer == SizeProof::Impossible;
    return {Verdict::Unknown, needsElements};
  }
  return {Verdict::Unknown};
}

const char *ReadProver::whyUnproved(const Inequality &inequality) const {
  if (inequality.read->guard)
    return "the conditions around it do not imply it";
  return forms.hasData(inequality.slack) ? "it depends on the elements of a tensor"
                                         : "too little is known about the sizes";
}

/// Known before anything is computed: an argument of rank 0, which the entry has passed on.
static bool isGiven(const Tensor &tensor, const Frame &frame) {
  if (tensor.kind != Tensor::Input || !frame.call)
    return tensor.kind == Tensor::Input;
  for (auto [parameter, argument] : llvm::zip(frame.def->parameters, frame.call->argumentTensors))
    if (parameter.tensor == &tensor)
      return isGiven(*argument, *frame.parent);
  return false;
}

static bool hasData(const Expr &expr, const Frame &frame) {
  return visitUntil(expr, [&](const Expr &each) {
    auto *apply = each.as<Apply>();
    auto *reference = each.as<Reference>();
    return (apply && apply->tensor) ||
           (reference && reference->tensor && !isGiven(*reference->tensor, frame));
  });
}

/// Neither the index nor whether the read happens depends on data.
static bool isFreeOfData(const Read &read, const Expr &index, const Frame &frame) {
  for (const Guard *guard = read.guard; guard; guard = guard->outer)
    if (hasData(*guard->condition, frame))
      return false;
  return read.hasAllGuards && !hasData(index, frame);
}

static void addOnce(llvm::SmallVector<unsigned, 2> &dimensions, unsigned dimension) {
  if (!llvm::is_contained(dimensions, dimension))
    dimensions.push_back(dimension);
}

void ReadProver::keep(const Inequality &lower, Finding below, Finding above) {
  if (below.verdict == Verdict::Proved && above.verdict == Verdict::Proved)
    return;
  addOnce(frame.frame.unproved[lower.read->apply], lower.dimension);
  bool isFalse = below.verdict == Verdict::False || above.verdict == Verdict::False;
  bool needsBelow = below.verdict != Verdict::Proved && !below.needsElements;
  bool needsAbove = above.verdict != Verdict::Proved && !above.needsElements;
  if (!isFalse && !needsBelow && !needsAbove)
    return requireElements(lower); // A clamped index draws no warning [tc.index.7].
  Precondition condition;
  condition.where = lower.read->apply->arguments[lower.dimension]->range;
  condition.state = isFalse ? Precondition::False : Precondition::Unknown;
  condition.isTried =
      isFreeOfData(*lower.read, *lower.read->apply->arguments[lower.dimension], frame.frame);
  if (condition.isTried)
    addOnce(frame.frame.tried[lower.read->apply], lower.dimension);
  const Range &range = stored(lower);
  condition.text = (needsBelow ? range.lower.str() + " <= " : "") + indexText(lower) +
                   (needsAbove ? " < " + range.upper.str() : "");
  frame.addPrecondition(condition);
  bool isForThisCall = condition.isTried && !frame.shared.bindings.empty();
  if (isFalse)
    reportFalse(lower, below.index ? below.index : above.index);
  else if (frame.warns() && !isForThisCall &&
           frame.shared.warned.insert({lower.read->apply, lower.dimension}).second)
    frame.fail(condition.where, diag::NotProved, condition.text, whyUnproved(lower))
        .hint("{0}", condition.isTried        ? "it is checked in every call"
                     : frame.shared.isChecked ? "`run` stops where it is violated"
                                              : "with --checked, `run` stops where it is violated");
}
