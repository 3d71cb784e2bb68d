/// TC's tokens and syntax tree: plain structs that live in the program's arena. The checker fills
/// in the types and what names refer to.
#ifndef TESSERA_LANG_TC_SYNTAX_H
#define TESSERA_LANG_TC_SYNTAX_H

#include "lang/Language.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include <variant>

namespace tessera::tc {

enum class Tok : uint8_t {
#define TC_TOKEN(name, text) name,
#include "lang/tc/Tokens.def"
};

struct Token {
  Tok kind = Tok::End;
  SourceRange range;
};

enum class BinaryOp : uint8_t {
#define TC_BINARY(name, token, level, class) name,
#include "lang/tc/Operators.def"
};
enum class OpClass : uint8_t { Arithmetic, Comparison, Logic };
enum class UnaryOp : uint8_t { Minus, Not };

llvm::StringRef spelling(BinaryOp);
OpClass classOf(BinaryOp);

/// `=`, or the operation that combines values.
enum class Reduction : uint8_t { None, Add, Mul, Min, Max };
/// "=", "+=", "max=!", ...
llvm::StringRef spelling(Reduction reduction, bool initializes);

/// The functions that an expression may call, `min` and `max` among them.
enum class Builtin : uint8_t {
#define TC_BUILTIN(name, arity) name,
#include "lang/tc/Builtins.def"
};
llvm::StringRef spelling(Builtin);
unsigned arityOf(Builtin);
std::optional<Builtin> builtinNamed(llvm::StringRef name);
/// Whether no tensor may have the name, because a built-in function has it.
bool isReservedForBuiltin(llvm::StringRef name);

/// As TC writes it: "float", "uint8".
llvm::StringRef spelling(Scalar);
std::optional<Scalar> scalarNamed(llvm::StringRef name);

struct Expr;
struct Def;

/// What an int32 value consists of. With index variables, sizes and literals it is computed in 64
/// bits, whatever else takes part; a literal alone determines nothing [tc.size.8].
enum class Width : uint8_t { Narrow, Literal, Wide };

struct Name {
  llvm::StringRef text;
  SourceRange range;
};

/// A dimension of a declared tensor: a size variable, or a literal size.
struct Dimension {
  SourceRange range;
  llvm::StringRef name;  ///< "" for a literal.
  int64_t size = 0;      ///< For a literal.
  unsigned variable = 0; ///< Into Def::sizes, of a name.
};

/// A tensor as written: an argument, or a typed return.
struct TensorType {
  SourceRange range; ///< Covers the whole type; only `float` if there is no list.
  Scalar element = Scalar::F32;
  llvm::MutableArrayRef<Dimension> dimensions;
};
/// "float(M, 256)"
std::string spelling(const TensorType &);

/// A named tensor of a def. Every statement that defines it gives it a new value; its element type
/// and range are those of the first.
struct Tensor {
  enum Kind : uint8_t { Input, Output, Temporary };

  Name name; ///< Where it is declared or first defined.
  Kind kind = Input;
  Scalar element = Scalar::F32;
  unsigned rank = 0;
  const TensorType *declared = nullptr; ///< An input's type, or the annotation of a return.
  /// First defined by a reduction without `!`, which starts from what the caller passes in.
  bool isInOut = false;
};

/// A loop index of one comprehension.
struct Variable {
  Name name;          ///< Where it first occurs.
  unsigned index = 0; ///< Into Comprehension::variables.
  bool isReduction = false;
  bool isUsed = false;                        ///< On the right side, or by a let clause.
  bool exists = false;                        ///< In an `exists` clause.
  bool isIndex = false;                       ///< In the index of a read.
  const struct RangeClause *clause = nullptr; ///< Where its range is given.
};

struct IntLiteral {
  uint64_t value;
};
struct FloatLiteral {
  llvm::StringRef text; ///< The decimal is rounded in the type that it is used in.
};
/// A bare name. Exactly one of the pointers is set by the checker, or `size` for a size variable.
struct Reference {
  llvm::StringRef name;
  Variable *variable = nullptr;
  Tensor *tensor = nullptr; ///< Its rank is 0.
  const struct LetClause *let = nullptr;
  std::optional<unsigned> size = std::nullopt; ///< Into Def::sizes.
};
struct Paren {
  Expr *inner;
};
/// `name(arguments)`: a tensor's element, or a built-in function's value.
struct Apply {
  Name callee;
  llvm::MutableArrayRef<Expr *> arguments;
  Tensor *tensor = nullptr;
  std::optional<Builtin> builtin = std::nullopt;
};
/// `type(operand)`; the checker adds those that a program leaves implicit.
struct Cast {
  Scalar type;
  Expr *operand;
  bool isImplicit = false;
};
/// `T.1`.
struct Extent {
  Name tensorName;
  SourceRange dimensionRange;
  unsigned dimension;
  Tensor *tensor = nullptr;
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
struct Conditional {
  Expr *condition, *ifTrue, *ifFalse;
};

struct Expr {
  SourceRange range;
  std::variant<IntLiteral, FloatLiteral, Reference, Paren, Apply, Cast, Extent, Unary, Binary,
               Conditional>
      node;
  unsigned depth = 1; ///< The depth of the tree below; bounded, because phases recurse over it.
  std::optional<Scalar> type = std::nullopt; ///< nullopt: in error, or not yet checked.
  Width width = Width::Narrow;

  bool isWide() const { return width != Width::Narrow; }
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

/// The operands of an expression, in the order of the text. A let's value is not part of the
/// expressions that name it.
llvm::SmallVector<const Expr *, 3> childrenOf(const Expr &expr);
/// Whether a child is evaluated only if the first one says so: both results of `?:`, and the
/// right side of `&&` and `||` [tc.expr.9].
bool isGuarded(const Expr &expr, size_t child);
/// Visits an expression and its parts, including the let clauses that it uses, each of them once,
/// until `visit` returns true. Returns whether it did.
bool visitUntil(const Expr &expr, llvm::function_ref<bool(const Expr &)> visit);
/// Whether the variable is written in it, or in a let clause that it uses.
bool mentionsVariable(const Expr &expr, const Variable &variable);

/// `i in lower:upper`
struct RangeClause {
  Name name;
  Expr *lower, *upper;
};
/// `exists E`
struct ExistsClause {
  Expr *value;
};
/// `x = E`
struct LetClause {
  Name name;
  Expr *value;
  bool isSize = false; ///< A size expression, which a bound may use.
};
struct Clause {
  SourceRange range;
  std::variant<RangeClause, ExistsClause, LetClause> node;

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
};

/// `C(m, n) +=! A(m, k) * B(k, n) where k in 0:K`
struct Comprehension {
  Name target;
  bool hasIndexList = true; ///< `O` is short for `O()`.
  llvm::ArrayRef<Name> indices;
  SourceRange opRange;
  Reduction reduction = Reduction::None;
  bool initializes = false; ///< `!`
  Expr *value;
  llvm::MutableArrayRef<Clause> where;
  // What the checker finds. The variables of the left side come first, in its order; then the
  // reduction variables in the order of their first occurrence.
  Tensor *tensor = nullptr;
  llvm::ArrayRef<Variable *> variables;
  bool isFirst = false; ///< Defines the tensor's element type and range.
};

/// `O1, O2 = f(A, B)`
struct CallStmt {
  llvm::ArrayRef<Name> results;
  Name callee;
  llvm::ArrayRef<Name> arguments;
  Def *def = nullptr;
  llvm::ArrayRef<Tensor *> resultTensors = {}, argumentTensors = {};
};

struct Stmt {
  SourceRange range;
  std::variant<Comprehension, CallStmt> node;

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
};

/// The names on its left side.
llvm::ArrayRef<Name> definedBy(const Stmt &stmt);

struct Parameter {
  TensorType type;
  Name name;
  Tensor *tensor = nullptr;
};
struct Return {
  std::optional<TensorType> type;
  Name name;
  Tensor *tensor = nullptr;
};

struct Def {
  SourceRange range;
  Name name;
  llvm::MutableArrayRef<Parameter> parameters;
  llvm::MutableArrayRef<Return> returns;
  llvm::ArrayRef<Stmt *> body;
  /// Everything after it is not checked: most errors there would be echoes.
  uint32_t firstSyntaxError = UINT32_MAX;
  // What the checker finds.
  llvm::ArrayRef<Name> sizes; ///< The size variables, in the order of their first occurrence.
  llvm::ArrayRef<Tensor *> tensors;
};

/// A file and the arena that holds its tree.
struct Program {
  const SourceFile *file = nullptr;
  llvm::BumpPtrAllocator arena;
  std::vector<Def *> defs;
  unsigned depth = 0; ///< The depth of the deepest expression.
  bool hasSyntaxErrors = false;

  /// A part of the text for a message: on one line, without comments, not longer than a line.
  std::string excerpt(SourceRange range) const;

  template <typename T> T *make(T value) { return new (arena.Allocate<T>()) T(std::move(value)); }
  template <typename T> llvm::MutableArrayRef<T> keep(llvm::ArrayRef<T> values) {
    return values.copy(arena);
  }
};

/// The size that an index probably runs over, by its name: `k` over `K`. Otherwise `other`.
llvm::StringRef sizeFor(llvm::StringRef index, llvm::ArrayRef<Name> sizes, llvm::StringRef other);

} // namespace tessera::tc

#endif
