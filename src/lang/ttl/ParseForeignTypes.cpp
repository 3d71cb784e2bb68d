/// Types as other languages write them.
#include "lang/ttl/ParserImpl.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::ttl;
using llvm::StringRef;

namespace {
/// A type of other languages. `own` is what certainly is meant, or Invalid.
struct ForeignTypeRow {
  StringRef name;
  Type::Kind own;
  const char *hint;
};
constexpr const char *boolHint =
    "conditions have the type `int`: 0 is false, everything else is true";
constexpr const char *floatHint = "`float` has 32 bits";
constexpr const char *intHint = "`int` has 32 bits and a sign";
constexpr const char *textHint = "the types are `int`, `float` and matrices of them";
constexpr const char *matrixHint = "matrices have any number of dimensions: `matrix<float>[2, 3]`";
constexpr const char *definitionHint = "a definition names its type: `var int x = 1;`";
constexpr ForeignTypeRow foreignTypes[] = {
    {"bool", Type::Int, boolHint},
    {"Bool", Type::Int, boolHint},
    {"boolean", Type::Int, boolHint},
    {"logical", Type::Int, boolHint},
    {"Int", Type::Int, nullptr},
    {"INT", Type::Int, nullptr},
    {"Float", Type::Float, nullptr},
    {"FLOAT", Type::Float, nullptr},
    {"double", Type::Invalid, floatHint},
    {"float32", Type::Invalid, floatHint},
    {"float64", Type::Invalid, floatHint},
    {"real", Type::Invalid, floatHint},
    {"long", Type::Invalid, intHint},
    {"short", Type::Invalid, intHint},
    {"unsigned", Type::Invalid, intHint},
    {"int32", Type::Invalid, intHint},
    {"int64", Type::Invalid, intHint},
    {"integer", Type::Invalid, intHint},
    {"char", Type::Invalid, textHint},
    {"string", Type::Invalid, textHint},
    {"str", Type::Invalid, textHint},
    {"array", Type::Invalid, matrixHint},
    {"vector", Type::Invalid, matrixHint},
    {"tensor", Type::Invalid, matrixHint},
    {"Matrix", Type::Invalid, matrixHint},
    {"auto", Type::Invalid, definitionHint},
    {"let", Type::Invalid, definitionHint},
    {"const", Type::Invalid, definitionHint},
};

const ForeignTypeRow *foreignType(StringRef name) {
  for (const ForeignTypeRow &row : foreignTypes)
    if (row.name == name)
      return &row;
  return nullptr;
}

std::string matrixOf(Type::Kind element) {
  return "matrix<" + Type::of(element).str() + ">";
}
} // namespace

/// `float[2, 2]`, where `matrix<float>[2, 2]` is meant.
Type Parser::rejectArrayType() {
  Token element = take();
  StringRef name = text(element);
  mend(element.range, diag::ArrayType, name).fix(element.range, ("matrix<" + name + ">").str());
  return parseSizes(element.range, element.kind == Tok::KwInt ? Type::Int : Type::Float);
}

/// `float(2, 2)`, the same in parentheses.
Type Parser::rejectSizesInParens() {
  Token element = peek();
  Type::Kind kind = element.kind == Tok::KwInt ? Type::Int : Type::Float;
  SizesAhead sizes = *sizesAhead(1);
  at += sizes.next;
  mend(since(element.range), diag::ArrayType, text(element))
      .fix(since(element.range), matrixOf(kind) + sizes.text);
  return Type::matrix(kind, sizes.sizes);
}

/// `float m[2, 2]`, the same after the name.
Type Parser::rejectSizesAfterName(SourceRange typeRange, Type::Kind element) {
  SourceRange begin = peek().range;
  auto sizes = sizesAhead(0);
  at += sizes ? sizes->next : pastClose(0);
  StringRef type = program.file->text(typeRange);
  Report report = mend(since(begin), diag::ArrayType, Type::of(element).str());
  if (!sizes) {
    report.hint("{0}", matrixHint);
    noteError(begin.begin);
    return {};
  }
  if (type == Type::of(element).str()) // Else it has a fix already.
    report.fix(typeRange, matrixOf(element) + sizes->text).fix(since(begin), "");
  return Type::matrix(element, sizes->sizes);
}

/// `[2, 3]`, `[2][3]` or `(2, 3)`, if they are sizes that TTL accepts.
std::optional<Parser::SizesAhead> Parser::sizesAhead(size_t ahead) {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<StringRef> texts;
  double count = 1;
  while (peek(ahead).kind == Tok::LBracket || peek(ahead).kind == Tok::LParen) {
    do {
      Token token = peek(++ahead);
      int64_t size = Type::dynamic;
      bool isSize = token.kind == Tok::Question ||
                    (token.kind == Tok::Integer && !text(token).getAsInteger(10, size) && size > 0);
      if (!isSize)
        return std::nullopt;
      count *= double(std::max<int64_t>(size, 1));
      sizes.push_back(size);
      texts.push_back(text(token));
    } while (peek(++ahead).kind == Tok::Comma);
    if (peek(ahead).kind != Tok::RBracket && peek(ahead).kind != Tok::RParen)
      return std::nullopt;
    ++ahead;
  }
  if (count > INT32_MAX)
    return std::nullopt;
  return SizesAhead{"[" + llvm::join(texts, ", ") + "]", program.keep<int64_t>(sizes), ahead};
}

/// `var x = 1;`: a literal tells which type is meant.
void Parser::rejectUntyped() {
  Token name = peek();
  Report report = fail(name.range, diag::ExpectedType, found(name));
  SourceRange front{name.range.begin, name.range.begin};
  bool isLiteral = peek(1).kind == Tok::Assign && peek(3).kind == Tok::Semicolon;
  if (isLiteral && peek(2).kind == Tok::Integer)
    report.fix(front, "int ");
  else if (isLiteral && peek(2).kind == Tok::Float)
    report.fix(front, "float ");
  else
    report.hint("a definition names its type: `var int {0} = ...;`", text(name));
}

/// Takes a type that certainly means `int` or `float`, and returns that; of a matrix of them, the
/// element type. The fix begins with `prefix`.
Type::Kind Parser::rejectForeignType(StringRef prefix) {
  Token token = peek();
  const ForeignTypeRow *row = foreignType(text(token));
  if (row && row->own != Type::Invalid) {
    bool isMatrix = peek(1).kind == Tok::LBracket;
    std::string own = isMatrix ? matrixOf(row->own) : Type::of(row->own).str();
    Report report = mend(token.range, diag::ForeignType, text(token));
    if (row->hint)
      report.hint("{0}", row->hint);
    bool isBool = row->hint == boolHint;
    if (isBool)
      foreignBool = {token.range, prefix.str() + own, report};
    else
      report.fix(token.range, prefix.str() + own);
    take();
    return row->own;
  }
  bool isUntyped = peek(1).kind == Tok::Assign || peek(1).kind == Tok::Foreign;
  if (isUntyped && at && tokens[at - 1].kind == Tok::KwVar)
    rejectUntyped();
  else if (row)
    fail(token.range, diag::ForeignType, text(token)).hint("{0}", row->hint);
  return Type::Invalid;
}

/// Whether the expression is 0 or 1, as a `bool` of other languages is.
static bool isTruth(const Expr &expr) {
  const Expr &bare = expr.bare();
  if (auto *binary = bare.as<Binary>())
    return classOf(binary->op) == OpClass::Comparison || classOf(binary->op) == OpClass::Logic;
  if (auto *unary = bare.as<Unary>())
    return unary->op == UnaryOp::Not;
  auto *reference = bare.as<Reference>();
  return reference && (reference->name.equals_insensitive("true") ||
                       reference->name.equals_insensitive("false"));
}

/// A `bool` that holds another number than 0 or 1 would compare differently as an `int`.
void Parser::mendForeignBool(SourceRange type, const Expr *init) {
  bool isHere = foreignBool && foreignBool->range.begin >= type.begin; // Not in a parameter.
  if (isHere && (!init || isTruth(*init)))
    foreignBool->report.fix(foreignBool->range, foreignBool->own);
  foreignBool.reset();
}

/// `bool b = 1;`, `double x;`
bool Parser::startsForeignDefinition() const {
  const ForeignTypeRow *row = peek(1).kind == Tok::Identifier ? foreignType(text(peek())) : nullptr;
  return row && row->hint != definitionHint;
}

Stmt *Parser::rejectForeignDefinition() {
  SourceRange begin = peek().range;
  Type::Kind kind = rejectForeignType("var ");
  if (kind == Type::Invalid)
    return nullptr;
  return parseDefinition(begin, Type::of(kind));
}
