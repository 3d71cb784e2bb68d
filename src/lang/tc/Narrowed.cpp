/// Reads that determine ranges although a condition guards them: the condition then holds at every
/// point of the range, which is hardly what was meant.
#include "lang/tc/Inference.h"

using namespace tessera;
using namespace tessera::tc;

namespace {

struct Part {
  const Expr *condition;
  bool value;
};

/// Collects the parts that must all hold for a condition to have the value.
void collectParts(const Expr &condition, bool value, llvm::SmallVectorImpl<Part> &parts) {
  const Expr &bare = condition.bare();
  if (auto *unary = bare.as<Unary>(); unary && unary->op == UnaryOp::Not)
    return collectParts(*unary->operand, !value, parts);
  auto *binary = bare.as<Binary>();
  if (!binary || binary->op != (value ? BinaryOp::And : BinaryOp::Or))
    return parts.push_back({&bare, value});
  collectParts(*binary->lhs, value, parts);
  collectParts(*binary->rhs, value, parts);
}

} // namespace

void StatementInference::noteNarrowed(const Solver &solver, ReadProver &prover) {
  if (!frame.isEntry() || !frame.shared.bindings.empty())
    return; // The condition may be meant for other sizes.
  for (const Variable *variable : statement.variables) {
    const Solver::Origin &origin = solver.origins[variable->index];
    for (const Inequality *end : {origin.lower, origin.upper})
      if (end && end->read->guard && noteNarrowed(*variable, *end, solver, prover))
        break;
  }
}

bool StatementInference::noteNarrowed(const Variable &variable, const Inequality &end,
                                      const Solver &solver, ReadProver &prover) {
  const Range &range = *solver.box.ranges[variable.index];
  std::optional<Meant> meant = meantRange(variable, end, solver);
  bool isAllThere = meant && sizes.isAtMost(range.lower, meant->range.lower) == true &&
                    sizes.isAtMost(meant->range.upper, range.upper) == true;
  if (!meant || isAllThere)
    return false;
  llvm::SmallVector<Part> parts;
  for (const Guard *guard = end.read->guard; guard; guard = guard->outer)
    collectParts(*guard->condition, guard->value, parts);
  const Part *idle = llvm::find_if(parts, [&](const Part &part) {
    return mentionsVariable(*part.condition, variable) &&
           prover.alwaysHas(*part.condition, part.value);
  });
  if (idle == parts.end())
    return false;
  const Program &program = frame.shared.program;
  Report report =
      frame.fail(idle->condition->range, diag::IdleCondition,
                 program.excerpt(idle->condition->range), idle->value ? "true" : "false",
                 program.excerpt(end.read->range), variable.name.text, range.str());
  if (meant->from)
    report.note(meant->from->range, "{0}", meant->why);
  report.hint("`where {0}` gives it the range that the condition suggests",
              clausesFor(variable, meant->range, end, solver));
  return true;
}

/// Clauses that give the variable this range, and the other variables of the index the ranges that
/// they have, which would change otherwise.
std::string StatementInference::clausesFor(const Variable &variable, const Range &range,
                                           const Inequality &end, const Solver &solver) {
  std::string text = llvm::formatv("{0} in {1}", variable.name.text, range.str());
  LinearForm form = linearForm(end.slack, forms, sizes);
  for (const Variable *each : statement.variables)
    if (each != &variable && !each->clause && form.coefficients[each->index])
      text += llvm::formatv(", {0} in {1}", each->name.text, solver.box.ranges[each->index]->str());
  return text;
}

/// The range that reads without a condition imply; otherwise that of the tensor's dimension, if the
/// index is a sum.
std::optional<StatementInference::Meant> StatementInference::meantRange(const Variable &variable,
                                                                        const Inequality &end,
                                                                        const Solver &solver) {
  std::vector<Inequality> others;
  for (Inequality inequality : inequalities) {
    if (inequality.read->guard)
      continue;
    if (inequality.state != Inequality::Dropped)
      inequality.state = Inequality::Open;
    others.push_back(inequality);
  }
  Solver without(forms, sizes, others);
  for (const Variable *each : statement.variables)
    if (each->clause)
      without.box.ranges[each->index] = solver.box.ranges[each->index];
  without.solve();
  if (without.box.isSolved(variable.index)) {
    const Range &range = *without.box.ranges[variable.index];
    const Read *read = without.origins[variable.index].lower->read;
    return Meant{
        range, read,
        llvm::formatv("this would give `{0}` the range {1}", variable.name.text, range.str())};
  }
  LinearForm form = linearForm(end.slack, forms, sizes);
  Size coefficient = form.coefficients[variable.index];
  if (!coefficient || std::abs(coefficient.constant().value_or(0)) != 1)
    return std::nullopt;
  Meant meant{(*frame.shapeOf(*end.read->apply->tensor))[end.dimension], nullptr, ""};
  for (const Variable *each : statement.variables)
    if (each != &variable && form.coefficients[each->index] && !each->clause) {
      meant.from = solver.origins[each->index].lower->read;
      meant.why =
          llvm::formatv("the index must be in range for every `{0}`, whose range is inferred here",
                        each->name.text);
    }
  return meant;
}

//===- Stencils ---------------------------------------------------------------------------------===

/// The first variable of an index such as `i + 1`, `i + k` or `N - i`, if `where` gives it a range.
const Variable *StatementInference::shiftedVariable(const Inequality &end) {
  Size index = forms.of(*end.read->apply->arguments[end.dimension]);
  LinearForm form = linearForm(index, forms, sizes);
  const Variable *shifted = nullptr;
  for (const Variable *variable : statement.variables)
    if (Size coefficient = form.coefficients[variable->index]) {
      if (!coefficient.constant())
        return nullptr;
      shifted = shifted ? shifted : variable;
    }
  return shifted && shifted->clause && form.others.empty() ? shifted : nullptr;
}

/// The part of a variable's range in which every read without a condition is in range.
std::optional<Range> StatementInference::fittingRange(const Variable &variable, const Box &box) {
  std::vector<Inequality> open;
  for (Inequality inequality : inequalities) {
    if (inequality.read->guard)
      continue;
    if (inequality.state != Inequality::Dropped)
      inequality.state = Inequality::Open;
    open.push_back(inequality);
  }
  Solver solver(forms, sizes, open);
  for (const Variable *each : statement.variables)
    if (each != &variable)
      solver.box.ranges[each->index] = box.ranges[each->index];
  solver.solve();
  if (!solver.box.isSolved(variable.index))
    return std::nullopt;
  const Range &fitting = *solver.box.ranges[variable.index], &given = *box.ranges[variable.index];
  return Range{sizes.max(fitting.lower, given.lower), sizes.min(fitting.upper, given.upper)};
}

/// A bound as a program writes it, where `/` rounds towards minus infinity: `(N + 1) / 2` for
/// "ceil(N / 2)".
static std::string written(Size bound) {
  std::string text = bound.str();
  auto [dividend, divisor] = llvm::StringRef(text).split(" / ");
  int64_t number;
  if (dividend.consume_front("ceil(") && divisor.consume_back(")") &&
      llvm::all_of(dividend, llvm::isAlnum) && !divisor.getAsInteger(10, number))
    return llvm::formatv("({0} + {1}) / {2}", dividend, number - 1, number);
  for (auto [function, meant] : {std::pair("floor(", "("), std::pair("ceil(", "-(-")})
    for (size_t at; (at = text.find(function)) != std::string::npos;)
      text.replace(at, llvm::StringRef(function).size(), meant);
  return text;
}

/// For `A(i + 1) where i in 0:N`: a smaller range, or a condition around the read.
void StatementInference::adviseStencil(const Inequality &end, const Box &box, Report report) {
  const Program &program = frame.shared.program;
  const Expr &index = *end.read->apply->arguments[end.dimension];
  const Range &range = (*frame.shapeOf(*end.read->apply->tensor))[end.dimension];
  Size last = sizes.sub(range.upper, sizes.constant(1));
  if (!end.read->guard && forms.of(index).constant() && last)
    report.hint("the indices of `{0}` go from {1} to {2}", end.read->apply->callee.text,
                range.lower.str(), last.str());
  const Variable *shifted = end.read->guard ? nullptr : shiftedVariable(end);
  if (!shifted)
    return;
  llvm::StringRef name = shifted->name.text;
  if (std::optional<Range> fitting = fittingRange(*shifted, box))
    report.hint("`where {0} in {1}:{2}` limits `{0}` to where all reads are in range", name,
                written(fitting->lower), written(fitting->upper));
  report.hint("`({0}{1} ? {2} : 0)` is 0 where this read is out of range",
              program.excerpt(index.range),
              end.isLower ? " >= " + written(range.lower) : " < " + written(range.upper),
              program.excerpt(end.read->range));
}
