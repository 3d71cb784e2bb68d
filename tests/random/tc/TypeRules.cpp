/// Derives the types of expressions again from the rules of tc.type, and compares them with the
/// tree.
#include "Interpreter.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

namespace {

/// tc.type.14; no rule there applies to a bool, which takes the other type.
Scalar common(Scalar a, Scalar b) {
  if (a == b || b == Scalar::Bool)
    return a;
  if (a == Scalar::Bool)
    return b;
  ScalarKind kindOfA = kindOf(a), kindOfB = kindOf(b);
  unsigned bits = std::max(bitsOf(a), bitsOf(b));
  if (kindOfA == ScalarKind::Float && kindOfB == ScalarKind::Float)
    return bitsOf(a) == bitsOf(b) ? Scalar::F32 : bitsOf(a) == bits ? a : b;
  if (kindOfA == ScalarKind::Float || kindOfB == ScalarKind::Float)
    return kindOfA == ScalarKind::Float ? a : b;
  if (kindOfA == ScalarKind::Unsigned && kindOfB == ScalarKind::Unsigned)
    return bitsOf(a) == bits ? a : b;
  return bits == 64   ? Scalar::I64
         : bits == 32 ? Scalar::I32
         : bits == 16 ? Scalar::I16
                      : Scalar::I8;
}

/// tc.own.4
Scalar inArithmetic(Scalar type) {
  return type == Scalar::Bool ? Scalar::I32 : type;
}

class TypeRules {
public:
  explicit TypeRules(const SourceFile &file) : file(file) {}
  std::string complaint;

  void visit(const Def &def) {
    for (const Stmt *stmt : def.body)
      if (auto *statement = stmt->as<Comprehension>())
        visit(*statement);
  }

private:
  void expect(const Expr &expr, Scalar found, Scalar wanted) {
    if (found == wanted || !complaint.empty())
      return;
    LineColumn at = file.position(expr.range.begin);
    complaint = llvm::formatv("{0}:{1}: `{2}` has type {3}, by the rules it is {4}", at.line,
                              at.column, file.text(expr.range), spelling(found), spelling(wanted));
  }

  void visit(const Comprehension &statement) {
    Scalar type = written(*statement.value), element = statement.tensor->element;
    if (statement.reduction == Reduction::Add || statement.reduction == Reduction::Mul)
      type = inArithmetic(type);
    // The type of the right-hand side of the first definition, unless the signature specifies more
    // [tc.type.10].
    if (statement.isFirst && !statement.tensor->declared)
      expect(*statement.value, element, type);
    expect(*statement.value, *statement.value->type, element);
    expect(*statement.value, common(type, element), element); // tc.order.7
    for (const Clause &clause : statement.where) {
      if (auto *let = clause.as<LetClause>())
        written(*let->value);
      if (auto *exists = clause.as<ExistsClause>())
        written(*exists->value);
    }
  }

  /// Converts all operands to the common type.
  Scalar all(llvm::ArrayRef<const Expr *> operands, Scalar type) {
    for (const Expr *operand : operands)
      expect(*operand, *operand->type, type);
    return type;
  }

  /// The type of an expression as written, before conversion.
  Scalar written(const Expr &expr) {
    if (auto *cast = expr.as<Cast>(); cast && cast->isImplicit)
      return written(*cast->operand);
    Scalar type = std::visit([&](const auto &node) { return rule(node, expr); }, expr.node);
    // A literal, possibly with signs and parentheses, takes the type of its context [tc.type.21].
    if (!isLiteral(expr))
      expect(expr, *expr.type, type);
    return type;
  }

  static bool isLiteral(const Expr &expr) {
    if (auto *paren = expr.as<Paren>())
      return isLiteral(*paren->inner);
    if (auto *unary = expr.as<Unary>())
      return unary->op == UnaryOp::Minus && isLiteral(*unary->operand);
    return expr.as<FloatLiteral>();
  }

  Scalar rule(const IntLiteral &literal, const Expr &) {
    return literal.value <= INT32_MAX ? Scalar::I32 : Scalar::I64;
  }
  Scalar rule(const FloatLiteral &, const Expr &) { return Scalar::F32; }
  Scalar rule(const Reference &reference, const Expr &) {
    if (reference.let)
      return *reference.let->value->type;
    return reference.tensor ? reference.tensor->element : Scalar::I32;
  }
  Scalar rule(const Paren &paren, const Expr &) { return written(*paren.inner); }
  Scalar rule(const Extent &, const Expr &) { return Scalar::I32; }
  Scalar rule(const Cast &cast, const Expr &) {
    written(*cast.operand);
    return cast.type;
  }
  Scalar rule(const Apply &apply, const Expr &) {
    llvm::SmallVector<Scalar> types;
    for (const Expr *argument : apply.arguments)
      types.push_back(written(*argument));
    if (apply.tensor)
      return apply.tensor->element;
    bool isMinMax = *apply.builtin == Builtin::min || *apply.builtin == Builtin::max;
    Scalar type = isMinMax ? inArithmetic(types[0]) : Scalar::F32;
    for (Scalar other : types)
      type = common(type, inArithmetic(other));
    return all(llvm::ArrayRef<const Expr *>(apply.arguments.begin(), apply.arguments.end()), type);
  }
  Scalar rule(const Unary &unary, const Expr &) {
    Scalar type = written(*unary.operand);
    return unary.op == UnaryOp::Not ? Scalar::Bool : inArithmetic(type);
  }
  Scalar rule(const Binary &binary, const Expr &) {
    Scalar lhs = written(*binary.lhs), rhs = written(*binary.rhs);
    switch (classOf(binary.op)) {
    case OpClass::Arithmetic:
      return all({binary.lhs, binary.rhs}, common(inArithmetic(lhs), inArithmetic(rhs)));
    case OpClass::Comparison:
      all({binary.lhs, binary.rhs}, common(lhs, rhs));
      return Scalar::Bool;
    case OpClass::Logic:
      return all({binary.lhs, binary.rhs}, Scalar::Bool);
    }
    return lhs;
  }
  Scalar rule(const Conditional &conditional, const Expr &) {
    expect(*conditional.condition, written(*conditional.condition), Scalar::Bool);
    Scalar type = common(written(*conditional.ifTrue), written(*conditional.ifFalse));
    return all({conditional.ifTrue, conditional.ifFalse}, type);
  }

  const SourceFile &file;
};

} // namespace

std::string random::wrongType(const Program &program) {
  TypeRules rules(*program.file);
  for (const Def *def : program.defs)
    rules.visit(*def);
  return rules.complaint;
}
