/// TTL's tokens, types and syntax tree: plain structs that live in the program's arena. The checker
/// fills in the types and what names refer to.
#ifndef TESSERA_LANG_TTL_SYNTAX_H
#define TESSERA_LANG_TTL_SYNTAX_H

#include "support/Source.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Allocator.h"
#include <variant>

namespace tessera::ttl {

enum class Tok : uint8_t {
#define TTL_TOKEN(name, text) name,
#include "lang/ttl/Tokens.def"
};

struct Token {
  Tok kind = Tok::End;
  SourceRange range;
};

enum class BinaryOp : uint8_t {
#define TTL_BINARY(name, token, level, class) name,
#include "lang/ttl/Operators.def"
};
enum class OpClass : uint8_t { MatMul, SizeOf, Arithmetic, Comparison, Logic, Range };
enum class UnaryOp : uint8_t { Minus, Not };

llvm::StringRef spelling(BinaryOp);
OpClass classOf(BinaryOp);

/// `int`, `float`, `void`, a matrix, the range type that cannot be written, or the type of an
/// expression in error, which silences the expressions around it. Sizes live in the arena.
struct Type {
  enum Kind : uint8_t { Invalid, Void, Int, Float, Range, Matrix };
  static constexpr int64_t dynamic = -1;

  Kind kind = Invalid;
  Kind element = Invalid; ///< For a matrix: Int or Float.
  llvm::ArrayRef<int64_t> sizes;

  static constexpr Type of(Kind kind) { return {kind, Invalid, {}}; }
  static Type matrix(Kind element, llvm::ArrayRef<int64_t> sizes) {
    return {Matrix, element, sizes};
  }

  bool isInvalid() const { return kind == Invalid; }
  bool isScalar() const { return kind == Int || kind == Float; }
  bool isMatrix() const { return kind == Matrix; }
  /// The kind of a scalar, or of the elements of a matrix.
  Kind elementKind() const { return isMatrix() ? element : kind; }
  bool isStatic() const { return !llvm::is_contained(sizes, dynamic); }
  int64_t rank() const { return sizes.size(); }
  /// The number of elements of a static matrix.
  int64_t numElements() const;
  /// As a program spells it.
  std::string str() const;
  bool operator==(const Type &) const = default;
};

inline constexpr Type intType = Type::of(Type::Int), floatType = Type::of(Type::Float);

struct Expr;
struct Stmt;
struct Function;

struct Name {
  llvm::StringRef text;
  SourceRange range;
};

/// A parameter or a variable.
struct Variable {
  Name name;
  Type type;
  bool isParameter = false;
  // What the checker has seen of it, for warnings.
  bool isRead = false, mayBeWritten = false, isLoopVariable = false;
  unsigned scopeDepth = 0, loopDepth = 0;
};

struct IntLiteral {
  int32_t value;
};
struct FloatLiteral {
  float value;
};
struct Reference {
  llvm::StringRef name;
  Variable *variable = nullptr;
};
struct Paren {
  Expr *inner;
};
struct List {
  llvm::ArrayRef<Expr *> elements;
};
struct Call {
  Name callee;
  llvm::ArrayRef<Expr *> arguments;
  Function *function = nullptr; ///< Null for the builtin `print`.
};
struct Slice {
  Expr *base;
  llvm::ArrayRef<Expr *> indices;
};
struct Unary {
  UnaryOp op;
  Expr *operand;
};
struct Binary {
  BinaryOp op;
  SourceRange opRange;
  Expr *lhs, *rhs;
};

struct Expr {
  SourceRange range;
  std::variant<IntLiteral, FloatLiteral, Reference, Paren, List, Call, Slice, Unary, Binary> node;
  /// The depth of the tree below, not counting left operands; bounded, because phases recurse.
  unsigned depth = 1;
  Type type = {};
  std::optional<int32_t> constant = {}; ///< Set by the checker; see constantValue.

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
  /// Without the parentheses around it.
  const Expr &bare() const {
    const Expr *expr = this;
    while (auto *paren = expr->as<Paren>())
      expr = paren->inner;
    return *expr;
  }
};

/// `a...b`, in parentheses or not; null if the expression is not a range.
const Binary *rangeOf(const Expr &expr);

/// The operators of `a + b - c`, innermost first, `expr` last; none if it is not an operator.
/// Chains may be long: phases walk along them instead of recursing into left operands.
template <typename AnyExpr> llvm::SmallVector<AnyExpr *, 4> chainOf(AnyExpr &expr) {
  llvm::SmallVector<AnyExpr *, 4> chain;
  AnyExpr *link = &expr;
  for (;;) {
    while (auto *paren = link->template as<Paren>())
      link = paren->inner;
    auto *binary = link->template as<Binary>();
    if (!binary)
      break;
    chain.push_back(link);
    link = binary->lhs;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

struct VarDef {
  SourceRange typeRange;
  Type type;
  Name name;
  Expr *init; ///< May be null.
  Variable *variable = nullptr;
};
struct Assign {
  Name target;
  Expr *value;
  Variable *variable = nullptr;
};
struct ElementAssign {
  Name target;
  llvm::ArrayRef<Expr *> indices;
  Expr *value;
  Variable *variable = nullptr;
};
struct CallStmt {
  Expr *call;
};
struct For {
  Name variableName;
  Expr *range, *step;
  Stmt *body;
  Variable *variable = nullptr;
};
/// `if (c) a else if (d) b else e` has two arms: a chain of thousands is no deeper than one `if`.
struct If {
  struct Arm {
    SourceRange range; ///< From its `if` to the end of its body.
    Expr *condition;
    Stmt *body; ///< Null only in a program with errors.
  };
  llvm::ArrayRef<Arm> arms;
  Stmt *elseBody; ///< May be null; never an `if` itself.
};
struct Compound {
  llvm::ArrayRef<Stmt *> body;
};
struct Return {
  Expr *value; ///< Null only in a program with errors.
};

struct Stmt {
  SourceRange range;
  std::variant<VarDef, Assign, ElementAssign, CallStmt, For, If, Compound, Return> node;

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
};

struct ParameterDecl {
  SourceRange typeRange;
  Type type;
  Name name;
  Variable *variable = nullptr;
};

struct Function {
  SourceRange range, returnTypeRange, bodyRange;
  Type returnType;
  Name name;
  llvm::MutableArrayRef<ParameterDecl> parameters;
  llvm::ArrayRef<Stmt *> body;
  /// Statements with errors that do not affect what follows, and the offset after which the tree
  /// may not be what was meant.
  llvm::ArrayRef<SourceRange> wrongStmts;
  uint32_t firstSyntaxError = UINT32_MAX;
  bool hasSyntaxErrors() const { return firstSyntaxError != UINT32_MAX || !wrongStmts.empty(); }
  /// Whether most errors at `offset` would be echoes.
  bool isDoubtful(uint32_t offset) const {
    return offset >= firstSyntaxError || llvm::any_of(wrongStmts, [&](SourceRange range) {
             return range.begin <= offset && offset < range.end;
           });
  }
};

/// A program and the arena that holds its tree.
struct Program {
  const SourceFile *file = nullptr;
  llvm::BumpPtrAllocator arena;
  std::vector<Function *> functions;
  bool hasSyntaxErrors = false;

  /// A part of the text as a message quotes it: on one line, and not too long.
  std::string excerpt(SourceRange range) const;

  template <typename T> T *make(T value) { return new (arena.Allocate<T>()) T(std::move(value)); }
  template <typename T> llvm::MutableArrayRef<T> keep(llvm::ArrayRef<T> values) {
    return values.copy(arena);
  }
};

} // namespace tessera::ttl

#endif
