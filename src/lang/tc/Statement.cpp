#include "lang/tc/Check.h"
#include "lang/tc/Inference.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tc;

bool StatementInference::run() {
  if (!collect())
    return false;
  Solver solver(forms, sizes, inequalities);
  if (!pin(solver))
    return false;
  solver.solve();
  if (!checkSolved(solver))
    return false;
  checkFactors(solver); // First, because ranges are divided by them.
  if (!checkOrder(solver))
    return false;
  Shape &ranges = frame.frame.variables[&statement];
  for (const std::optional<Range> &range : solver.box.ranges)
    ranges.push_back(*range);
  noteBelowZero(solver.box);
  auto advise = [&](const Inequality &end, Report report) {
    adviseStencil(end, solver.box, report);
  };
  ReadProver prover(frame, forms, solver.box, advise);
  prove(prover);
  noteNarrowed(solver, prover);
  return true;
}

//===- Inequalities -----------------------------------------------------------------------------===

bool StatementInference::collect() {
  return llvm::all_of(reads.all(), [&](const Read &read) { return collect(read); });
}

bool StatementInference::collect(const Read &read) {
  const Shape *shape = frame.shapeOf(*read.apply->tensor);
  if (!shape)
    return false;
  for (auto [dimension, range] : llvm::enumerate(*shape)) {
    Size index = forms.of(*read.apply->arguments[dimension]);
    Size last = sizes.sub(range.upper, sizes.constant(1));
    auto state = index && forms.hasData(index) ? Inequality::Dropped : Inequality::Open;
    for (bool isLower : {true, false}) {
      Size slack = isLower ? sizes.sub(index, range.lower) : sizes.sub(last, index);
      inequalities.push_back({&read, unsigned(dimension), isLower, slack, state});
      if (slack)
        continue;
      if (frame.fails())
        frame.fail(read.range, diag::SizeTooLarge, frame.shared.program.excerpt(read.range));
      return false;
    }
  }
  return true;
}

//===- Given ranges -----------------------------------------------------------------------------===

/// A scalar in a bound that is computed by the program, and therefore not a size.
static const Reference *computedScalar(const Expr &expr, const Frame &frame) {
  const Reference *found = nullptr;
  visitUntil(expr, [&](const Expr &each) {
    auto *reference = each.as<Reference>();
    bool isComputed = reference && reference->tensor && !frame.scalars.contains(reference->tensor);
    found = isComputed ? reference : nullptr;
    return isComputed;
  });
  return found;
}

Size StatementInference::bound(const Expr &expr) {
  Size size = Forms::ofBound(expr, frame.frame, frame.shared.inferred);
  if (size || !frame.fails())
    return size;
  if (const Reference *scalar = computedScalar(expr, frame.frame))
    frame.fail(expr.range, diag::ComputedInBound, scalar->name);
  else
    frame.fail(expr.range, diag::SizeTooLarge, frame.shared.program.excerpt(expr.range));
  return size;
}

bool StatementInference::pin(Solver &solver) {
  for (const Variable *variable : statement.variables) {
    if (!variable->clause)
      continue;
    Range range{bound(*variable->clause->lower), bound(*variable->clause->upper)};
    if (!range.lower || !range.upper)
      return false;
    solver.box.ranges[variable->index] = range;
  }
  return true;
}

//===- Results ----------------------------------------------------------------------------------===

static std::string list(llvm::ArrayRef<const Variable *> variables) {
  std::string text;
  for (auto [number, variable] : llvm::enumerate(variables)) {
    bool isLast = number + 1 == variables.size();
    text += number == 0 ? "" : isLast ? " and " : ", ";
    text += ("`" + variable->name.text + "`").str();
  }
  return text;
}

bool StatementInference::checkSolved(const Solver &solver) {
  llvm::SmallVector<const Variable *> open;
  for (const Variable *variable : statement.variables)
    if (!solver.box.isSolved(variable->index))
      open.push_back(variable);
  if (open.empty() && !solver.isTooLarge)
    return true;
  if (!frame.fails())
    return false;
  if (open.empty()) {
    frame.fail(self.range, diag::SizeTooLarge, frame.shared.program.excerpt(self.range));
    return false;
  }
  Report report = frame.fail(open[0]->name.range, diag::NotInferable, list(open));
  for (const Variable *variable : llvm::drop_begin(open))
    report.label(variable->name.range, "and of this");
  if (llvm::any_of(inequalities, [&](const Inequality &inequality) {
        return inequality.state == Inequality::Dropped && solver.box.isOpen(inequality.slack);
      }))
    report.hint("no range can be inferred from an index that depends on the elements of a tensor");
  bool isLeft = open[0]->index < statement.indices.size();
  llvm::StringRef advice = adviceOnConstant(open[0]->name.text);
  if (!advice.empty()) {
    report.hint("{0}", advice);
    return false;
  }
  if (!isLeft && !open[0]->isIndex)
    report.hint("no tensor and no size variable is called `{0}`, so it is an index variable",
                open[0]->name.text);
  const Expr *index = indexWithout(*open[0]);
  bool isOfTheseSizes = index && !frame.shared.bindings.empty();
  const Expr *factor = isOfTheseSizes ? zeroFactor(*index, *open[0]) : nullptr;
  if (index)
    report.hint("{0}`{1}` is the same for every `{2}`", isOfTheseSizes ? "with these sizes " : "",
                frame.shared.program.excerpt(index->range), open[0]->name.text);
  if (factor)
    report.label(factor->range,
                 "this is 0 with these sizes; any other value would give `{0}` a range",
                 open[0]->name.text);
  if (!isOfTheseSizes) // With other sizes, a range may be inferred, so it should not be fixed.
    report.hint("give {0} a range: `where {1} in 0:{2}`", open.size() == 1 ? "it" : "one of them",
                open[0]->name.text, sizeFor(open[0]->name.text, frame.frame.def->sizes, "10"));
  return false;
}

/// An index that contains the variable but does not depend on it: `0 * i`.
const Expr *StatementInference::indexWithout(const Variable &variable) {
  Size symbol = forms.variables()[variable.index];
  for (const Inequality &inequality : inequalities) {
    const Expr *index = inequality.read->apply->arguments[inequality.dimension];
    if (mentionsVariable(*index, variable) &&
        !mentions(forms.of(*index), [&](Size other) { return other == symbol; }))
      return index;
  }
  return nullptr;
}

/// The factor that makes a product with the variable zero.
const Expr *StatementInference::zeroFactor(const Expr &index, const Variable &variable) {
  const Expr *found = nullptr;
  visitUntil(index, [&](const Expr &expr) {
    auto *product = expr.as<Binary>();
    if (!product || product->op != BinaryOp::Mul)
      return false;
    for (auto [factor, other] :
         {std::pair(product->lhs, product->rhs), std::pair(product->rhs, product->lhs)})
      if (forms.of(*factor).constant() == 0 && mentionsVariable(*other, variable))
        found = factor;
    return found != nullptr;
  });
  return found;
}

/// Requires that no range ends before it begins; it may be empty.
bool StatementInference::checkOrder(const Solver &solver) {
  bool isCorrect = true;
  for (const Variable *variable : statement.variables) {
    const Range &range = *solver.box.ranges[variable->index];
    SourceRange where = variable->clause ? variable->clause->name.range : variable->name.range;
    Size extent = sizes.sub(range.upper, range.lower);
    if (!extent) {
      isCorrect = false;
      if (frame.fails())
        frame.fail(where, diag::RangeTooLarge, variable->name.text, range.lower.str(),
                   range.upper.str());
      continue;
    }
    Verdict verdict = frame.require(extent, where, /*isSilent=*/true);
    if (verdict != Verdict::False)
      continue;
    isCorrect = false;
    if (frame.fails())
      reportEmpty(*variable, range, solver.origins[variable->index]);
  }
  return isCorrect;
}

void StatementInference::reportEmpty(const Variable &variable, const Range &range,
                                     const Solver::Origin &origin) {
  llvm::StringRef name = variable.name.text;
  if (variable.clause) {
    SourceRange both = variable.clause->lower->range.upTo(variable.clause->upper->range);
    frame.fail(both, diag::EmptyWhere, name, range.lower.str(), range.upper.str());
    return;
  }
  Report report =
      frame.fail(variable.name.range, diag::EmptyRange, name, range.lower.str(), range.upper.str());
  report.label(origin.lower->read->range, "`{0}` is at least {1}", name, range.lower.str());
  report.label(origin.upper->read->range, "`{0}` is below {1}", name, range.upper.str());
  std::vector<std::string> given;
  for (auto [size, value] : frame.shared.bindings)
    given.push_back(llvm::formatv("{0} = {1}", size, value));
  if (!given.empty())
    report.hint("with {0}", llvm::join(given, ", "));
}

void StatementInference::checkFactors(const Solver &solver) {
  for (const Solver::Factor &factor : solver.factors) {
    SourceRange where = factor.where->read->apply->arguments[factor.where->dimension]->range;
    Verdict verdict = frame.require(sizes.sub(factor.magnitude, sizes.constant(1)), where);
    if (verdict == Verdict::Unknown && frame.warns())
      frame.warn(where, frame.requirement,
                 llvm::formatv("an index variable is multiplied by {0} in `{1}`",
                               factor.coefficient.str(), frame.shared.program.excerpt(where)));
  }
}

void StatementInference::noteBelowZero(const Box &box) {
  if (!frame.isEntry() || !statement.isFirst || statement.tensor->kind != Tensor::Output)
    return;
  for (auto [index, range] : llvm::zip(statement.indices, box.ranges))
    if (sizes.isAtMost(range->lower, sizes.constant(-1)) == true)
      frame.fail(index.range, diag::BeginsBelowZero, index.text, range->lower.str(),
                 statement.target.text);
}

/// Each dimension of a read has its two ends next to each other.
void StatementInference::prove(ReadProver &prover) {
  for (size_t i = 0; i < inequalities.size(); i += 2)
    if (inequalities[i].read->happens)
      prover.prove(inequalities[i], inequalities[i + 1]);
}
