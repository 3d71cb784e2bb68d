#include "Plan.h"
#include "Form.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

namespace {

/// A read on the right-hand side or in `exists`.
struct Access {
  const Apply *read;
  bool isGuarded; ///< A condition decides whether it happens.
  bool happens;   ///< False in `exists`.
};

class AccessFinder {
public:
  std::vector<Access> accesses;

  void visit(const Expr &expr, bool isGuarded, bool happens) {
    auto each = [&](auto &&...children) { (visit(*children, isGuarded, happens), ...); };
    if (auto *paren = expr.as<Paren>())
      each(paren->inner);
    else if (auto *cast = expr.as<Cast>())
      each(cast->operand);
    else if (auto *unary = expr.as<Unary>())
      each(unary->operand);
    else if (auto *reference = expr.as<Reference>(); reference && reference->let)
      each(reference->let->value);
    else if (auto *apply = expr.as<Apply>()) {
      for (const Expr *argument : apply->arguments)
        each(argument);
      if (apply->tensor && apply->tensor->rank)
        accesses.push_back({apply, isGuarded, happens});
    } else if (auto *binary = expr.as<Binary>()) {
      each(binary->lhs);
      visit(*binary->rhs, isGuarded || classOf(binary->op) == OpClass::Logic, happens);
    } else if (auto *conditional = expr.as<Conditional>()) {
      each(conditional->condition);
      visit(*conditional->ifTrue, true, happens);
      visit(*conditional->ifFalse, true, happens);
    }
  }
};

/// index >= end, or index < end.
struct Inequality {
  const Access *access;
  Form index;
  bool isLower;
  int64_t end;

  /// The expression that must not be negative is sign * index + constant.
  int64_t sign() const { return isLower ? 1 : -1; }
  int64_t constant() const { return isLower ? -end : end - 1; }
};

/// Plans one def with its sizes, including its calls.
class Planner {
public:
  Planner(Plan &plan, Planned &planned) : plan(plan), planned(planned) {}

  bool run() {
    return llvm::all_of(plan.def->body, [&](const Stmt *stmt) {
      return std::visit([&](const auto &node) { return visit(node, *stmt); }, stmt->node);
    });
  }

private:
  bool reject(const char *rule, SourceRange where) {
    planned.rejection = {rule, where};
    return false;
  }
  bool visit(const Comprehension &statement, const Stmt &self);
  bool visit(const CallStmt &call, const Stmt &self);
  bool bind(Plan &callee, const Dimension &dimension, int64_t size, const Name &argument);
  bool define(const Tensor &tensor, const Box &box, const Name &where, bool isCall);
  bool defineFirst(const Tensor &tensor, const Box &box);

  Plan &plan;
  Planned &planned;
};

/// Solves one comprehension.
class Solver {
public:
  Solver(const Plan &plan, const Comprehension &statement)
      : ranges(statement.variables.size()), plan(plan), statement(statement),
        forms(plan, statement.variables.size()) {
    finder.visit(*statement.value, false, true);
    for (const Clause &clause : statement.where)
      if (auto *exists = clause.as<ExistsClause>())
        finder.visit(*exists->value, false, false);
    for (const Access &access : finder.accesses)
      collect(access);
  }

  std::vector<Inequality> inequalities;
  std::vector<std::optional<Interval>> ranges;
  bool isVague = false;

  /// Returns false if a bound is unknown.
  bool pin() {
    FormMaker bounds = FormMaker::ofBounds(plan);
    for (const Variable *variable : statement.variables) {
      if (!variable->clause)
        continue;
      Form lower = bounds.of(*variable->clause->lower), upper = bounds.of(*variable->clause->upper);
      if (!lower.isNumber() || !upper.isNumber())
        return false;
      ranges[variable->index] = {lower.rest, upper.rest};
    }
    return true;
  }

  void solve() {
    while (round())
      ;
  }

  /// The smallest value of the expression that must not be negative, after all variables are
  /// solved.
  int64_t hardest(const Inequality &inequality) const {
    int64_t slack = inequality.constant() + inequality.sign() * inequality.index.rest;
    for (auto [number, factor] : llvm::enumerate(inequality.index.factors))
      slack += least(inequality.sign() * factor, number);
    return slack;
  }

private:
  void collect(const Access &access) {
    const Box &box = plan.tensors.at(access.read->tensor);
    for (auto [argument, range] : llvm::zip(access.read->arguments, box)) {
      Form index = forms.of(*argument);
      isVague |= index.isVague;
      inequalities.push_back({&access, index, true, range.lower});
      inequalities.push_back({&access, index, false, range.upper});
    }
  }

  /// Replaces a solved variable by the end of its range that makes the sum smallest.
  int64_t least(int64_t factor, size_t variable) const {
    return factor * (factor >= 0 ? ranges[variable]->lower : ranges[variable]->upper - 1);
  }

  struct Bounds {
    std::optional<int64_t> lower, upper;
  };

  bool round() {
    std::vector<Bounds> found(ranges.size());
    for (const Inequality &inequality : inequalities)
      if (!inequality.index.isData)
        examine(inequality, found);
    bool isProgress = false;
    for (auto [range, bounds] : llvm::zip(ranges, found))
      if (!range && bounds.lower && bounds.upper) {
        range = {*bounds.lower, *bounds.upper};
        isProgress = true;
      }
    return isProgress;
  }

  void examine(const Inequality &inequality, std::vector<Bounds> &found) {
    std::optional<size_t> open;
    int64_t rest = inequality.constant() + inequality.sign() * inequality.index.rest;
    for (auto [number, factor] : llvm::enumerate(inequality.index.factors)) {
      if (factor && !ranges[number]) {
        if (open)
          return;
        open = number;
      } else if (factor)
        rest += least(inequality.sign() * factor, number);
    }
    if (!open)
      return;
    for (const Form::Other &other : inequality.index.others) {
      std::optional<int64_t> value = leastOf(other, inequality.sign());
      if (!value)
        return;
      rest += *value;
    }
    settle(found[*open], inequality.sign() * inequality.index.factors[*open], rest);
  }

  /// factor * v + rest >= 0.
  static void settle(Bounds &bounds, int64_t factor, int64_t rest) {
    if (factor > 0) {
      int64_t lower = -floorDivided(rest, factor);
      bounds.lower = std::max(bounds.lower.value_or(lower), lower);
    } else {
      int64_t upper = floorDivided(rest, -factor) + 1;
      bounds.upper = std::min(bounds.upper.value_or(upper), upper);
    }
  }

  /// The minimum of a form that is not a sum, by trying all values; empty if a variable has no
  /// range yet.
  std::optional<int64_t> leastOf(const Form::Other &other, int64_t sign) {
    std::vector<bool> inside(ranges.size());
    forms.collect(*other.expr, inside);
    std::vector<int64_t> point(ranges.size());
    for (auto [number, occurs] : llvm::enumerate(inside))
      if (occurs && !ranges[number])
        return std::nullopt;
    isVague = true; // The rules do not say how tightly such a term is bounded.
    std::optional<int64_t> least;
    tryAll(inside, point, 0, [&] {
      int64_t value = sign * other.factor * forms.at(*other.expr, point);
      least = std::min(least.value_or(value), value);
    });
    return least;
  }

  void tryAll(const std::vector<bool> &inside, std::vector<int64_t> &point, size_t number,
              llvm::function_ref<void()> visit) {
    if (number == point.size())
      return visit();
    if (!inside[number])
      return tryAll(inside, point, number + 1, visit);
    for (int64_t value = ranges[number]->lower; value < ranges[number]->upper; ++value) {
      point[number] = value;
      tryAll(inside, point, number + 1, visit);
    }
  }

  const Plan &plan;
  const Comprehension &statement;
  FormMaker forms;
  AccessFinder finder;
};

bool Planner::visit(const Comprehension &statement, const Stmt &self) {
  Solver solver(plan, statement);
  if (!solver.pin())
    return reject("tc.sizeexpr.5", self.range);
  solver.solve();
  planned.isVague |= solver.isVague;
  for (const Variable *variable : statement.variables)
    if (!solver.ranges[variable->index])
      return reject("tc.error.12", variable->name.range);
  for (const Variable *variable : statement.variables)
    if (solver.ranges[variable->index]->size() < 0)
      return reject(variable->clause ? "tc.where.8" : "tc.error.13", variable->name.range);
  bool isAny = llvm::all_of(solver.ranges, [](auto &range) { return range->size() > 0; });
  // The effects of conditions and nonlinear terms are known only at each point.
  for (const Inequality &inequality : solver.inequalities) {
    if (!inequality.access->happens || inequality.access->isGuarded || inequality.index.isData ||
        !inequality.index.others.empty() || solver.hardest(inequality) >= 0)
      continue;
    if (isAny)
      return reject("tc.error.18", inequality.access->read->callee.range);
    planned.isVague = true; // It may be invalid for all sizes except those with no points.
  }
  Box &box = plan.variables[&statement];
  for (const std::optional<Interval> &range : solver.ranges)
    box.push_back(*range);
  Box left(box.begin(), box.begin() + statement.indices.size());
  return define(*statement.tensor, left, statement.target, /*isCall=*/false);
}

/// The first definition fixes the range; a later one covers a part, a call covers all of it
/// [tc.order.8].
bool Planner::define(const Tensor &tensor, const Box &box, const Name &where, bool isCall) {
  auto known = plan.tensors.find(&tensor);
  if (known == plan.tensors.end())
    return defineFirst(tensor, box);
  for (auto [part, whole] : llvm::zip(box, known->second)) {
    bool fits = isCall ? part == whole : whole.lower <= part.lower && part.upper <= whole.upper;
    if (!fits)
      return reject("tc.order.8", where.range);
  }
  return true;
}

bool Planner::defineFirst(const Tensor &tensor, const Box &box) {
  plan.tensors[&tensor] = box;
  if (!tensor.declared || tensor.kind != Tensor::Output)
    return true;
  for (auto [dimension, range] : llvm::zip(tensor.declared->dimensions, box)) {
    int64_t size = dimension.name.empty() ? dimension.size : plan.sizes[dimension.variable];
    if (size != range.size())
      return reject("tc.type.12", dimension.range);
  }
  return true;
}

/// In the callee, the indices of arguments begin at 0.
bool Planner::visit(const CallStmt &call, const Stmt &) {
  auto callee = std::make_unique<Plan>();
  callee->def = call.def;
  callee->sizes.assign(call.def->sizes.size(), -1);
  for (auto [number, tensor] : llvm::enumerate(call.argumentTensors)) {
    const tc::Parameter &parameter = call.def->parameters[number];
    Box &box = callee->tensors[parameter.tensor];
    for (auto [dimension, range] : llvm::zip(parameter.type.dimensions, plan.tensors.at(tensor))) {
      if (!bind(*callee, dimension, range.size(), call.arguments[number]))
        return false;
      box.push_back({0, range.size()});
    }
    if (auto scalar = plan.scalars.find(tensor); scalar != plan.scalars.end())
      callee->scalars[parameter.tensor] = scalar->second;
  }
  if (!Planner(*callee, planned).run())
    return false;
  for (auto [number, tensor] : llvm::enumerate(call.resultTensors)) {
    const Box &box = callee->tensors.at(call.def->returns[number].tensor);
    if (!define(*tensor, box, call.results[number], /*isCall=*/true))
      return false;
  }
  plan.calls[&call] = std::move(callee);
  return true;
}

bool Planner::bind(Plan &callee, const Dimension &dimension, int64_t size, const Name &argument) {
  int64_t known = dimension.name.empty() ? dimension.size : callee.sizes[dimension.variable];
  if (known != -1 && known != size)
    return reject("tc.call.6", argument.range);
  if (known == -1)
    callee.sizes[dimension.variable] = size;
  return true;
}

} // namespace

Planned random::makePlan(const Def &entry, const Values &values) {
  Planned planned;
  auto plan = std::make_unique<Plan>();
  plan->def = &entry;
  for (const Name &size : entry.sizes)
    plan->sizes.push_back(values.at(size.text.str()));
  for (const tc::Parameter &parameter : entry.parameters) {
    Box &box = plan->tensors[parameter.tensor];
    for (const Dimension &dimension : parameter.type.dimensions)
      box.push_back({0, dimension.name.empty() ? dimension.size : plan->sizes[dimension.variable]});
    if (auto value = values.find(parameter.name.text.str()); box.empty() && value != values.end())
      plan->scalars[parameter.tensor] = value->second;
  }
  if (Planner(*plan, planned).run())
    planned.plan = std::move(plan);
  return planned;
}
