#include "lang/tinytc/Check.h"
#include "lang/tinytc/Constants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

//===-- Types that operations take ----------------------------------------===//

static uint8_t typeClassOf(const Type &type) {
  if (type.kind == Type::Bool)
    return Bool;
  NumberKind kind = kindOf(type.scalar);
  return kind == NumberKind::Integer ? Integer : kind == NumberKind::Float ? Float : Complex;
}

/// "integers, floating-point numbers or bools"
static std::string describeTypes(uint8_t types) {
  llvm::SmallVector<StringRef> names;
  for (auto [bit, name] : {std::pair(Bool, "bools"),
                           {Integer, "integers"},
                           {Float, "floating-point numbers"},
                           {Complex, "complex numbers"}})
    if (types & bit)
      names.push_back(name);
  std::string last = names.pop_back_val().str();
  return names.empty() ? last : llvm::join(names, ", ") + " or " + last;
}

/// Whether an operation that accepts these types accepts this one; the seed description has few
/// operations on coopmatrices.
bool Checker::takes(uint8_t allowed, const Type &type, const Operand &operand, Inst &inst) {
  if (type.kind == Type::Invalid)
    return false;
  bool isOperand = type.kind == Type::Bool || type.isScalar() || type.isCoop();
  if (isOperand && (allowed & typeClassOf(type))) {
    if (type.isCoop() && !(allowed & Coop))
      reporter.later(operand.range, "`" + spelling(inst) + "` of a coopmatrix");
    return true;
  }
  report(operand.range, diag::OperationType, spelling(inst), describeTypes(allowed),
         program.excerpt(operand.range), spelling(type));
  return false;
}

//===-- Binary ------------------------------------------------------------===//

/// Reports operands that should have the same type, and suggests a cast of the narrower one.
/// The result has the type `written` or, like that of a comparison, another type than its operands.
void Checker::reportDifferent(const Operand &lhs, const Operand &rhs, const Type &written,
                              const Inst &inst) {
  const Type &left = *lhs.type, &right = *rhs.type;
  Report report =
      this->report(rhs.range, diag::OperandTypes, spelling(inst), spelling(left), spelling(right));
  report.label(lhs.range, "{0}", spelling(left)).label(rhs.range, "{0}", spelling(right));
  bool isFree = written.kind == Type::Bool;
  if (isFree || &written == &right)
    suggestCast(report, lhs, right, inst);
  if (isFree || &written == &left)
    suggestCast(report, rhs, left, inst);
}

void Checker::check(Binary &binary, Inst &inst) {
  const Type *wanted = binary.type.type;
  auto suits = [&](const Type &type) { return &type == wanted; };
  const Type *lhs = resolve(binary.lhs, wanted, suits), *rhs = resolve(binary.rhs, wanted, suits);
  setResult(inst, binary.type);
  if (lhs->kind == Type::Invalid || rhs->kind == Type::Invalid)
    return;
  if (lhs != rhs) {
    reportDifferent(binary.lhs, binary.rhs, *wanted, inst);
    return;
  }
  if (!takes(typesOf(binary.op), *lhs, binary.lhs, inst) || !wantsResult(binary.type, lhs, inst))
    return;
  checkDivisor(binary, inst);
  const Literal *left = foldedOf(binary.lhs), *right = foldedOf(binary.rhs);
  if (left && right)
    fold(inst, compute(binary.op, *left, *right, *lhs));
}

void Checker::checkDivisor(const Binary &binary, Inst &inst) {
  const Literal *divisor = foldedOf(binary.rhs);
  bool divides = binary.op == BinaryOp::Div || binary.op == BinaryOp::Rem;
  if (divides && divisor && divisor->kind == Literal::Integer && divisor->integer == 0)
    report(binary.rhs.range, diag::ZeroDivisor, spelling(inst), program.excerpt(binary.rhs.range));
}

//===-- Unary -------------------------------------------------------------===//

/// The parts and the modulus of a complex number are real.
static const Type *resultOf(UnaryOp op, const Type &type, TypeTable &types) {
  bool isReal = op == UnaryOp::Abs || op == UnaryOp::Im || op == UnaryOp::Re;
  if (!isReal || type.kind == Type::Bool)
    return &type;
  if (type.isCoop())
    return types.coopmatrix(partOf(type.scalar), type.rows(), type.columns(), type.use);
  return types.scalar(partOf(type.scalar));
}

void Checker::check(Unary &unary, Inst &inst) {
  const Type *operand = resolve(unary.operand, unary.type.type, [&](const Type &type) {
    bool isOperand = type.isScalar() || type.isCoop() || type.kind == Type::Bool;
    return isOperand && unary.type.type == resultOf(unary.op, type, types);
  });
  setResult(inst, unary.type);
  bool isMath = unary.op >= UnaryOp::Exp;
  if (isMath && operand->isCoop()) {
    report(unary.operand.range, diag::OperationType, spelling(inst),
           describeTypes(typesOf(unary.op)), program.excerpt(unary.operand.range),
           spelling(*operand));
    return;
  }
  if (!takes(typesOf(unary.op), *operand, unary.operand, inst))
    return;
  wantsResult(unary.type, resultOf(unary.op, *operand, types), inst);
  if (const Literal *known = foldedOf(unary.operand))
    fold(inst, compute(unary.op, *known, *operand));
}

//===-- Comparison --------------------------------------------------------===//

/// Version 0.3 has the type of the operands [tinytc.std.2].
void Checker::check(Compare &compare, Inst &inst) {
  const Type *written = compare.type.type;
  Operand &named = compare.lhs.literal ? compare.rhs : compare.lhs;
  Operand &other = compare.lhs.literal ? compare.lhs : compare.rhs;
  auto isComparable = [](const Type &type) { return type.isScalar() || type.kind == Type::Bool; };
  const Type *type = resolve(named, nullptr, isComparable);
  resolve(other, type, [&](const Type &each) { return &each == type; });
  const Type *lhs = compare.lhs.type, *rhs = compare.rhs.type;
  if (!inst.results.empty())
    inst.results[0]->type = types.boolean();
  if (lhs->kind == Type::Invalid || rhs->kind == Type::Invalid)
    return;
  if (lhs != rhs) {
    reportDifferent(compare.lhs, compare.rhs, *written, inst);
    return;
  }
  if (lhs->isCoop()) {
    report(compare.lhs.range, diag::OperationType, spelling(inst),
           describeTypes(typesOf(compare.op)), program.excerpt(compare.lhs.range), spelling(*lhs));
    return;
  }
  if (!takes(typesOf(compare.op), *lhs, compare.lhs, inst))
    return;
  if (written == lhs)
    reporter.fossil(compare.type.range, "the type of the operands after a comparison");
  else
    wantsResult(compare.type, types.boolean(), inst, /*isOnly=*/true);
}

//===-- Cast --------------------------------------------------------------===//

bool Checker::isCastable(ScalarType from, ScalarType to) const {
  return kindOf(from) != NumberKind::Complex || kindOf(to) == NumberKind::Complex;
}

void Checker::check(Cast &cast, Inst &inst) {
  auto isCast = [](const Type &type) { return type.isScalar() || type.isCoop(); };
  const Type *from = resolve(cast.operand, nullptr, isCast), *to = cast.type.type;
  setResult(inst, cast.type);
  if (from->kind == Type::Invalid || to->kind == Type::Invalid)
    return;
  bool areScalars = from->isScalar() && to->isScalar(), areCoop = from->isCoop() && to->isCoop();
  if (!areScalars && !areCoop) {
    report(cast.type.range, diag::CastKind, spelling(*from), spelling(*to));
    return;
  }
  if (areCoop && from->shape != to->shape) {
    report(cast.type.range, diag::CastShape, spelling(*from), spelling(*to));
    return;
  }
  if (areCoop && from->use != to->use) {
    if (from->use == MatrixUse::Acc)
      reporter.later(cast.type.range, "a cast to another use");
    else
      report(cast.type.range, diag::CastShape, spelling(*from), spelling(*to));
  }
  if (!isCastable(from->scalar, to->scalar)) {
    report(cast.type.range, diag::CastComplex, spelling(*from), spelling(*to));
    return;
  }
  const Literal *value = foldedOf(cast.operand);
  if (!value || !areScalars)
    return;
  fold(inst, convert(*value, *from, *to));
  if (constantOf(cast.operand) && !inst.results.empty())
    inst.results[0]->constant = inst.results[0]->folded;
}

/// Records the result of the instruction, if it is known.
void Checker::fold(Inst &inst, const std::optional<Literal> &value) {
  if (value && !inst.results.empty())
    inst.results[0]->folded = program.make(*value);
}

//===-- Constants ---------------------------------------------------------===//

/// Whether the constant has the kind of the type and is in its range.
bool Checker::fits(const Literal &literal, SourceRange range, const Type &type) {
  Literal::Kind wanted = Literal::Bool;
  if (type.kind != Type::Bool) {
    NumberKind kind = kindOf(type.scalar);
    wanted = kind == NumberKind::Integer ? Literal::Integer
             : kind == NumberKind::Float ? Literal::Float
                                         : Literal::Complex;
  }
  if (literal.kind != wanted) {
    Report report = this->report(range, diag::ConstantKind, spelling(type), describe(wanted),
                                 describe(literal.kind));
    bool isBit = literal.integer == 0 || literal.integer == 1;
    std::string meant;
    if (literal.kind == Literal::Integer && wanted == Literal::Float)
      meant = std::to_string(literal.integer) + ".0";
    else if (literal.kind == Literal::Float && wanted == Literal::Complex)
      meant = "[" + spelling(literal) + ",0.0]";
    else if (literal.kind == Literal::Integer && wanted == Literal::Bool && isBit)
      meant = literal.isTrue() ? "true" : "false";
    if (!meant.empty() && hasTypeVariables())
      report.hint("write `{0}`", meant);
    else if (!meant.empty())
      suggestText(report, range, meant);
    return false;
  }
  if (wanted != Literal::Integer)
    return true;
  unsigned bits = 8 * bytesOf(type.scalar);
  if (bits == 64 || llvm::isIntN(bits, literal.integer))
    return true;
  bool isUnsigned = literal.integer >= 0 && llvm::isUIntN(bits, literal.integer);
  if (isUnsigned)
    report(range, diag::ConstantWraps, literal.integer, spelling(type),
           llvm::SignExtend64(literal.integer, bits));
  else
    report(range, diag::ConstantRange, literal.integer, spelling(type));
  return isUnsigned;
}

void Checker::check(Constant &constant, Inst &inst) {
  const Type *type = constant.type.type;
  setResult(inst, constant.type);
  if (type->kind == Type::Invalid || !constant.literal)
    return;
  if (!type->isCarried()) {
    report(constant.type.range, diag::ConstantType, spelling(*type));
    return;
  }
  const Type *component = type->isCoop() ? types.scalar(type->scalar) : type;
  bool isFit = fits(*constant.literal, constant.literalRange, *component);
  if (isFit && !type->isCoop() && !inst.results.empty())
    inst.results[0]->constant = inst.results[0]->folded = constant.literal;
}
