/// Weld's tokens, types and syntax tree: plain structs that live in the program's arena. The parser
/// makes the tree as written; the checker expands macros, resolves names, and infers the type of
/// every expression.
#ifndef TESSERA_LANG_WELD_SYNTAX_H
#define TESSERA_LANG_WELD_SYNTAX_H

#include "lang/Language.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Allocator.h"
#include <variant>

namespace tessera::weld {

enum class Tok : uint8_t {
#define WELD_TOKEN(name, text) name,
#include "lang/weld/Tokens.def"
};

struct Token {
  Tok kind = Tok::End;
  SourceRange range;
};

enum class BinaryOp : uint8_t {
#define WELD_BINARY(name, token, level, class) name,
#include "lang/weld/Operators.def"
};
enum class OpClass : uint8_t { Arithmetic, Bitwise, Equality, Order, Logic };
enum class UnaryOp : uint8_t { Minus, Not };
/// The operators with which builders combine values.
enum class Combine : uint8_t { Add, Mul, Min, Max };

/// Operations that are called with a fixed number of arguments: `if`, `merge`, `lookup`, `exp`...
enum class Builtin : uint8_t {
#define WELD_BUILTIN(name, text, arity) name,
#include "lang/weld/Builtins.def"
};

llvm::StringRef spelling(BinaryOp);
llvm::StringRef spelling(Combine);
llvm::StringRef spelling(Builtin);
llvm::StringRef spelling(Scalar); // "i32", "u8", "f64", "bool"
OpClass classOf(BinaryOp);
unsigned arityOf(Builtin);

struct Expr;

struct Name {
  llvm::StringRef text;
  SourceRange range;
};

/// A type. In a checked program each type is one object, so that equal types are equal pointers,
/// and none is Unknown.
struct Type {
  enum Kind : uint8_t {
    Unknown, ///< `?`, or not inferred yet.
    Scalar,
    Simd,         ///< parts: the scalar.
    Vec,          ///< parts: the element.
    Dict,         ///< parts: key and value.
    Struct,       ///< parts: the fields.
    Appender,     ///< parts: the element.
    Merger,       ///< parts: the value.
    DictMerger,   ///< parts: key and value.
    GroupBuilder, ///< parts: key and value.
    VecMerger,    ///< parts: the element.
    Function,     ///< parts: the parameters, then the result. Only lambdas have it.
    Invalid,      ///< In error; expressions around it report nothing.
  };
  Kind kind = Unknown;
  tessera::Scalar scalar = tessera::Scalar::I32; ///< For a Scalar.
  Combine combine = Combine::Add;                ///< For mergers.
  llvm::ArrayRef<const Type *> parts;

  /// One of the five builders, not a struct of them.
  bool isBuilder() const { return kind >= Appender && kind <= VecMerger; }
};
/// "dict[i64,vec[f32]]": as a program writes it.
std::string spelling(const Type &);
/// "dict", "merger"; "" for kinds that are not a word.
llvm::StringRef spelling(Type::Kind);
/// Builders that combine values: their types name the operator.
bool hasCombine(Type::Kind);
/// A builder, or a struct whose fields all are.
bool isBuilderLike(const Type &);
/// A builder, or a type with one somewhere inside.
bool holdsBuilder(const Type &);
/// The types that `merge` takes and `result` returns, for one of the five builders or a struct of
/// them. New types come from the program's table.
class TypeTable;
const Type *mergeType(const Type &builder, TypeTable &types);
const Type *resultType(const Type &builder, TypeTable &types);

/// `@(name: value)`, as written; kept on the expression or type after it.
struct Annotation {
  Name name;
  llvm::StringRef value;
  SourceRange valueRange;
};

/// A type as written.
struct TypeExpr {
  SourceRange range;
  Type::Kind kind = Type::Unknown;
  Scalar scalar = Scalar::I32;
  Combine combine = Combine::Add;
  llvm::ArrayRef<TypeExpr *> parts = {};
  llvm::StringRef alias = {}; ///< A name from a `type` definition.
  llvm::ArrayRef<Annotation> annotations = {};
};

/// The name of a `let`, or a parameter of a function. Uses refer to the object, so that names can
/// be shadowed and bodies of macros copied.
struct Variable {
  Name name;
  TypeExpr *written = nullptr; ///< Null if it is inferred.
  const Type *type = nullptr;
  unsigned number = 0; ///< Unique in the program.
};

struct IntLiteral {
  uint64_t value; ///< Without the sign; `-` directly before it is a Unary, and may make it fit.
  Scalar type;
};
struct FloatLiteral {
  llvm::StringRef text; ///< Without the suffix: rounded once, to its type.
  Scalar type;
};
struct BoolLiteral {
  bool value;
};
struct StringLiteral {
  llvm::StringRef bytes; ///< Without quotes and escapes.
};
struct VectorLiteral {
  llvm::ArrayRef<Expr *> elements;
};
struct StructLiteral {
  llvm::ArrayRef<Expr *> fields;
};
struct Reference {
  Name name;
  Variable *variable = nullptr; ///< Set by the checker.
};
struct Paren {
  Expr *inner;
};
struct Let {
  Variable *variable;
  Expr *value, *body;
};
struct Lambda {
  llvm::ArrayRef<Variable *> parameters;
  Expr *body;
};
/// `callee(arguments)`: a macro's name, or a lambda that is applied directly. After checking, only
/// lambdas.
struct Apply {
  Expr *callee;
  llvm::ArrayRef<Expr *> arguments;
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
/// `s.$1`
struct Field {
  Expr *operand;
  unsigned index;
  SourceRange indexRange;
};
/// `i64(x)`
struct Cast {
  Scalar type;
  Expr *operand;
};
/// `e: T`
struct Ascription {
  Expr *operand;
  TypeExpr *written;
};
/// `if(c, t, f)`, `merge(b, x)`, `exp(x)`, ...: Builtins.def. `iterate` and `sort` have a Lambda as
/// their last argument, once checked.
struct Call {
  Builtin builtin;
  SourceRange nameRange;
  llvm::ArrayRef<Expr *> arguments;
};
/// `deserialize[T](bytes)`
struct Deserialize {
  TypeExpr *written;
  Expr *bytes;
};
/// `cudf[name, T](arguments)`
struct Cudf {
  Name name;
  TypeExpr *written;
  llvm::ArrayRef<Expr *> arguments;
};
/// `merger[i32,+](initial)`
struct NewBuilder {
  TypeExpr *written;
  Expr *argument = nullptr; ///< May be null.
};

/// What a `for` iterates over; a zip has several, and may contain others.
struct Iterator {
  enum Kind : uint8_t { Plain, Strided, Simd, Fringe, Range, Nd, Zip };
  Kind kind = Plain;
  SourceRange range;
  /// Plain, Simd, Fringe: data. Strided: data, start, end, stride. Range: start, end, stride. Nd:
  /// data, start, end, stride, shape, strides.
  llvm::ArrayRef<Expr *> arguments = {};
  llvm::ArrayRef<Iterator *> parts = {}; ///< For a zip.
  const Type *element = nullptr;         ///< What the loop's function receives; set by the checker.
};
/// "zip", "rangeiter"; "" for a plain one.
llvm::StringRef spelling(Iterator::Kind);
/// `for(iterator, builder, |b, i, x| ...)`
struct For {
  Iterator *iterator;
  Expr *builder;
  Expr *update; ///< A Lambda of three parameters, once checked.
};
/// An iterator as an expression, which is allowed only as an argument of a macro that passes it to
/// a `for`. Checking removes all of these.
struct IteratorExpr {
  Iterator *iterator;
};

/// The greatest depth of a tree: phases recurse over it.
constexpr unsigned maxExprDepth = 20'000;

struct Expr {
  SourceRange range;
  std::variant<IntLiteral, FloatLiteral, BoolLiteral, StringLiteral, VectorLiteral, StructLiteral,
               Reference, Paren, Let, Lambda, Apply, Unary, Binary, Field, Cast, Ascription, Call,
               Deserialize, Cudf, NewBuilder, For, IteratorExpr>
      node;
  unsigned depth = 1; ///< The depth of this subtree; bounded, because phases recurse over it.
  const Type *type = nullptr;
  llvm::ArrayRef<Annotation> annotations = {};
  /// The call of the macro that this comes from; null outside of macros.
  const struct Expansion *expansion = nullptr;

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
  /// Without the parentheses and ascriptions around it.
  const Expr &bare() const {
    const Expr *expr = this;
    while (true)
      if (auto *paren = expr->as<Paren>())
        expr = paren->inner;
      else if (auto *ascription = expr->as<Ascription>())
        expr = ascription->operand;
      else
        return *expr;
  }
};

/// One call of a macro; diagnostics inside its text point to it.
struct Expansion {
  Name macro;
  const SourceFile *file; ///< The file of the macro.
  SourceRange call;
  const Expansion *outer = nullptr;
};

/// `type name = T;`
struct Alias {
  Name name;
  TypeExpr *type;
};
/// `macro name(parameters) = body;`
struct Macro {
  SourceRange range;
  Name name;
  llvm::ArrayRef<Name> parameters;
  Expr *body;
  const SourceFile *file = nullptr; ///< The standard macros have a file of their own.
};

/// All types, each stored once. Owned by the program.
class TypeTable {
public:
  const Type *scalar(Scalar scalar);
  const Type *get(Type::Kind kind, llvm::ArrayRef<const Type *> parts,
                  Combine combine = Combine::Add);

private:
  const Type *intern(const Type &type);

  /// Compares types by their contents. Parts are interned themselves, so their pointers are
  /// compared.
  struct Contents : llvm::DenseMapInfo<const Type *> {
    static unsigned getHashValue(const Type *type);
    static bool isEqual(const Type *left, const Type *right);
  };

  llvm::BumpPtrAllocator arena;
  llvm::DenseSet<const Type *, Contents> all;
};

/// A use of an extension, for --strict.
struct Extension {
  SourceRange range;
  const char *what; ///< "string literals"
};

/// A file, its tree, and the arena that holds it.
struct Program {
  const SourceFile *file = nullptr;
  llvm::BumpPtrAllocator arena;
  TypeTable types;
  std::vector<Alias> aliases;
  std::vector<Macro *> macros;
  Expr *body = nullptr; ///< As written; null if nothing could be parsed.
  bool hasSyntaxErrors = false;
  std::vector<Extension> extensions; ///< Those that the parser finds.
  // Set by the checker: the program without macros, with its parentheses. A program that is not a
  // function has no parameters.
  llvm::ArrayRef<Variable *> parameters;
  Expr *value = nullptr;
  std::vector<const Expr *> foreign; ///< Every call of a C function: a Cudf.

  /// Part of the text for a message: on one line, without comments, shortened.
  std::string excerpt(SourceRange range) const;
  /// The same for an expression that may come from a macro.
  std::string excerpt(const Expr &expr) const;

  template <typename T> T *make(T value) { return new (arena.Allocate<T>()) T(std::move(value)); }
  template <typename T> llvm::ArrayRef<T> keep(llvm::ArrayRef<T> values) {
    return values.copy(arena);
  }
};

/// "(v: vec[i32], n: i64) => vec[i32]": the type of a checked program.
std::string describe(const Program &program);

} // namespace tessera::weld

#endif
