#include "Interpreter.h"
#include "lang/tc/Check.h"
#include "lang/tc/Parser.h"
#include "llvm/ADT/DenseMap.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

namespace {

/// Index variables, sizes and expressions of them have 64 bits [tc.size.8].
Scalar typeOf(const Expr &expr) {
  return expr.isWide() ? Scalar::I64 : *expr.type;
}

class Interpreter {
public:
  Interpreter(const SourceFile &file, Outcome &outcome, int64_t maxSteps)
      : file(file), outcome(outcome), stepsLeft(maxSteps) {}

  /// Arguments, and initial values of results, by the def's tensors.
  using Arrays = llvm::DenseMap<const Tensor *, Array>;

  void run(const Plan &newPlan, Arrays &newArrays) {
    const Plan *outerPlan = std::exchange(plan, &newPlan);
    Arrays *outerArrays = std::exchange(arrays, &newArrays);
    for (const Stmt *stmt : plan->def->body)
      if (!stopped())
        std::visit([&](const auto &node) { execute(node); }, stmt->node);
    plan = outerPlan;
    arrays = outerArrays;
  }

private:
  bool stopped() const { return outcome.end != End::Finished; }
  Number stop(End end) {
    if (!stopped())
      outcome.end = end;
    return {};
  }
  void note(const char *rule, const Expr &expr) {
    if (!outcome.fault && !stopped())
      outcome.fault = Fault{rule, file.position(expr.range.begin)};
  }

  // Statements.
  void execute(const CallStmt &call) {
    Arrays inner;
    const Def &callee = *call.def;
    for (auto [parameter, argument] : llvm::zip(callee.parameters, call.argumentTensors))
      inner[parameter.tensor] = based(arrays->find(argument)->second);
    const Plan &calleePlan = *plan->calls.at(&call);
    for (auto [result, tensor] : llvm::zip(callee.returns, call.resultTensors))
      if (result.tensor->isInOut)
        inner[result.tensor] = arrays->find(tensor)->second;
    run(calleePlan, inner);
    if (stopped())
      return;
    for (auto [result, tensor] : llvm::zip(callee.returns, call.resultTensors))
      (*arrays)[tensor] = inner.find(result.tensor)->second;
  }

  /// In a callee, the indices of arguments begin at 0.
  static Array based(Array array) {
    for (Interval &range : array.box)
      range = {0, range.size()};
    return array;
  }

  void execute(const Comprehension &statement) {
    const Box &box = plan->variables.at(&statement);
    size_t numLeft = statement.indices.size();
    const Box &whole = plan->tensors.at(statement.tensor);
    auto old = arrays->find(statement.tensor);
    bool hasOld = old != arrays->end();
    Array result = hasOld ? old->second
                          : Array{statement.tensor->element, whole,
                                  std::vector<Number>(size_t(numElements(whole)))};
    point.assign(box.size(), 0);
    forEach(box, 0, numLeft, [&] {
      Number &element = result.elements[size_t(offset(whole, llvm::ArrayRef(point)))];
      element = stored(computeElement(statement, box, element), result.type);
    });
    (*arrays)[statement.tensor] = std::move(result);
  }

  Number computeElement(const Comprehension &statement, const Box &box, const Number &old) {
    size_t numLeft = statement.indices.size();
    if (statement.reduction == Reduction::None)
      return storedValue(statement);
    Scalar type = statement.tensor->element;
    Accumulator accumulator;
    accumulator.start(statement.reduction, type,
                      statement.initializes ? identityOf(statement.reduction, type) : old);
    forEach(box, numLeft, box.size(), [&] { accumulator.add(valueOf(statement)); });
    return accumulator.result();
  }

  /// A value that is stored directly is rounded once [tc.own.5].
  Number storedValue(const Comprehension &statement) {
    auto *cast = statement.value->as<Cast>();
    if (!cast || !isHalf(cast->type))
      return valueOf(statement);
    return castToHalf(evaluate(*cast->operand), typeOf(*cast->operand), cast->type);
  }

  Number valueOf(const Comprehension &statement) {
    Number value = evaluate(*statement.value);
    return statement.value->isWide() ? *convert(value, Scalar::I64, Scalar::I32) : value;
  }

  void forEach(const Box &box, size_t first, size_t end, llvm::function_ref<void()> visit) {
    if (stopped())
      return;
    if (first == end)
      return visit();
    for (int64_t value = box[first].lower; value < box[first].upper && !stopped(); ++value) {
      point[first] = value;
      forEach(box, first + 1, end, visit);
    }
  }

  static int64_t offset(const Box &box, llvm::ArrayRef<int64_t> at) {
    int64_t offset = 0;
    for (auto [range, index] : llvm::zip(box, at))
      offset = offset * range.size() + (index - range.lower);
    return offset;
  }

  // Expressions.
  Number evaluate(const Expr &expr) {
    if (--stepsLeft < 0)
      return stop(End::TooLong);
    if (stopped())
      return {};
    return std::visit([&](const auto &node) { return evaluate(node, expr); }, expr.node);
  }

  Number evaluate(const IntLiteral &literal, const Expr &) {
    return Number::ofInt(int64_t(literal.value));
  }
  /// Converts the decimal to the type in which it is used [tc.type.21].
  Number evaluate(const FloatLiteral &literal, const Expr &self) {
    std::string text = literal.text.str();
    if (self.type == Scalar::F32)
      return Number::ofFloat(strtof(text.c_str(), nullptr));
    return stored(Number::ofFloat(strtod(text.c_str(), nullptr)), *self.type);
  }
  Number evaluate(const Reference &reference, const Expr &) {
    if (reference.size)
      return Number::ofInt(plan->sizes[*reference.size]);
    if (reference.variable)
      return Number::ofInt(point[reference.variable->index]);
    if (reference.let)
      return evaluate(*reference.let->value);
    return arrays->find(reference.tensor)->second.elements[0];
  }
  Number evaluate(const Paren &paren, const Expr &) { return evaluate(*paren.inner); }
  Number evaluate(const Extent &extent, const Expr &) {
    return Number::ofInt(plan->tensors.at(extent.tensor)[extent.dimension].size());
  }

  Number evaluate(const Apply &apply, const Expr &self) {
    if (apply.tensor)
      return read(apply);
    llvm::SmallVector<Number, 4> arguments;
    for (const Expr *argument : apply.arguments)
      arguments.push_back(evaluate(*argument));
    if (*apply.builtin == Builtin::min || *apply.builtin == Builtin::max)
      return smallerOrLarger(*apply.builtin == Builtin::max, *self.type, arguments[0],
                             arguments[1]);
    return function(*apply.builtin, *self.type, arguments);
  }

  Number read(const Apply &apply) {
    llvm::SmallVector<int64_t, 4> indices;
    for (const Expr *argument : apply.arguments)
      indices.push_back(evaluate(*argument).integer);
    if (stopped())
      return {};
    const Array &array = arrays->find(apply.tensor)->second;
    for (auto [number, range] : llvm::enumerate(array.box))
      if (!range.contains(indices[number])) {
        note("tc.checked.1", *apply.arguments[number]);
        return stop(End::Undefined);
      }
    return array.elements[size_t(offset(array.box, indices))];
  }

  Number evaluate(const Cast &cast, const Expr &self) {
    Number operand = evaluate(*cast.operand);
    if (isHalf(cast.type) && !cast.isImplicit)
      return castToHalf(operand, typeOf(*cast.operand), cast.type);
    std::optional<Number> value = convert(operand, typeOf(*cast.operand), typeOf(self));
    return value ? *value : stop(End::Unclear);
  }

  Number evaluate(const Unary &unary, const Expr &self) {
    Number operand = evaluate(*unary.operand);
    if (unary.op == UnaryOp::Not)
      return Number::ofInt(!operand.integer);
    return negated(operand, typeOf(self));
  }

  Number evaluate(const Binary &binary, const Expr &self) {
    Number lhs = evaluate(*binary.lhs);
    if (classOf(binary.op) == OpClass::Logic) {
      bool isDecided = (lhs.integer != 0) == (binary.op == BinaryOp::Or);
      return isDecided ? lhs : evaluate(*binary.rhs);
    }
    Number rhs = evaluate(*binary.rhs);
    if (classOf(binary.op) == OpClass::Comparison) {
      std::optional<bool> holds = compare(binary.op, *binary.lhs->type, lhs, rhs);
      return holds ? Number::ofInt(*holds) : stop(End::Unclear);
    }
    noteDivision(binary, rhs);
    return arithmetic(binary.op, typeOf(self), lhs, rhs);
  }

  void noteDivision(const Binary &binary, const Number &divisor) {
    bool divides = binary.op == BinaryOp::Div || binary.op == BinaryOp::Mod;
    if (divides && !isFloating(*binary.rhs->type) && divisor.integer == 0)
      note("tc.checked.2", *binary.rhs);
  }

  Number evaluate(const Conditional &conditional, const Expr &) {
    bool isTrue = evaluate(*conditional.condition).integer != 0;
    return evaluate(isTrue ? *conditional.ifTrue : *conditional.ifFalse);
  }

  const SourceFile &file;
  Outcome &outcome;
  int64_t stepsLeft;
  // State of the def that is running.
  const Plan *plan = nullptr;
  Arrays *arrays = nullptr;
  std::vector<int64_t> point; ///< The values of the statement's variables.
};

} // namespace

std::unique_ptr<Parsed> random::parseAndCheck(const std::string &text) {
  auto parsed = std::make_unique<Parsed>(Parsed{SourceFile("random.tc", text), nullptr, ""});
  DiagnosticEngine diagnostics;
  parsed->program = parse(parsed->file, diagnostics);
  Checker(*parsed->program, {}, diagnostics).checkProgram();
  llvm::raw_string_ostream out(parsed->errors);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == Severity::Error)
      print(out, diagnostic, {});
  if (diagnostics.hasErrors())
    parsed->program = nullptr;
  return parsed;
}

const Def *random::defNamed(const Program &program, llvm::StringRef name) {
  auto found = llvm::find_if(program.defs, [&](const Def *def) { return def->name.text == name; });
  return found == program.defs.end() ? nullptr : *found;
}

Outcome random::interpret(const Program &program, const Call &call, int64_t maxSteps) {
  const Def &def = *defNamed(program, call.entry);
  Outcome outcome;
  Planned planned = makePlan(def, valuesOf(call, def));
  if (planned.isVague)
    outcome.end = End::Unclear;
  else if (!planned.plan)
    outcome.end = End::Rejected;
  outcome.rejection = planned.rejection;
  outcome.plan = std::move(planned.plan);
  if (outcome.end != End::Finished || !outcome.plan)
    return outcome;
  Interpreter::Arrays arrays;
  auto make = [&](const Tensor *tensor) {
    return arrays[tensor] = makeArray(call, tensor->name.text, tensor->element,
                                      outcome.plan->tensors.at(tensor));
  };
  for (const tc::Parameter &parameter : def.parameters)
    make(parameter.tensor);
  for (const Return &result : def.returns)
    if (result.tensor->isInOut)
      outcome.initials.push_back(make(result.tensor));
  Interpreter(*program.file, outcome, maxSteps).run(*outcome.plan, arrays);
  if (outcome.end != End::Finished)
    return outcome;
  for (const Return &result : def.returns)
    outcome.results.push_back(arrays.find(result.tensor)->second);
  for (auto &[tensor, array] : arrays)
    if (tensor->kind != Tensor::Input)
      outcome.defined[tensor->name.text.str()] = array;
  return outcome;
}
