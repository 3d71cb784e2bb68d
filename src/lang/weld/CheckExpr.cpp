#include "lang/weld/Advice.h"
#include "lang/weld/Check.h"
#include "lang/weld/TypeRules.h"
#include "lang/weld/Walk.h"
#include "support/Decimal.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

const Type *Checker::infer(Expr &expr) {
  expr.type = std::visit([&](auto &node) { return inferNode(node, expr); }, expr.node);
  checkSize(expr);
  return expr.type;
}

const Type *Checker::inferNode(IntLiteral &literal, Expr &expr) {
  checkRange(literal, expr, /*isNegated=*/false);
  return types.scalar(literal.type);
}

/// The most negative number of a type is a literal after a `-` [weld.literal.4].
void Checker::checkRange(const IntLiteral &literal, const Expr &expr, bool isNegated) {
  uint64_t largest = (uint64_t(1) << (bitsOf(literal.type) - 1)) - 1;
  if (literal.value <= largest + isNegated)
    return;
  Report report =
      reporter.report(expr, diag::IntegerRange, quote(expr), spelling(literal.type), largest);
  if (literal.type == Scalar::I32 && literal.value <= uint64_t(INT64_MAX))
    suggest(report, expr, types.index());
}

const Type *Checker::inferNode(FloatLiteral &literal, Expr &expr) {
  bool isSingle = literal.type == Scalar::F32;
  llvm::APFloat value(isSingle ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble());
  auto status =
      value.convertFromString(roundableDecimal(literal.text), llvm::APFloat::rmNearestTiesToEven);
  if (status && (*status & llvm::APFloat::opOverflow))
    reporter.report(expr, diag::FloatRange, quote(expr), spelling(literal.type));
  else if (!status)
    llvm::consumeError(status.takeError());
  return types.scalar(literal.type);
}

const Type *Checker::inferNode(BoolLiteral &, Expr &) {
  return types.boolean();
}

const Type *Checker::inferNode(StringLiteral &, Expr &) {
  return types.vec(types.scalar(Scalar::I8));
}

const Type *Checker::inferNode(VectorLiteral &vector, Expr &expr) {
  const Type *element = types.fresh(&expr);
  const Expr *other = nullptr; // The first of another type, which is reported for all.
  for (Expr *each : vector.elements) {
    const Type *type = infer(*each);
    if (!other && !types.unify(element, type))
      other = each;
  }
  if (other) {
    const Expr &first = *vector.elements.front();
    Report report =
        reporter.report(*other, diag::VectorElements, spell(first.type), spell(other->type));
    report.label(Reporter::placeOf(first), "{0}", spell(first.type));
    if (!suggestAll(report, vector.elements, first.type))
      suggestAll(report, vector.elements, other->type);
  }
  const Type *type = types.vec(element);
  checkWellFormed(type, expr);
  return type;
}

const Type *Checker::inferNode(StructLiteral &literal, Expr &) {
  llvm::SmallVector<const Type *> fields;
  for (Expr *field : literal.fields)
    fields.push_back(infer(*field));
  return types.make(Type::Struct, fields);
}

const Type *Checker::inferNode(Reference &reference, Expr &) {
  bool isBound = reference.variable && reference.variable->type;
  return isBound ? reference.variable->type : types.invalid();
}

const Type *Checker::inferNode(Paren &paren, Expr &) {
  return infer(*paren.inner);
}

const Type *Checker::inferNode(Let &let, Expr &expr) {
  const Expr &bare = let.value->bare();
  bool isFunction = bare.as<Lambda>();
  if (isFunction)
    reportFunction(let, bare);
  const Type *value = isFunction ? types.invalid() : infer(*let.value);
  let.variable->type = value;
  if (let.variable->written) {
    let.variable->type = typeOf(*let.variable->written, &expr);
    if (!types.unify(let.variable->type, value)) {
      Report report = reporter.report(*let.value, diag::LetType, let.variable->name.text,
                                      spell(let.variable->type), spell(value));
      suggest(report, *let.value, let.variable->type);
    }
  }
  return infer(*let.body);
}

/// The variables from outside that a function uses, in the order of their first use.
static void listCaptures(const Expr &expr, llvm::SmallVectorImpl<const Variable *> &own,
                         llvm::SmallVectorImpl<StringRef> &captures) {
  if (auto *reference = expr.as<Reference>(); reference && reference->variable)
    if (StringRef name = reference->name.text;
        !llvm::is_contained(own, reference->variable) && !llvm::is_contained(captures, name))
      captures.push_back(name);
  if (auto *let = expr.as<Let>())
    own.push_back(let->variable);
  if (auto *lambda = expr.as<Lambda>())
    llvm::append_range(own, lambda->parameters);
  forEachChild(expr, [&](Expr &child) { listCaptures(child, own, captures); });
}

/// A function cannot be the value of a `let`, but a macro can name it. What it uses from outside
/// becomes a parameter of the macro.
void Checker::reportFunction(const Let &let, const Expr &function) {
  std::string text = program.excerpt(Reporter::placeOf(*let.value));
  Report report = reporter.report(*let.value, diag::FunctionValue, text);
  if (let.value->expansion) {
    report.hint("write `{0}` where a function is expected", text);
    return;
  }
  auto &lambda = *function.as<Lambda>();
  llvm::SmallVector<const Variable *> own;
  llvm::SmallVector<StringRef> captures;
  listCaptures(function, own, captures);
  std::string parameters = namesOf(lambda.parameters), arguments = parameters;
  for (StringRef name : captures)
    arguments += ((arguments.empty() ? "" : ", ") + name).str();
  StringRef name = let.variable->name.text;
  report
      .hint("a macro before the program can name it: `macro {0}({1}) = {2};`", name, arguments,
            program.excerpt(Reporter::placeOf(*lambda.body)))
      .hint("`|{1}| {0}({2})` is then the function, and `{0}({2})` calls it", name, parameters,
            arguments);
}

/// Operations that take functions do not call this.
const Type *Checker::inferNode(Lambda &, Expr &expr) {
  Report report = reporter.report(expr, diag::FunctionValue, quote(expr));
  if (expr.expansion && expr.expansion->file == program.file)
    report.hint("where a function is expected, the macro needs its arguments: `{0}(...)`",
                expr.expansion->macro.text);
  else
    report.hint("only `for`, `iterate`, `sort` and macros take functions");
  return types.invalid();
}

/// A function that is applied directly, usually by a macro.
const Type *Checker::inferNode(Apply &apply, Expr &expr) {
  if (apply.callee->as<Reference>()) { // That it cannot be called has been reported.
    inferRest(apply.arguments);
    return types.invalid();
  }
  llvm::SmallVector<const Type *> arguments;
  for (Expr *argument : apply.arguments)
    arguments.push_back(infer(*argument));
  size_t count = apply.callee->bare().as<Lambda>()->parameters.size();
  if (!expr.expansion && count != arguments.size()) {
    reporter.report(expr, diag::ArgumentCount, quote(apply.callee->bare()), count,
                    count == 1 ? "" : "s", arguments.size());
    return types.invalid();
  }
  StringRef caller = expr.expansion ? expr.expansion->macro.text : "";
  const Type *body = inferFunction(apply.callee, arguments, caller);
  return body ? body : types.invalid();
}

/// Reports errors in the arguments of a call that is itself in error. They may be functions or
/// iterators, which are not checked.
void Checker::inferRest(llvm::ArrayRef<Expr *> arguments) {
  for (Expr *argument : arguments)
    if (!argument->bare().as<Lambda>() && !argument->bare().as<IteratorExpr>())
      infer(*argument);
}

const Type *Checker::inferNode(Unary &unary, Expr &expr) {
  auto *literal = unary.operand->as<IntLiteral>();
  bool isNegative = unary.op == UnaryOp::Minus && literal;
  if (isNegative)
    checkRange(*literal, *unary.operand, /*isNegated=*/true);
  const Type *type = isNegative ? types.scalar(literal->type) : infer(*unary.operand);
  unary.operand->type = type;
  later([=, this, &unary, &expr] {
    const Type &found = *types.resolve(type);
    bool fits = unary.op == UnaryOp::Minus
                    ? isNumeric(found)
                    : isOpen(lane(found)) || (isScalarOrSimd(found) && isBool(lane(found)));
    if (!fits)
      reporter
          .report(expr, diag::UnaryOperand, unary.op == UnaryOp::Minus ? "-" : "!",
                  unary.op == UnaryOp::Minus ? "a number" : "a bool", spelling(found))
          .label(Reporter::placeOf(*unary.operand), "{0}", spelling(found));
  });
  return type;
}

const Type *Checker::inferNode(Binary &binary, Expr &expr) {
  const Type *lhs = infer(*binary.lhs), *rhs = infer(*binary.rhs);
  if (!types.unify(lhs, rhs)) {
    reportOperands(expr, spelling(binary.op), *binary.lhs, *binary.rhs);
    lhs = types.invalid();
  }
  if (known(lhs)->kind == Type::Invalid || known(rhs)->kind == Type::Invalid)
    return types.invalid();
  later([=, this, &binary, &expr] { checkOperands(binary, types.resolve(lhs), expr); });
  OpClass kind = classOf(binary.op);
  if (kind != OpClass::Equality && kind != OpClass::Order)
    return kind == OpClass::Logic ? types.boolean() : lhs;
  // Simd values have a result for each lane.
  const Type *result = types.fresh(&expr);
  require(*binary.lhs, [=, this, &expr](bool isLast) {
    if (!isKnown(lhs) && !isLast)
      return false;
    bool isSimd = known(lhs)->kind == Type::Simd;
    const Type *answer = isSimd ? types.make(Type::Simd, types.boolean()) : types.boolean();
    if (!types.unify(result, answer))
      reporter.report(expr, diag::UsedAs, quote(expr), spell(answer), spell(result));
    return true;
  });
  return result;
}

void Checker::reportOperands(const Expr &expr, StringRef op, const Expr &lhs, const Expr &rhs) {
  Report report = reporter.report(expr, diag::OperandTypes, op, spell(lhs.type), spell(rhs.type));
  report.label(Reporter::placeOf(lhs), "{0}", spell(lhs.type))
      .label(Reporter::placeOf(rhs), "{0}", spell(rhs.type));
  if (known(lhs.type)->isBuilder())
    suggestMerge(report, expr, op, lhs, rhs);
  else if (known(rhs.type)->isBuilder())
    suggestMerge(report, expr, op, rhs, lhs);
  else if (known(lhs.type)->kind == Type::Vec || known(rhs.type)->kind == Type::Vec)
    adviseVector(report, expr, lhs, rhs);
  else if (!suggestParentheses(report, expr))
    suggestEither(report, lhs, rhs);
}

/// `v * 2` of other languages.
void Checker::adviseVector(Report report, const Expr &expr, const Expr &lhs, const Expr &rhs) {
  auto *binary = expr.as<Binary>();
  if (!binary || expr.expansion || classOf(binary->op) != OpClass::Arithmetic)
    return;
  bool isLeft = known(lhs.type)->kind == Type::Vec;
  const Expr &vec = isLeft ? lhs : rhs, &other = isLeft ? rhs : lhs;
  std::string text = quote(other);
  std::string left = isLeft ? "x" : text, right = isLeft ? text : "x";
  if (known(other.type)->kind == Type::Scalar)
    report.hint("for each element: `map({0}, |x| {1} {2} {3})`", quote(vec), left,
                spelling(binary->op), right);
}

/// `x & 1 == 0`, where `==` binds tighter.
bool Checker::suggestParentheses(Report report, const Expr &expr) {
  auto *outer = expr.as<Binary>();
  auto *inner = outer ? outer->rhs->as<Binary>() : nullptr;
  if (!inner || classOf(outer->op) != OpClass::Bitwise || expr.expansion ||
      !types.unify(outer->lhs->type, inner->lhs->type))
    return false;
  report.hint("`{0}` binds tighter than `{1}`", spelling(inner->op), spelling(outer->op))
      .fix({outer->lhs->range.begin, outer->lhs->range.begin}, "(")
      .fix({inner->lhs->range.end, inner->lhs->range.end}, ")");
  return true;
}

/// Changing a literal is preferred.
void Checker::suggestEither(Report report, const Expr &lhs, const Expr &rhs) {
  auto isLiteral = [](const Expr &expr) {
    return expr.bare().as<IntLiteral>() || expr.bare().as<FloatLiteral>();
  };
  bool isLeftFirst = isLiteral(lhs) && !isLiteral(rhs);
  const Expr &first = isLeftFirst ? lhs : rhs, &second = isLeftFirst ? rhs : lhs;
  if (suggest(report, first, second.type) || suggest(report, second, first.type))
    return;
  const Type &type = *known(first.type);
  bool isFloat = type.kind == Type::Scalar && kindOf(type.scalar) == ScalarKind::Float;
  adviseCast(report, isFloat ? second : first, isFloat ? first.type : second.type);
}

/// `b + x` of other languages.
void Checker::suggestMerge(Report report, const Expr &expr, StringRef op, const Expr &builder,
                           const Expr &value) {
  const Type &type = *known(builder.type);
  bool isFirst = builder.range.begin < value.range.begin;
  bool isMeant = (type.kind == Type::Appender && op == "+" && isFirst) ||
                 (type.kind == Type::Merger && op == spelling(type.combine));
  bool isWritten = !expr.expansion && !builder.expansion && !value.expansion;
  if (!isMeant || !isWritten || !types.unify(value.type, type.parts[0])) {
    report.hint("`merge(b, x)` adds to a builder");
    return;
  }
  report.fix(expr.range, ("merge(" + program.file->text(builder.range) + ", " +
                          program.file->text(value.range) + ")")
                             .str());
}

static bool isText(const Type &type) {
  return type.kind == Type::Vec && type.parts[0]->kind == Type::Scalar &&
         type.parts[0]->scalar == Scalar::I8;
}

void Checker::checkOperands(const Binary &binary, const Type *type, const Expr &expr) {
  const DiagnosticKind *kind = nullptr;
  switch (classOf(binary.op)) {
  case OpClass::Arithmetic:
    kind = isNumeric(*type) ? nullptr : &diag::ArithmeticOperand;
    break;
  case OpClass::Bitwise:
    kind = hasBits(*type) ? nullptr : &diag::BitwiseOperand;
    break;
  case OpClass::Logic:
    kind = isBool(*type) ? nullptr : &diag::LogicOperand;
    break;
  case OpClass::Equality:
  case OpClass::Order:
    kind = isComparableOrSimd(*type) ? nullptr : &diag::ComparedOperand;
    break;
  }
  if (!kind)
    return;
  Report report = reporter.report({binary.opRange, expr.expansion}, *kind, spelling(binary.op),
                                  spelling(*type));
  report.label(Reporter::placeOf(*binary.lhs), "{0}", spelling(*type));
  bool isVector = type->kind == Type::Vec && kind == &diag::ArithmeticOperand;
  if (isVector && binary.op == BinaryOp::Add && isText(*type))
    report.hint("`flatten([a, b])` joins texts");
  else if (isVector)
    report.hint("for each pair of elements: `map(zip(a, b), |e| e.$0 {0} e.$1)`",
                spelling(binary.op));
}

const Type *Checker::inferNode(Field &field, Expr &expr) {
  infer(*field.operand);
  expr.type = types.fresh(&expr);
  require(*field.operand, [this, &field, &expr](bool) { return applyField(field, expr); });
  return expr.type;
}

bool Checker::applyField(const Field &field, const Expr &expr) {
  const Type *type = known(field.operand->type);
  if (type->kind == Type::Unknown)
    return false;
  Place place(field.indexRange, expr.expansion);
  if (type->kind == Type::Invalid) {
    types.unify(expr.type, type);
  } else if (type->kind != Type::Struct) {
    reporter.report(place, diag::FieldOfNoStruct, field.index, spell(type))
        .label(Reporter::placeOf(*field.operand), "{0}", spell(type));
    types.unify(expr.type, types.invalid());
  } else if (field.index >= type->parts.size()) {
    size_t count = type->parts.size();
    reporter
        .report(place, diag::FieldRange, spell(type), count, count == 1 ? "" : "s",
                program.file->text(field.indexRange))
        .hint("fields are numbered from 0");
    types.unify(expr.type, types.invalid());
  } else if (!types.unify(expr.type, type->parts[field.index])) {
    reporter.report(expr, diag::UsedAs, quote(expr), spell(type->parts[field.index]),
                    spell(expr.type));
  }
  return true;
}

const Type *Checker::inferNode(Cast &cast, Expr &expr) {
  const Type *operand = infer(*cast.operand), *result = types.fresh(&expr);
  Scalar scalar = cast.type;
  require(*cast.operand, [=, this, &expr](bool isLast) {
    if (!isKnown(operand) && !isLast)
      return false;
    bool isSimd = known(operand)->kind == Type::Simd;
    const Type *type = types.scalar(scalar);
    if (isSimd)
      noteExtension(expr, "casts of simd values");
    if (!types.unify(result, isSimd ? types.make(Type::Simd, type) : type))
      reporter.report(expr, diag::UsedAs, quote(expr), spell(type), spell(result));
    return true;
  });
  later([=, this, &cast, &expr] {
    const Type &type = *types.resolve(operand);
    if (!isScalarOrSimd(type))
      reporter.report(expr, diag::CastOperand, spelling(cast.type), spelling(type))
          .label(Reporter::placeOf(*cast.operand), "{0}", spelling(type));
  });
  return result;
}

const Type *Checker::inferNode(Ascription &ascription, Expr &expr) {
  const Type *type = infer(*ascription.operand), *written = typeOf(*ascription.written, &expr);
  if (types.unify(type, written))
    return type;
  Report report = reporter.report(*ascription.operand, diag::AscribedType,
                                  quote(*ascription.operand), spell(type), spell(written));
  report.label(Reporter::placeOf({ascription.written->range, expr.expansion}), "{0}",
               spell(written));
  suggest(report, *ascription.operand, written);
  return written;
}

const Type *Checker::inferNode(Deserialize &deserialize, Expr &expr) {
  const Type *bytes = infer(*deserialize.bytes);
  const Type *type = typeOf(*deserialize.written, &expr);
  require(*deserialize.bytes, [=, this, &deserialize, &expr](bool isLast) {
    const Type *element = types.fresh();
    if (!isKnown(bytes) && !isLast)
      return false;
    bool isVec = types.unify(bytes, types.vec(element));
    if (isVec && !isKnown(element) && !isLast)
      return false;
    if (isVec && known(element)->kind == Type::Scalar && known(element)->scalar == Scalar::U8)
      noteExtension(expr, "`deserialize` of `vec[u8]`");
    else if (!isVec || !types.unify(element, types.scalar(Scalar::I8)))
      reporter.report(*deserialize.bytes, diag::SerializedBytes, spell(bytes));
    return true;
  });
  later([=, this, &deserialize, &expr] {
    const Type &found = *types.resolve(type);
    if (!isSerializable(found))
      reporter.report({deserialize.written->range, expr.expansion}, diag::SerializedType,
                      "deserialize", spelling(found));
  });
  return type;
}

const Type *Checker::inferNode(Cudf &cudf, Expr &expr) {
  for (Expr *argument : cudf.arguments) {
    const Type *type = infer(*argument);
    later([=, this, &cudf] {
      if (!isStorable(*types.resolve(type)))
        reporter.report(*argument, diag::CudfType, cudf.name.text, "argument", spell(type));
    });
  }
  const Type *result = typeOf(*cudf.written, &expr);
  later([=, this, &cudf, &expr] {
    if (!isStorable(*types.resolve(result)))
      reporter.report({cudf.written->range, expr.expansion}, diag::CudfType, cudf.name.text,
                      "result", spell(result));
  });
  return result;
}

static bool hasLanes(const Iterator &iterator) {
  return iterator.kind == Iterator::Simd ||
         llvm::any_of(iterator.parts, [](const Iterator *part) { return hasLanes(*part); });
}

const Type *Checker::inferNode(IteratorExpr &iterator, Expr &expr) {
  Report report = reporter.report(expr, diag::IteratorOutside, spelling(iterator.iterator->kind));
  if (hasLanes(*iterator.iterator) || expr.expansion)
    report.hint("it is not a vector, but what a loop iterates over");
  else
    report.hint("`map` makes a vector of its elements")
        .fix(expr.range, ("map(" + program.file->text(expr.range) + ", |e| e)").str());
  return types.invalid();
}

/// A row of Types.def: what literals of the type end with.
static StringRef suffixOf(Scalar scalar) {
  switch (scalar) {
#define WELD_SCALAR(text, type, suffix)                                                            \
  case Scalar::type:                                                                               \
    return suffix;
#include "lang/weld/Types.def"
  default:
    return "";
  }
}

/// The bits of an integer that a type holds without rounding.
static unsigned exactBits(Scalar type) {
  bool isSigned = kindOf(type) == ScalarKind::Signed;
  return kindOf(type) != ScalarKind::Float ? bitsOf(type) - isSigned : bitsOf(type) == 32 ? 24 : 53;
}

/// Whether no value of one type is changed by a cast to the other.
static bool keepsValues(Scalar from, Scalar to) {
  ScalarKind source = kindOf(from), target = kindOf(to);
  if (source == ScalarKind::Bool || target == ScalarKind::Bool)
    return false;
  bool losesSign = source == ScalarKind::Signed && target == ScalarKind::Unsigned;
  bool losesFraction = source == ScalarKind::Float && target != ScalarKind::Float;
  return from != to && !losesSign && !losesFraction && exactBits(from) <= exactBits(to);
}

/// A literal of another type: `3L` for `3`, `u8(3)`; nullopt if the number does not fit.
static std::optional<std::string> literalOf(Scalar to, uint64_t value, StringRef digits,
                                            bool isNegative) {
  ScalarKind kind = kindOf(to);
  std::string number = ((isNegative ? "-" : "") + digits).str();
  unsigned bits = exactBits(to);
  bool fits = bits == 64 || value < (uint64_t(1) << bits);
  if (kind == ScalarKind::Float)
    return fits ? std::optional(number + ".0" + suffixOf(to).str()) : std::nullopt;
  if (kind == ScalarKind::Bool || !fits || (kind == ScalarKind::Unsigned && isNegative))
    return std::nullopt;
  if (kind == ScalarKind::Signed)
    return number + suffixOf(to).str();
  bool isLarge = value > uint64_t(INT32_MAX);
  return (spelling(to) + "(" + digits + (isLarge ? "L" : "") + ")").str();
}

/// Whether a number is neither too large for a type nor so small that it would become 0.
static bool fits(const FloatLiteral &literal, Scalar type) {
  bool isSingle = type == Scalar::F32;
  llvm::APFloat value(isSingle ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble());
  auto status =
      value.convertFromString(roundableDecimal(literal.text), llvm::APFloat::rmNearestTiesToEven);
  return status && !(*status & (llvm::APFloat::opOverflow | llvm::APFloat::opUnderflow));
}

/// The literal or cast that gives `expr` the type `to`.
static std::optional<std::string> converted(const SourceFile &file, const Expr &expr, Scalar from,
                                            Scalar to) {
  auto *unary = expr.as<Unary>();
  bool isNegative = unary && unary->op == UnaryOp::Minus;
  const Expr &operand = isNegative ? *unary->operand : expr;
  StringRef text = file.text(operand.range);
  bool isDecimal = llvm::isDigit(text.back() == 'L' ? '0' : text.back()) &&
                   !text.starts_with("0x") && !text.starts_with("0b");
  if (auto *literal = operand.as<IntLiteral>(); literal && isDecimal)
    return literalOf(to, literal->value, text.rtrim("L"), isNegative);
  bool isFloat = operand.as<FloatLiteral>() && kindOf(to) == ScalarKind::Float;
  if (isFloat && !fits(*operand.as<FloatLiteral>(), to))
    return std::nullopt;
  if (isFloat)
    return ((isNegative ? "-" : "") + text.rtrim("fF") + suffixOf(to)).str();
  if (!keepsValues(from, to))
    return std::nullopt;
  return (spelling(to) + "(" + file.text(expr.range) + ")").str();
}

std::optional<std::string> Checker::convertedTo(const Type *wanted, const Expr &expr) {
  const Type *to = known(wanted), *from = known(expr.type ? expr.type : wanted);
  if (to->kind != Type::Scalar || from->kind != Type::Scalar || expr.expansion)
    return std::nullopt;
  return converted(*program.file, expr, from->scalar, to->scalar);
}

bool Checker::suggest(Report report, const Expr &expr, const Type *wanted) {
  std::optional<std::string> replacement = convertedTo(wanted, expr);
  if (replacement)
    report.fix(expr.range, *replacement);
  return replacement.has_value();
}

bool Checker::suggestAll(Report report, llvm::ArrayRef<Expr *> exprs, const Type *wanted) {
  llvm::SmallVector<std::pair<const Expr *, std::string>> all;
  for (const Expr *expr : exprs) {
    if (known(expr->type) == known(wanted) || types.spell(expr->type) == types.spell(wanted))
      continue;
    std::optional<std::string> replacement = convertedTo(wanted, *expr);
    if (!replacement)
      return false;
    all.push_back({expr, *replacement});
  }
  for (auto &[expr, replacement] : all)
    report.fix(expr->range, replacement);
  return true;
}

/// A cast that may change the value is the author's decision.
void Checker::adviseCast(Report report, const Expr &expr, const Type *wanted) {
  const Type *to = known(wanted), *from = known(expr.type);
  bool areNumbers =
      to->kind == Type::Scalar && from->kind == Type::Scalar && isNumeric(*to) && isNumeric(*from);
  if (areNumbers && !expr.expansion)
    report.hint("`{0}({1})` converts it, but may change its value", spelling(to->scalar),
                quote(expr));
}
