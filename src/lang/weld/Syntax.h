/// Weld's tokens, types and syntax tree: plain structs that live in the program's arena. The parser
/// makes the tree as written; the checker expands macros, finds what names refer to, and infers the
/// type of every expression.
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
/// What builders combine values with.
enum class Combine : uint8_t { Add, Mul, Min, Max };

/// What stands before a `(` and has a fixed number of arguments: `if`, `merge`, `lookup`, `exp`...
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
    Function,     ///< parts: the parameters, then the result. Of lambdas only.
    Invalid,      ///< In error; what follows from it is not said.
  };
  Kind kind = Unknown;
  tessera::Scalar scalar = tessera::Scalar::I32; ///< Of a Scalar.
  Combine combine = Combine::Add;                ///< Of mergers.
  llvm::ArrayRef<const Type *> parts;

  /// One of the five builders, not a struct of them.
  bool isBuilder() const { return kind >= Appender && kind <= VecMerger; }
};
/// "dict[i64,vec[f32]]": as a program writes it.
std::string spelling(const Type &);
/// "dict", "merger"; "" for those that are no word.
llvm::StringRef spelling(Type::Kind);
/// Builders that combine values: their types name the operator.
bool hasCombine(Type::Kind);
/// A builder, or a struct of nothing but such.
bool isBuilderLike(const Type &);
/// A builder, or a type with one somewhere inside.
bool holdsBuilder(const Type &);
/// What `merge` takes and what `result` gives, of one of the five builders or a struct of them.
/// New types come from the program's table.
class TypeTable;
const Type *mergeType(const Type &builder, TypeTable &types);
const Type *resultType(const Type &builder, TypeTable &types);

/// `@(name: value)`, as written; kept on the expression or type behind it.
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

/// A let's name, or a parameter of a function. Every use refers to the object, so that names may be
/// shadowed, and bodies of macros may be copied.
struct Variable {
  Name name;
  TypeExpr *written = nullptr; ///< Null where it is inferred.
  const Type *type = nullptr;
  unsigned number = 0; ///< Unlike that of any other variable of the program.
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
/// `callee(arguments)`: a macro's name, or a lambda that is applied where it stands. Behind the
/// checker: lambdas only.
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

/// What a `for` runs over; a zip has several, and may hold others.
struct Iterator {
  enum Kind : uint8_t { Plain, Strided, Simd, Fringe, Range, Nd, Zip };
  Kind kind = Plain;
  SourceRange range;
  /// Plain, Simd, Fringe: data. Strided: data, start, end, stride. Range: start, end, stride. Nd:
  /// data, start, end, stride, shape, strides.
  llvm::ArrayRef<Expr *> arguments = {};
  llvm::ArrayRef<Iterator *> parts = {}; ///< Of a zip.
  const Type *element = nullptr;         ///< What the loop's function gets; set by the checker.
};
/// "zip", "rangeiter"; "" for a plain one.
llvm::StringRef spelling(Iterator::Kind);
/// `for(iterator, builder, |b, i, x| ...)`
struct For {
  Iterator *iterator;
  Expr *builder;
  Expr *update; ///< A Lambda of three parameters, once checked.
};
/// An iterator as an expression: in the argument of a macro that hands it to a `for`, and nowhere
/// else. Gone behind the checker.
struct IteratorExpr {
  Iterator *iterator;
};

/// How deep a tree may be: phases recurse over it.
constexpr unsigned maxExprDepth = 20'000;

struct Expr {
  SourceRange range;
  std::variant<IntLiteral, FloatLiteral, BoolLiteral, StringLiteral, VectorLiteral, StructLiteral,
               Reference, Paren, Let, Lambda, Apply, Unary, Binary, Field, Cast, Ascription, Call,
               Deserialize, Cudf, NewBuilder, For, IteratorExpr>
      node;
  unsigned depth = 1; ///< Of the tree below; bounded, because phases recurse over it.
  const Type *type = nullptr;
  llvm::ArrayRef<Annotation> annotations = {};
  /// Where the text of a macro that this comes from was called; null outside of macros.
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
  const SourceFile *file; ///< That the macro's text is in.
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

/// Types, each once. Owned by the program.
class TypeTable {
public:
  const Type *scalar(Scalar scalar);
  const Type *get(Type::Kind kind, llvm::ArrayRef<const Type *> parts,
                  Combine combine = Combine::Add);

private:
  const Type *intern(const Type &type);

  /// By what types are made of. Parts are interned themselves: their pointers are compared.
  struct Contents : llvm::DenseMapInfo<const Type *> {
    static unsigned getHashValue(const Type *type);
    static bool isEqual(const Type *left, const Type *right);
  };

  llvm::BumpPtrAllocator arena;
  llvm::DenseSet<const Type *, Contents> all;
};

/// A use of what the language's description does not have, for --strict.
struct Extension {
  SourceRange range;
  const char *what; ///< "string literals"
};

/// A file and the arena everything in it lives in.
struct Program {
  const SourceFile *file = nullptr;
  llvm::BumpPtrAllocator arena;
  TypeTable types;
  std::vector<Alias> aliases;
  std::vector<Macro *> macros;
  Expr *body = nullptr; ///< As written; null where nothing could be read.
  bool hasSyntaxErrors = false;
  std::vector<Extension> extensions; ///< Those that the syntax shows.
  // What the checker finds: the program without macros, parentheses kept. A program that is no
  // function has no parameters.
  llvm::ArrayRef<Variable *> parameters;
  Expr *value = nullptr;
  std::vector<const Expr *> foreign; ///< Every call of a C function: a Cudf.

  /// A part of the text for a message: on one line, without comments, not longer than a line.
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
