/// Compiled with -ffp-contract=off: only `#` fuses, by calling fma.
#include "Evaluator.h"
#include "Value.h"
#include "llvm/ADT/DenseMap.h"
#include <cmath>

using namespace tessera;
using namespace tessera::ttl;
using namespace tessera::ttl::random;

namespace {

constexpr int maxDepth = 400;

class Evaluator {
public:
  Evaluator(const Program &program, int64_t maxSteps) : file(*program.file), stepsLeft(maxSteps) {}

  Outcome run(const Function &main) {
    Value result = call(main, {});
    outcome.result = outcome.end == End::Finished ? result.asInt() : 0;
    return std::move(outcome);
  }

private:
  using Frame = llvm::DenseMap<const Variable *, Value>;
  struct Bounds {
    int64_t begin, end;
  };

  // After an ending, values are meaningless and everything returns.
  bool stopped() const { return outcome.end != End::Finished; }
  Fault fault(const char *rule, SourceRange at) {
    return {rule, file.position(at.begin), outcome.output.size()};
  }
  /// Records an undefined case to which ttl.defined gives a result.
  void note(const char *rule, SourceRange at) {
    if (!outcome.undefined && !stopped())
      outcome.undefined = fault(rule, at);
  }
  void stop(const char *rule, SourceRange at) {
    note(rule, at);
    if (!stopped())
      outcome.end = End::Undefined;
  }
  void spend(int64_t steps) {
    stepsLeft -= steps;
    if (stepsLeft < 0 && !stopped())
      outcome.end = End::TooLong;
  }

  // Statements.
  Value call(const Function &function, std::vector<Value> arguments) {
    Frame frame;
    for (auto [parameter, argument] : llvm::zip(function.parameters, arguments))
      frame[parameter.variable] = argument;
    Frame *outer = std::exchange(variables, &frame);
    Value result;
    if (++depth > maxDepth)
      outcome.end = End::TooLong;
    for (const Stmt *stmt : function.body) {
      if (auto *last = stmt->as<Return>()) {
        result = evaluate(*last->value);
        checkSizes(result, function.returnType, last->value->range);
      } else {
        execute(*stmt);
      }
    }
    --depth;
    variables = outer;
    return result;
  }

  void execute(const Stmt &stmt) {
    defineUnbraced(stmt);
    executeBody(&stmt);
  }
  void executeBody(const Stmt *stmt) {
    spend(1);
    if (stmt && !stopped())
      std::visit([&](const auto &node) { execute(node); }, stmt->node);
  }

  /// A definition that is a body without braces belongs to the scope of the whole statement.
  void defineUnbraced(const Stmt &stmt) {
    auto define = [&](const Stmt *body) {
      if (!body)
        return;
      if (auto *def = body->as<VarDef>())
        (*variables)[def->variable] = defaultValue(def->type);
      defineUnbraced(*body);
    };
    if (auto *loop = stmt.as<For>())
      define(loop->body);
    if (auto *branch = stmt.as<If>()) {
      for (const If::Arm &arm : branch->arms)
        define(arm.body);
      define(branch->elseBody);
    }
  }

  static Value defaultValue(const Type &type) {
    if (!type.isMatrix())
      return {};
    std::vector<int64_t> sizes(type.sizes);
    std::replace(sizes.begin(), sizes.end(), Type::dynamic, int64_t(0));
    return Value::of(Matrix(std::move(sizes), /*isWritten=*/false));
  }

  void execute(const VarDef &def) {
    Value value = def.init ? initialValue(def) : defaultValue(def.type);
    if (!stopped())
      (*variables)[def.variable] = value;
  }
  Value initialValue(const VarDef &def) {
    if (def.init->type.kind == Type::Range)
      return rangeValue(def);
    Value value = evaluate(*def.init);
    if (stopped() || !def.type.isMatrix())
      return value;
    if (!value.matrix) {
      Matrix matrix(def.type.sizes, true);
      std::fill(matrix.bits.begin(), matrix.bits.end(), value.bits);
      return Value::of(std::move(matrix));
    }
    if (def.init->type.rank() != def.type.rank()) {
      Matrix matrix = *value.matrix;
      matrix.sizes = def.type.sizes;
      return Value::of(std::move(matrix));
    }
    checkSizes(value, def.type, def.init->range);
    return value;
  }
  Value rangeValue(const VarDef &def) {
    auto [begin, end] = bounds(*def.init);
    if (!stopped() && end - begin != def.type.numElements())
      stop("ttl.checked.4", def.init->range);
    if (stopped())
      return {};
    Matrix matrix(def.type.sizes, true);
    for (uint32_t &element : matrix.bits)
      element = uint32_t(begin++);
    return Value::of(std::move(matrix));
  }

  /// A dynamic size must agree with the declared type.
  void checkSizes(const Value &value, const Type &declared, SourceRange at) {
    if (stopped() || !declared.isMatrix())
      return;
    for (auto [size, expected] : llvm::zip(value.matrix->sizes, declared.sizes))
      if (expected != Type::dynamic && size != expected)
        stop("ttl.checked.7", at);
  }

  void execute(const Assign &assign) {
    Value value = evaluate(*assign.value);
    checkSizes(value, assign.variable->type, assign.value->range);
    if (!stopped())
      (*variables)[assign.variable] = value;
  }

  void execute(const ElementAssign &assign) {
    std::vector<int64_t> indices;
    for (const Expr *index : assign.indices)
      indices.push_back(evaluate(*index).asInt());
    Value value = evaluate(*assign.value);
    if (stopped())
      return;
    auto &target = (*variables)[assign.variable].matrix;
    for (size_t dim = 0; dim < indices.size(); ++dim)
      if (indices[dim] < 0 || indices[dim] >= target->sizes[dim])
        return stop("ttl.checked.1", assign.indices[dim]->range);
    if (target.use_count() > 1) {
      spend(target->bits.size() / 8);
      target = std::make_shared<const Matrix>(*target);
    }
    auto &matrix = const_cast<Matrix &>(*target); // Not shared.
    int64_t position = matrix.position(indices);
    matrix.bits[position] = value.bits;
    matrix.written[position] = true;
  }

  void execute(const CallStmt &stmt) {
    auto *call = stmt.call->as<Call>();
    if (call->function) {
      evaluate(*stmt.call);
      return;
    }
    const Expr &argument = *call->arguments.front();
    Value value = read(argument);
    if (!stopped())
      outcome.output += format(value, argument.type.elementKind()) + "\n";
    spend(value.matrix ? value.matrix->bits.size() : 1);
  }

  /// After the loop, its variable has the value the loop last assigned, whatever the body did.
  void execute(const For &loop) {
    auto [begin, end] = bounds(*loop.range);
    int64_t step = evaluate(*loop.step).asInt();
    if (!stopped() && step <= 0) {
      note("ttl.checked.11", loop.step->range);
      return;
    }
    for (int64_t counter = begin; counter < end && !stopped(); counter += step) {
      (*variables)[loop.variable] = Value::of(int32_t(counter));
      executeBody(loop.body);
      (*variables)[loop.variable] = Value::of(int32_t(counter));
    }
  }

  void execute(const If &branch) {
    for (const If::Arm &arm : branch.arms) {
      bool isTrue = evaluate(*arm.condition).asInt() != 0;
      if (stopped())
        return;
      if (isTrue)
        return executeBody(arm.body);
    }
    if (branch.elseBody)
      executeBody(branch.elseBody);
  }
  void execute(const Compound &compound) {
    for (const Stmt *stmt : compound.body)
      execute(*stmt);
  }
  void execute(const Return &) {}

  // Expressions.
  Value evaluate(const Expr &expr) {
    spend(1);
    const Expr &bare = expr.bare();
    return stopped()
               ? Value()
               : std::visit([&](const auto &node) { return evaluate(node, bare); }, bare.node);
  }
  /// An expression whose elements are all read.
  Value read(const Expr &expr) {
    Value value = evaluate(expr);
    if (!stopped() && value.matrix && !value.matrix->isWritten())
      note("ttl.checked.12", expr.range);
    return value;
  }
  Bounds bounds(const Expr &range) {
    if (range.type.kind == Type::Int) // --std=reference
      return {0, evaluate(range).asInt()};
    auto *binary = range.bare().as<Binary>();
    int64_t begin = evaluate(*binary->lhs).asInt();
    return {begin, evaluate(*binary->rhs).asInt()};
  }

  Value evaluate(const IntLiteral &literal, const Expr &) { return Value::of(literal.value); }
  Value evaluate(const FloatLiteral &literal, const Expr &) { return Value::of(literal.value); }
  Value evaluate(const Reference &reference, const Expr &) {
    return (*variables)[reference.variable];
  }
  Value evaluate(const Paren &paren, const Expr &) { return evaluate(*paren.inner); }

  Value evaluate(const List &list, const Expr &) {
    Matrix matrix({int64_t(list.elements.size())}, true);
    for (auto [element, bits] : llvm::zip(list.elements, matrix.bits))
      bits = evaluate(*element).bits;
    return Value::of(std::move(matrix));
  }

  Value evaluate(const Call &node, const Expr &) {
    std::vector<Value> arguments;
    for (auto [argument, parameter] : llvm::zip(node.arguments, node.function->parameters)) {
      arguments.push_back(evaluate(*argument));
      checkSizes(arguments.back(), parameter.type, argument->range);
    }
    return stopped() ? Value() : call(*node.function, std::move(arguments));
  }

  Value evaluate(const Slice &slice, const Expr &self) {
    Value base = evaluate(*slice.base);
    std::vector<int64_t> begins, sizes;
    for (auto [dim, index] : llvm::enumerate(slice.indices)) {
      if (stopped())
        return {};
      int64_t size = base.matrix->sizes[dim];
      auto [begin, end] = index->type.kind == Type::Range ? bounds(*index) : elementBounds(*index);
      if (index->type.kind == Type::Range && begin > end)
        stop("ttl.checked.3", index->range);
      else if (begin < 0 || end > size)
        stop(index->type.kind == Type::Range ? "ttl.checked.2" : "ttl.checked.1", index->range);
      begins.push_back(begin);
      sizes.push_back(end - begin);
    }
    if (stopped())
      return {};
    return self.type.isMatrix() ? part(*base.matrix, begins, std::move(sizes))
                                : element(*base.matrix, begins, self);
  }
  Bounds elementBounds(const Expr &index) {
    int64_t position = evaluate(index).asInt();
    return {position, position + 1};
  }
  Value element(const Matrix &matrix, llvm::ArrayRef<int64_t> indices, const Expr &self) {
    int64_t position = matrix.position(indices);
    if (!matrix.written[position])
      note("ttl.checked.12", self.range);
    return {matrix.bits[position], nullptr};
  }
  Value part(const Matrix &matrix, llvm::ArrayRef<int64_t> begins, std::vector<int64_t> sizes) {
    Matrix result(std::move(sizes), true);
    std::vector<int64_t> indices = begins;
    spend(result.bits.size());
    for (size_t to = 0; to < result.bits.size(); ++to) {
      int64_t from = matrix.position(indices);
      result.bits[to] = matrix.bits[from];
      result.written[to] = matrix.written[from];
      for (size_t dim = indices.size(); dim-- > 0;) {
        if (++indices[dim] < begins[dim] + result.sizes[dim])
          break;
        indices[dim] = begins[dim];
      }
    }
    return Value::of(std::move(result));
  }

  Value evaluate(const Unary &unary, const Expr &self) {
    Value operand = evaluate(*unary.operand);
    if (unary.op == UnaryOp::Not)
      return Value::of(int32_t(operand.asInt() == 0));
    if (self.type.kind == Type::Float)
      return Value::of(-operand.asFloat());
    return Value::of(arithmetic(BinaryOp::Sub, 0, operand.asInt(), self));
  }

  Value evaluate(const Binary &binary, const Expr &self) {
    switch (classOf(binary.op)) {
    case OpClass::MatMul:
      return matMul(binary, self);
    case OpClass::SizeOf:
      return sizeOf(binary, self);
    case OpClass::Arithmetic:
      return self.type.isMatrix() ? elementwise(binary, self) : scalarArithmetic(binary, self);
    case OpClass::Comparison:
      return compare(binary);
    case OpClass::Logic: {
      bool lhs = evaluate(*binary.lhs).asInt() != 0, rhs = evaluate(*binary.rhs).asInt() != 0;
      return Value::of(int32_t(binary.op == BinaryOp::And ? lhs && rhs : lhs || rhs));
    }
    case OpClass::Range:
      break;
    }
    return {};
  }

  Value sizeOf(const Binary &binary, const Expr &self) {
    Value matrix = evaluate(*binary.lhs);
    int64_t dim = evaluate(*binary.rhs).asInt();
    if (stopped())
      return {};
    if (dim < 0 || dim >= int64_t(matrix.matrix->sizes.size())) {
      stop("ttl.checked.8", self.range);
      return {};
    }
    return Value::of(int32_t(matrix.matrix->sizes[dim]));
  }

  Value compare(const Binary &binary) {
    Value lhs = evaluate(*binary.lhs), rhs = evaluate(*binary.rhs);
    if (binary.lhs->type.kind == Type::Float)
      return Value::of(int32_t(compare(binary.op, lhs.asFloat(), rhs.asFloat())));
    return Value::of(int32_t(compare(binary.op, lhs.asInt(), rhs.asInt())));
  }
  template <typename T> static bool compare(BinaryOp op, T lhs, T rhs) {
    switch (op) {
    case BinaryOp::Less:
      return lhs < rhs;
    case BinaryOp::Greater:
      return lhs > rhs;
    case BinaryOp::LessEqual:
      return lhs <= rhs;
    case BinaryOp::GreaterEqual:
      return lhs >= rhs;
    case BinaryOp::Equal:
      return lhs == rhs;
    default:
      return lhs != rhs;
    }
  }

  // Arithmetic.
  int32_t fit(int64_t exact, const Expr &self) {
    if (exact != int32_t(exact))
      note("ttl.checked.9", self.range);
    return int32_t(exact);
  }
  int32_t arithmetic(BinaryOp op, int64_t lhs, int64_t rhs, const Expr &self) {
    if (op == BinaryOp::Div && rhs == 0 && !stopped()) {
      outcome.end = End::DividedByZero;
      outcome.division = fault("ttl.checked.10", self.range);
    }
    if (stopped())
      return 0;
    return fit(op == BinaryOp::Add   ? lhs + rhs
               : op == BinaryOp::Sub ? lhs - rhs
               : op == BinaryOp::Mul ? lhs * rhs
                                     : lhs / rhs,
               self);
  }
  static float arithmetic(BinaryOp op, float lhs, float rhs) {
    return op == BinaryOp::Add   ? lhs + rhs
           : op == BinaryOp::Sub ? lhs - rhs
           : op == BinaryOp::Mul ? lhs * rhs
                                 : lhs / rhs;
  }
  uint32_t combine(BinaryOp op, uint32_t lhs, uint32_t rhs, const Expr &self) {
    if (self.type.elementKind() == Type::Float)
      return std::bit_cast<uint32_t>(
          arithmetic(op, std::bit_cast<float>(lhs), std::bit_cast<float>(rhs)));
    return uint32_t(arithmetic(op, int32_t(lhs), int32_t(rhs), self));
  }

  Value scalarArithmetic(const Binary &binary, const Expr &self) {
    Value lhs = evaluate(*binary.lhs), rhs = evaluate(*binary.rhs);
    return {combine(binary.op, lhs.bits, rhs.bits, self), nullptr};
  }

  Value elementwise(const Binary &binary, const Expr &self) {
    Value lhs = read(*binary.lhs), rhs = read(*binary.rhs);
    if (stopped())
      return {};
    if (lhs.matrix && rhs.matrix && lhs.matrix->sizes != rhs.matrix->sizes) {
      stop("ttl.checked.6", self.range);
      return {};
    }
    Matrix result((lhs.matrix ? lhs : rhs).matrix->sizes, true);
    spend(result.bits.size());
    for (size_t i = 0; i < result.bits.size() && !stopped(); ++i)
      result.bits[i] = combine(binary.op, lhs.matrix ? lhs.matrix->bits[i] : lhs.bits,
                               rhs.matrix ? rhs.matrix->bits[i] : rhs.bits, self);
    return Value::of(std::move(result));
  }

  /// One chain of sums per element, k ascending from zero; fused multiply-adds for `float`.
  Value matMul(const Binary &binary, const Expr &self) {
    Value lhs = read(*binary.lhs), rhs = read(*binary.rhs);
    if (stopped())
      return {};
    if (lhs.matrix->sizes[1] != rhs.matrix->sizes[0]) {
      stop("ttl.checked.5", self.range);
      return {};
    }
    Matrix result({lhs.matrix->sizes[0], rhs.matrix->sizes[1]}, true);
    int64_t columns = result.sizes[1], inner = rhs.matrix->sizes[0];
    spend(result.bits.size() * inner);
    for (size_t i = 0; i < result.bits.size() && !stopped(); ++i) {
      int64_t row = i / columns, column = i % columns;
      for (int64_t k = 0; k < inner; ++k) {
        uint32_t a = lhs.matrix->bits[row * inner + k], b = rhs.matrix->bits[k * columns + column];
        result.bits[i] = accumulate(result.bits[i], a, b, self);
      }
    }
    return Value::of(std::move(result));
  }
  uint32_t accumulate(uint32_t sum, uint32_t a, uint32_t b, const Expr &self) {
    if (self.type.element == Type::Float)
      return std::bit_cast<uint32_t>(
          std::fma(std::bit_cast<float>(a), std::bit_cast<float>(b), std::bit_cast<float>(sum)));
    int64_t product = arithmetic(BinaryOp::Mul, int32_t(a), int32_t(b), self);
    return uint32_t(arithmetic(BinaryOp::Add, int32_t(sum), product, self));
  }

  const SourceFile &file;
  int64_t stepsLeft;
  int depth = 0;
  Frame *variables = nullptr;
  Outcome outcome;
};

} // namespace

Outcome tessera::ttl::random::evaluate(const Program &program, int64_t maxSteps) {
  for (const Function *function : program.functions)
    if (function->name.text == "main")
      return Evaluator(program, maxSteps).run(*function);
  return {};
}
