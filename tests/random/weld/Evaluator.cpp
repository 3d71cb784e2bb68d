#include "Evaluator.h"
#include "lang/weld/Check.h"
#include "lang/weld/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;
using llvm::ArrayRef;

namespace {

/// This many elements are compared pairwise to see whether a comparator is an order.
constexpr size_t maxCheckedOrder = 80;

/// What a loop iterates over, with evaluated arguments.
struct Walk {
  const Iterator *iterator;
  std::vector<Value> arguments;
  std::vector<Walk> parts; ///< The parts of a zip.
  int64_t count = 0;
};

class Evaluator {
public:
  explicit Evaluator(Limits limits) : limits(limits), stepsLeft(limits.maxSteps) {}

  void bind(const Variable &variable, Value value) {
    if (variables.size() <= variable.number)
      variables.resize(variable.number + 1);
    variables[variable.number] = std::move(value);
  }

  Value evaluate(const Expr &expr) {
    spend(1);
    return std::visit([&](const auto &node) { return evaluate(node, expr); }, expr.node);
  }

private:
  void spend(int64_t steps) {
    stepsLeft -= steps;
    if (stepsLeft < 0)
      throw TooLong{};
  }

  [[noreturn]] static void fail(const char *name, const Expr &expr) {
    throw Failure{name, Reporter::placeOf(expr)};
  }

  /// Failures inside the operation are reported at this expression.
  template <typename Operation> static auto at(const Expr &expr, Operation operation) {
    try {
      return operation();
    } catch (Failure &failure) {
      failure.place = Reporter::placeOf(expr);
      throw;
    }
  }

  std::vector<Value> evaluateAll(ArrayRef<Expr *> exprs) {
    std::vector<Value> values;
    for (const Expr *expr : exprs)
      values.push_back(evaluate(*expr));
    return values;
  }

  // Literals and names.
  Value evaluate(const IntLiteral &literal, const Expr &) {
    return Value::ofInt(wrapped(int64_t(literal.value), literal.type));
  }
  Value evaluate(const FloatLiteral &literal, const Expr &) {
    std::string text = literal.text.str();
    return Value::ofFloat(literal.type == Scalar::F32 ? double(strtof(text.c_str(), nullptr))
                                                      : strtod(text.c_str(), nullptr));
  }
  Value evaluate(const BoolLiteral &literal, const Expr &) { return Value::ofInt(literal.value); }
  Value evaluate(const StringLiteral &literal, const Expr &) {
    std::vector<Value> bytes;
    for (char c : literal.bytes)
      bytes.push_back(Value::ofInt(c));
    return Value::of(std::move(bytes));
  }
  Value evaluate(const VectorLiteral &vector, const Expr &) {
    return Value::of(evaluateAll(vector.elements));
  }
  Value evaluate(const StructLiteral &literal, const Expr &) {
    return Value::of(evaluateAll(literal.fields));
  }
  Value evaluate(const Reference &reference, const Expr &) {
    return variables[reference.variable->number];
  }
  Value evaluate(const Paren &paren, const Expr &) { return evaluate(*paren.inner); }
  Value evaluate(const Ascription &ascription, const Expr &) {
    return evaluate(*ascription.operand);
  }
  Value evaluate(const Let &let, const Expr &) {
    bind(*let.variable, evaluate(*let.value));
    return evaluate(*let.body);
  }
  // No llvm_unreachable: an empty function breaks exception unwinding tables.
  Value evaluate(const Lambda &, const Expr &) { throw Unclear{"a function is not a value"}; }
  Value evaluate(const IteratorExpr &, const Expr &) {
    throw Unclear{"an iterator is not a value"};
  }
  Value evaluate(const Cudf &, const Expr &) { throw Unclear{"a C function is called"}; }

  Value evaluate(const Apply &apply, const Expr &) {
    return call(*apply.callee, evaluateAll(apply.arguments));
  }

  Value call(const Expr &function, std::vector<Value> arguments) {
    const Lambda &lambda = *function.bare().as<Lambda>();
    for (auto [parameter, argument] : llvm::zip(lambda.parameters, arguments))
      bind(*parameter, std::move(argument));
    return evaluate(*lambda.body);
  }

  // Operators.
  /// Applies an operation to scalars, or lane by lane; it receives the scalar type.
  template <typename Operation>
  Value byLane(const Type &type, ArrayRef<Value> operands, Operation operation) {
    if (type.kind != Type::Simd)
      return operation(type.scalar, operands);
    std::vector<Value> lanes;
    for (int64_t lane = 0; lane < limits.lanes; ++lane) {
      std::vector<Value> scalars;
      for (const Value &operand : operands)
        scalars.push_back(operand.field(size_t(lane)));
      lanes.push_back(operation(type.parts[0]->scalar, ArrayRef<Value>(scalars)));
    }
    return Value::of(std::move(lanes));
  }

  Value evaluate(const Unary &unary, const Expr &) {
    Value operand = evaluate(*unary.operand);
    return byLane(*unary.operand->type, operand, [&](Scalar type, ArrayRef<Value> operands) {
      return unary.op == UnaryOp::Not ? Value::ofInt(!operands[0].integer)
                                      : negated(type, operands[0]);
    });
  }

  Value evaluate(const Binary &binary, const Expr &expr) {
    Value lhs = evaluate(*binary.lhs);
    bool isScalar = binary.lhs->type->kind == Type::Scalar;
    if (classOf(binary.op) == OpClass::Logic && isScalar)
      return bool(lhs.integer) == (binary.op == BinaryOp::Or) ? lhs : evaluate(*binary.rhs);
    Value rhs = evaluate(*binary.rhs);
    return at(expr, [&] { return operate(binary.op, *binary.lhs->type, lhs, rhs); });
  }

  Value operate(BinaryOp op, const Type &type, const Value &lhs, const Value &rhs) {
    OpClass opClass = classOf(op);
    bool isComparison = opClass == OpClass::Equality || opClass == OpClass::Order;
    if (isComparison && type.kind != Type::Simd)
      return Value::ofInt(compared(op, type, lhs, rhs));
    return byLane(type, {lhs, rhs}, [&](Scalar scalar, ArrayRef<Value> operands) {
      if (isComparison)
        return Value::ofInt(compared(op, *type.parts[0], operands[0], operands[1]));
      if (opClass == OpClass::Logic)
        return Value::ofInt(op == BinaryOp::And ? operands[0].integer & operands[1].integer
                                                : operands[0].integer | operands[1].integer);
      return random::binary(scalar, op, operands[0], operands[1]);
    });
  }

  bool compared(BinaryOp op, const Type &type, const Value &lhs, const Value &rhs) {
    if (type.kind == Type::Vec)
      spend(int64_t(std::min(lhs.elements().size(), rhs.elements().size())));
    return compares(op, order(type, lhs, rhs));
  }

  /// The total order of `compare`: that of keys.
  int compared(const Type &type, const Value &lhs, const Value &rhs) {
    if (type.kind == Type::Vec)
      spend(int64_t(std::min(lhs.elements().size(), rhs.elements().size())));
    return keyOrder(type, lhs, rhs);
  }

  Value evaluate(const Field &field, const Expr &) {
    return evaluate(*field.operand).field(field.index);
  }

  Value evaluate(const Cast &node, const Expr &) {
    Value operand = evaluate(*node.operand);
    return byLane(*node.operand->type, operand, [&](Scalar from, ArrayRef<Value> operands) {
      return random::cast(node.type, from, operands[0]);
    });
  }

  // Built-in operations.
  Value evaluate(const Call &call, const Expr &expr) {
    ArrayRef<Expr *> arguments = call.arguments;
    switch (call.builtin) {
    case Builtin::If:
      return evaluate(*arguments[evaluate(*arguments[0]).integer ? 1 : 2]);
    case Builtin::Iterate:
      return iterate(*arguments[0], *arguments[1]);
    case Builtin::Sort:
      return sorted(*arguments[0], *arguments[1]);
    default:
      return apply(call, expr, evaluateAll(arguments));
    }
  }

  /// All others evaluate their arguments first, from left to right.
  Value apply(const Call &call, const Expr &expr, const std::vector<Value> &operands) {
    const Type &type = *call.arguments[0]->type;
    switch (call.builtin) {
    case Builtin::Select:
      return selected(type, operands);
    case Builtin::Merge:
      return merged(call, expr, operands);
    case Builtin::Result:
      return resultOf(type, operands[0]);
    case Builtin::Lookup:
      return lookUp(type, operands, expr);
    case Builtin::OptLookup:
    case Builtin::KeyExists:
      return lookForKey(call.builtin, type, operands);
    case Builtin::Len:
      return Value::ofInt(int64_t(operands[0].elements().size()));
    case Builtin::Slice:
      return slice(operands, expr);
    case Builtin::Compare:
      return at(expr, [&] { return Value::ofInt(compared(type, operands[0], operands[1])); });
    case Builtin::ToVec:
      return Value::of(operands[0].elements());
    case Builtin::Broadcast:
      return Value::of(std::vector<Value>(size_t(limits.lanes), operands[0]));
    case Builtin::Serialize:
      return bytesOf(type, operands[0]);
    case Builtin::Assert:
      if (!operands[0].integer)
        fail("AssertionError", expr);
      return operands[0];
    default:
      return computed(call.builtin, type, operands, expr);
    }
  }

  Value computed(Builtin builtin, const Type &type, const std::vector<Value> &operands,
                 const Expr &expr) {
    return at(expr, [&] {
      return byLane(type, operands, [&](Scalar scalar, ArrayRef<Value> operands) {
        switch (builtin) {
        case Builtin::Min:
          return smaller(scalar, operands[0], operands[1]);
        case Builtin::Max:
          return larger(scalar, operands[0], operands[1]);
        case Builtin::Pow:
          return power(scalar, operands[0], operands[1]);
        default:
          return mathFunction(scalar, builtin, operands[0]);
        }
      });
    });
  }

  Value selected(const Type &condition, const std::vector<Value> &operands) {
    return byLane(condition, operands, [](Scalar, ArrayRef<Value> operands) {
      return operands[operands[0].integer ? 1 : 2];
    });
  }

  Value iterate(const Expr &initial, const Expr &function) {
    Value state = evaluate(initial);
    while (true) {
      Value next = call(function, {state});
      if (!next.field(1).integer)
        return next.field(0);
      state = next.field(0);
    }
  }

  Value sorted(const Expr &data, const Expr &comparator) {
    std::vector<Value> elements = evaluate(data).elements(), some = someOf(elements);
    auto compare = [&](const Value &a, const Value &b) { return call(comparator, {a, b}).integer; };
    auto isLess = [&](const Value &a, const Value &b) { return compare(a, b) < 0; };
    llvm::stable_sort(some, isLess);
    checkOrder(some, compare);
    llvm::stable_sort(elements, isLess);
    return Value::of(std::move(elements));
  }

  /// All elements, or the first ones: long arguments repeat their beginning.
  static std::vector<Value> someOf(const std::vector<Value> &elements) {
    size_t count = std::min(elements.size(), maxCheckedOrder);
    return {elements.begin(), elements.begin() + ptrdiff_t(count)};
  }

  /// The result of a comparator that is not an order is unspecified; with NaNs it is specified.
  template <typename Compare>
  static void checkOrder(const std::vector<Value> &elements, Compare compare) {
    if (elements.size() < 2) // Then the comparator is not called, and may fail.
      return;
    for (size_t i = 0; i < elements.size(); ++i)
      for (size_t j = i; j < elements.size(); ++j) {
        int64_t forth = compare(elements[i], elements[j]), back = compare(elements[j], elements[i]);
        if (forth > 0 || (forth == 0) != (back == 0) || (forth < 0 && back < 0))
          throw Unclear{"a comparator orders nothing"};
      }
    // Whether `neither` is transitive: the first of a run of equal elements must equal all of them.
    for (size_t first = 0, i = 1; i < elements.size(); ++i) {
      bool isEqualToLast = compare(elements[i - 1], elements[i]) == 0;
      bool isEqualToFirst = compare(elements[first], elements[i]) == 0;
      if (isEqualToLast != isEqualToFirst)
        throw Unclear{"a comparator orders nothing"};
      if (!isEqualToLast)
        first = i;
    }
  }

  Value lookUp(const Type &type, const std::vector<Value> &operands, const Expr &expr) {
    if (type.kind == Type::Dict) {
      const Value *found = find(type, operands[0], operands[1]);
      return found ? *found : (fail("KeyNotFoundError", expr), Value());
    }
    int64_t index = operands[1].integer;
    if (index < 0 || index >= int64_t(operands[0].elements().size()))
      fail("ArrayOutOfBounds", expr);
    return operands[0].field(size_t(index));
  }

  static Value lookForKey(Builtin builtin, const Type &type, const std::vector<Value> &operands) {
    const Value *found = find(type, operands[0], operands[1]);
    if (builtin == Builtin::KeyExists)
      return Value::ofInt(found != nullptr);
    return Value::of({Value::ofInt(found != nullptr), found ? *found : zeroOf(*type.parts[1])});
  }

  Value slice(const std::vector<Value> &operands, const Expr &expr) {
    const std::vector<Value> &elements = operands[0].elements();
    int64_t start = operands[1].integer, size = operands[2].integer;
    auto length = int64_t(elements.size());
    if (start < 0 || start > length || size < 0)
      fail("ArrayOutOfBounds", expr);
    size = std::min(size, length - start);
    spend(size);
    return Value::of({elements.begin() + start, elements.begin() + start + size});
  }

  Value bytesOf(const Type &type, const Value &value) {
    std::vector<Value> bytes;
    serialize(type, value, bytes);
    spend(int64_t(bytes.size()));
    return Value::of(std::move(bytes));
  }

  Value evaluate(const Deserialize &node, const Expr &expr) {
    Value data = evaluate(*node.bytes);
    return at(expr, [&] {
      ArrayRef<Value> bytes = data.elements();
      Value value = deserialize(*expr.type, bytes);
      if (!bytes.empty())
        throw Failure{"DeserializationError"};
      return value;
    });
  }

  // Builders and loops.
  Value evaluate(const NewBuilder &builder, const Expr &expr) {
    if (!builder.argument)
      return newBuilder(*expr.type, nullptr);
    Value argument = evaluate(*builder.argument);
    return newBuilder(*expr.type, &argument);
  }

  Value merged(const Call &call, const Expr &expr, const std::vector<Value> &operands) {
    const Type &builder = *call.arguments[0]->type, &value = *call.arguments[1]->type;
    at(expr, [&] {
      if (value.kind != Type::Simd)
        return merge(builder, operands[0], operands[1]);
      for (const Value &lane : operands[1].elements())
        merge(builder, operands[0], lane);
    });
    return operands[0];
  }

  Value evaluate(const For &loop, const Expr &expr) {
    Walk walk = begin(*loop.iterator);
    Value builder = evaluate(*loop.builder);
    int64_t first = -1;
    count(walk, first, expr);
    for (int64_t i = 0; i < walk.count; ++i)
      builder = call(*loop.update, {builder, Value::ofInt(i), element(walk, i)});
    return builder;
  }

  Walk begin(const Iterator &iterator) {
    Walk walk{&iterator, evaluateAll(iterator.arguments), {}};
    for (const Iterator *part : iterator.parts)
      walk.parts.push_back(begin(*part));
    return walk;
  }

  /// An iterator may be defined elsewhere with arguments from another place; then the loop's
  /// position is used.
  [[noreturn]] static void fail(const char *name, const Iterator &iterator, const Expr &loop) {
    const Expr &first = *iterator.arguments[0];
    if (iterator.kind == Iterator::Plain)
      fail(name, first);
    bool isTogether = llvm::all_of(iterator.arguments, [&](const Expr *argument) {
      return argument->expansion == first.expansion;
    });
    Place place = isTogether ? Place(iterator.range, first.expansion) : Place(loop);
    throw Failure{name, Reporter::placeOf(place)};
  }

  /// Checks each iterator, and then that it has as many elements as the first.
  void count(Walk &walk, int64_t &first, const Expr &loop) {
    const Iterator &iterator = *walk.iterator;
    for (Walk &part : walk.parts)
      count(part, first, loop);
    if (iterator.kind == Iterator::Zip) {
      walk.count = walk.parts.front().count;
      return;
    }
    walk.count = countOf(walk, loop);
    if (first >= 0 && walk.count != first)
      fail("MismatchedZipSize", iterator, loop);
    first = walk.count;
  }

  int64_t countOf(const Walk &walk, const Expr &loop) {
    const Iterator &iterator = *walk.iterator;
    auto number = [&](size_t index) { return walk.arguments[index].integer; };
    auto length = [&] { return int64_t(walk.arguments[0].elements().size()); };
    switch (iterator.kind) {
    case Iterator::Strided:
      // `iter(v)` is `v`.
      if (walk.arguments.size() == 1)
        return length();
      if (number(1) < 0 || number(2) > length())
        fail("BadIteratorLength", iterator, loop);
      return rangeCount(number(1), number(2), number(3), iterator, loop);
    case Iterator::Range:
      return rangeCount(number(0), number(1), number(2), iterator, loop);
    case Iterator::Simd:
      return length() / limits.lanes;
    case Iterator::Fringe:
      return length() % limits.lanes;
    case Iterator::Nd:
      return tensorCount(walk, loop);
    default:
      return length();
    }
  }

  static int64_t rangeCount(int64_t start, int64_t end, int64_t stride, const Iterator &iterator,
                            const Expr &loop) {
    if (stride <= 0)
      fail("BadIteratorLength", iterator, loop);
    if (start >= end)
      return 0;
    uint64_t count = (uint64_t(end) - uint64_t(start) - 1) / uint64_t(stride) + 1;
    if (count > uint64_t(INT64_MAX))
      fail("BadIteratorLength", iterator, loop);
    return int64_t(count);
  }

  /// The corners show whether all elements exist.
  static int64_t tensorCount(const Walk &walk, const Expr &loop) {
    const std::vector<Value> &shape = walk.arguments[4].elements();
    const std::vector<Value> &strides = walk.arguments[5].elements();
    __int128 count = 1, low = walk.arguments[1].integer, high = low;
    bool isSound = shape.size() == strides.size();
    for (size_t i = 0; isSound && i < shape.size(); ++i) {
      int64_t size = shape[i].integer;
      isSound &= size >= 0;
      count = std::min<__int128>(count * size, __int128(INT64_MAX) + 1);
      __int128 reach = __int128(size - 1) * strides[i].integer;
      (reach < 0 ? low : high) += reach;
    }
    bool isEmpty = llvm::any_of(shape, [](const Value &size) { return size.integer == 0; });
    auto length = int64_t(walk.arguments[0].elements().size());
    if (!isSound || (!isEmpty && (low < 0 || high >= length || count > INT64_MAX)))
      fail("BadIteratorLength", *walk.iterator, loop);
    return isEmpty ? 0 : int64_t(count);
  }

  Value element(const Walk &walk, int64_t i) {
    const Iterator &iterator = *walk.iterator;
    if (iterator.kind == Iterator::Zip) {
      std::vector<Value> fields;
      for (const Walk &part : walk.parts)
        fields.push_back(element(part, i));
      return Value::of(std::move(fields));
    }
    auto number = [&](size_t index) { return walk.arguments[index].integer; };
    if (iterator.kind == Iterator::Range)
      return Value::ofInt(number(0) + i * number(2));
    const std::vector<Value> &data = walk.arguments[0].elements();
    switch (iterator.kind) {
    case Iterator::Strided:
      return data[size_t(walk.arguments.size() == 1 ? i : number(1) + i * number(3))];
    case Iterator::Simd: {
      auto begin = data.begin() + i * limits.lanes;
      return Value::of({begin, begin + limits.lanes});
    }
    case Iterator::Fringe:
      return data[data.size() / size_t(limits.lanes) * size_t(limits.lanes) + size_t(i)];
    case Iterator::Nd:
      return data[tensorIndex(walk, i)];
    default:
      return data[size_t(i)];
    }
  }

  static size_t tensorIndex(const Walk &walk, int64_t i) {
    const std::vector<Value> &shape = walk.arguments[4].elements();
    int64_t index = walk.arguments[1].integer;
    for (size_t dim = shape.size(); dim-- > 0; i /= shape[dim].integer)
      index += i % shape[dim].integer * walk.arguments[5].field(dim).integer;
    return size_t(index);
  }

  Limits limits;
  int64_t stepsLeft;
  /// By index: without recursion, each variable has one value at a time.
  std::vector<Value> variables;
};

} // namespace

Parsed::Parsed(std::string text)
    : file("program.weld", std::move(text)), program(parse(file, diagnostics)) {
  isCorrect = check(*program, {}, diagnostics);
}

std::string Parsed::errors() {
  std::string result;
  for (const Diagnostic &diagnostic : diagnostics.sorted()) {
    LineColumn place = file.position(diagnostic.range.begin);
    result += llvm::formatv("{0}:{1}: {2} [{3}]\n", place.line, place.column, diagnostic.message,
                            diagnostic.kind->rule);
  }
  return result;
}

std::string Outcome::text(const Program &program) const {
  switch (end) {
  case Finished:
    return random::text(*program.value->type, value);
  case Failed:
    return llvm::formatv("fails at {0}:{1}: {2}", place.line, place.column, error);
  case Unclear:
    return "unclear: " + error;
  case TooLong:
    return "too long";
  }
  llvm_unreachable("four ends");
}

Outcome random::evaluate(const Program &program, ArrayRef<Value> arguments, Limits limits) {
  Evaluator evaluator(limits);
  for (auto [parameter, argument] : llvm::zip(program.parameters, arguments))
    evaluator.bind(*parameter, argument);
  Outcome outcome;
  try {
    outcome.value = evaluator.evaluate(*program.value);
  } catch (const Failure &failure) {
    outcome.end = Outcome::Failed;
    outcome.error = failure.name;
    outcome.place = program.file->position(failure.place.begin);
  } catch (const struct Unclear &unclear) {
    outcome.end = Outcome::Unclear;
    outcome.error = unclear.why;
  } catch (const struct TooLong &) {
    outcome.end = Outcome::TooLong;
  }
  return outcome;
}
