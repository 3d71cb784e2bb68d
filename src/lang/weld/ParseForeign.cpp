#include "lang/weld/Advice.h"
#include "lang/weld/Macros.h"
#include "lang/weld/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

//===-- Definitions -------------------------------------------------------===//

/// `x = value;` defines a name, unless it is defined already: then a change is meant.
SourceRange Parser::rejectForgottenLet() {
  Token first = peek();
  bool isForeign = peek(1).kind == Tok::Identifier;
  StringRef name = text(isForeign ? peek(1) : first);
  Report report = complain(first.range, diag::MissingLet, name);
  if (isForeign)
    report.fix(take().range, "let");
  else if (!llvm::is_contained(names, name))
    report.fix({first.range.begin, first.range.begin}, "let ");
  else
    report.hint("`{0}` is defined before, and variables never change", name)
        .hint("`result(for(v, merger[i64,+], |b, i, x| merge(b, x)))` is a running sum; `iterate` "
              "repeats a step");
  return first.range;
}

void Parser::rejectLateDefinition() {
  if (isAt(Tok::KwMacro))
    fail(peek().range, diag::MacroAfterBody);
  else
    fail(peek().range, diag::AliasAfterBody);
}

/// `|x x + 1`. The `|` is certainly missing here only if a body and nothing else follows.
Expr *Parser::rejectMissingBar(SourceRange begin, llvm::ArrayRef<Variable *> parameters) {
  SourceRange here{previousEnd(), previousEnd()};
  Report report = complain(peek().range, diag::ParameterForm, describe(Tok::Bar), found(peek()));
  Expr *lambda = parseLambdaBody(begin, parameters);
  bool isEnd = isAt(Tok::Comma) || isAt(Tok::RParen) || isAt(Tok::RBracket) || isAt(Tok::RBrace) ||
               isAt(Tok::Semicolon) || isAt(Tok::End);
  if (isEnd && !isRecovering)
    report.fix(here, "|");
  else
    program.hasSyntaxErrors = isRecovering = true;
  return lambda;
}

/// `merge(b, 1);` of languages in which builders change.
void Parser::adviseStatement(Report report, const Expr &body) {
  const Expr *last = &body;
  while (last->as<Let>() || last->as<Lambda>())
    last = last->as<Let>() ? last->as<Let>()->body : last->as<Lambda>()->body;
  auto *call = last->as<Call>();
  bool merges = call && call->builtin == Builtin::Merge && !call->arguments.empty();
  auto *builder = merges ? call->arguments[0]->as<Reference>() : nullptr;
  if (!builder)
    return;
  StringRef name = builder->name.text;
  report.hint("`merge` returns the builder: `let {0} = {1};`", name, program.excerpt(*last))
      .fix({last->range.begin, last->range.begin}, ("let " + name + " = ").str());
}

//===-- Functions ---------------------------------------------------------===//

/// Whether a function follows an argument without a `,`: `map(v |x| x)`. Where its parameters are
/// defined, they may be operands of the operator `|`.
bool Parser::forgetsComma() const {
  bool isArgument = isAt(Tok::Bar) && element < tokens.size() && enclosing[at] &&
                    enclosing[at] == enclosing[element] &&
                    tokens[enclosing[at] - 1].kind == Tok::LParen;
  if (!isArgument)
    return false;
  size_t next = at + 1;
  while (tokens[next].kind == Tok::Identifier || tokens[next].kind == Tok::Comma) {
    if (llvm::is_contained(names, text(tokens[next])))
      return false;
    ++next;
  }
  return next > at + 1 && tokens[next].kind == Tok::Bar;
}

/// The number of the arrow in `x => value` or `(x, y) -> value`, or of the colon in `lambda x:
/// value`; 0 if this is something else.
size_t Parser::foreignArrow() const {
  bool isParen = isAt(Tok::LParen) && closing[at] &&
                 (peek(1).kind == Tok::Identifier || peek(1).kind == Tok::RParen);
  if (isRecovering || (!isParen && !isAt(Tok::Identifier)))
    return 0;
  size_t next = (isParen ? closing[at] : at) + 1;
  if (text(peek()) == "lambda" && peek(1).kind == Tok::Identifier) {
    while (tokens[next].kind == Tok::Identifier || tokens[next].kind == Tok::Comma)
      ++next;
    return tokens[next].kind == Tok::Colon ? next : 0;
  }
  const Token &first = tokens[next], &second = tokens[std::min(next + 1, tokens.size() - 1)];
  bool isArrow = (first.kind == Tok::Assign || first.kind == Tok::Minus) &&
                 second.kind == Tok::Greater && first.range.end == second.range.begin;
  return isArrow ? next : 0;
}

Expr *Parser::rejectForeignFunction(size_t arrow) {
  bool isLambda = tokens[arrow].kind == Tok::Colon, isParen = isAt(Tok::LParen);
  size_t first = at + (isLambda || isParen), last = arrow - isParen;
  size_t body = arrow + (isLambda ? 1 : 2);
  SourceRange range{peek().range.begin, tokens[body - 1].range.end};
  StringRef written =
      first == last ? ""
                    : program.file->text({tokens[first].range.begin, tokens[last - 1].range.end});
  std::string meant = ("|" + written + "|").str();
  Report report = complain(range, diag::ForeignFunction, program.file->text(range), meant);
  llvm::SmallVector<Variable *> parameters;
  for (at = first; at < last && isAt(Tok::Identifier) && !isRecovering; accept(Tok::Comma))
    parameters.push_back(isLambda ? program.make(Variable{parseName(diag::ParameterForm)})
                                  : parseVariable(diag::ParameterForm));
  bool isList = at == last && !isRecovering;
  if (isList)
    report.fix(range, meant);
  if (!isRecovering)
    at = body;
  return parseLambdaBody(range, program.keep<Variable *>(parameters));
}

//===-- Operators ---------------------------------------------------------===//

/// A `=` is certainly a comparison only where a bool is expected.
void Parser::rejectForeignOperator(SourceRange range, BinaryOp op, const Expr &lhs) {
  StringRef found = program.file->text(range);
  auto *call = lhs.as<Apply>();
  auto *name = call ? call->callee->as<Reference>() : nullptr;
  if (found != "=" || inCondition)
    complain(range, diag::ForeignOperator, found, spelling(op)).fix(range, spelling(op));
  else if (!name)
    complain(range, diag::ForeignOperator, found, spelling(op));
  else
    fail(range, diag::ForeignOperator, found, spelling(op))
        .hint("a macro before the program can name a function: `macro {0}(x) = ...;`",
              name->name.text);
}

/// A macro may have this name.
bool Parser::isForeignNot() const {
  if (!isAt(Tok::Identifier) || !text(peek()).equals_insensitive("not"))
    return false;
  bool isMacro = llvm::any_of(program.macros,
                              [&](const Macro *macro) { return macro->name.text == text(peek()); });
  return beginsOperand(peek(1).kind) && !(isMacro && peek(1).kind == Tok::LParen);
}

/// `not` of other languages, which applies to a whole comparison.
Expr *Parser::rejectForeignNot() {
  Nesting nesting(*this);
  if (isRecovering)
    return rejectLeaf();
  Token token = take();
  Report report = complain(token.range, diag::ForeignOperator, text(token), "!");
  constexpr int bitwiseOr = 2; // Binds tighter than `&&`.
  llvm::SaveAndRestore outer(inCondition, true);
  Expr *operand = parseBinary(bitwiseOr);
  SourceRange gap{token.range.begin, operand->range.begin};
  if (!isRecovering && operand->as<Binary>())
    report.fix(gap, "!(").fix({operand->range.end, operand->range.end}, ")");
  else if (!isRecovering)
    report.fix(gap, "!");
  return make(token.range.upTo(operand->range), Unary{UnaryOp::Not, operand}, operand->depth);
}

/// `(f64)`, before an operand.
bool Parser::isForeignCast() const {
  return peek(1).kind == Tok::ScalarName && peek(2).kind == Tok::RParen &&
         (beginsOperand(peek(3).kind) || peek(3).kind == Tok::Minus) && !isRecovering;
}

/// A cast of C binds like a unary operator.
Expr *Parser::rejectForeignCast() {
  Nesting nesting(*this);
  if (isRecovering)
    return rejectLeaf();
  SourceRange begin = take().range;
  Token type = take();
  Report report = complain(peek().range, diag::CastForm, describe(Tok::LParen), found(peek()));
  take();
  Expr *operand = parseUnary();
  SourceRange before{begin.begin, operand->range.begin};
  if (!isRecovering && operand->as<Paren>())
    report.fix(before, text(type));
  else if (!isRecovering)
    report.fix(before, (text(type) + "(").str()).fix({operand->range.end, operand->range.end}, ")");
  return make(begin.upTo(operand->range), Cast{*scalarNamed(text(type)), operand}, operand->depth);
}

//===-- Methods -----------------------------------------------------------===//

bool Parser::isCallable(StringRef name, size_t numArguments) const {
  auto isMeant = [&](const Callable &each) {
    return each.name == name && each.numArguments == numArguments;
  };
  auto isMacro = [&](const Macro *macro) {
    return isMeant({macro->name.text, macro->parameters.size()});
  };
  return llvm::any_of(builtinCallables(), isMeant) || llvm::any_of(program.macros, isMacro) ||
         llvm::any_of(standardMacros().macros, isMacro);
}

/// `v.map(f)` is `map(v, f)`, and `np.sum(v)` is `sum(v)`.
Expr *Parser::rejectMethod(Expr *object) {
  Token name = take();
  Report report = complain(name.range, diag::FieldForm, found(name));
  size_t open = at;
  llvm::ArrayRef<Expr *> written = parseArguments();
  size_t count = written.size();
  auto *reference = object->as<Reference>();
  bool isModule = reference && !llvm::is_contained(names, reference->name.text);
  if (isRecovering)
    return object;
  StringRef arguments = program.file->text({tokens[open].range.end, tokens[at - 1].range.begin});
  std::string all = isModule ? "" : program.file->text(object->range).str();
  all += (all.empty() || count == 0 ? "" : ", ") + arguments.str();
  if (isCallable(text(name), count + !isModule))
    report.fix(since(object->range), (text(name) + "(" + all + ")").str());
  else if (StringRef advice = adviceForName(text(name)); !advice.empty())
    report.hint("{0}", advice);
  else
    report.hint("there are no methods; a function is called with the value: `f(x)`");
  return make(since(object->range), Apply{object, written},
              std::max(object->depth, depthOf(written)));
}

/// `v[0]`, or `meger[i32,+]`, where another name is meant.
void Parser::rejectSubscript(const Expr &operand) {
  static constexpr StringRef builders[] = {"appender",     "merger",      "dictmerger",
                                           "groupbuilder", "groupmerger", "vecmerger"};
  auto *reference = operand.as<Reference>();
  StringRef name = reference ? reference->name.text : "";
  Report report = fail(peek().range, diag::Subscript);
  if (reference && !llvm::is_contained(names, name) && !nearestName(name, builders).empty())
    suggestName(report, operand.range, name, builders);
  else if (name == "sum")
    report.hint("`merger[T,+]` is the builder of a sum; `sum(v)` takes a vector of numbers");
  else if (StringRef usage = usageOfStandard(name); !usage.empty())
    report.hint("{0}", usage);
  else
    report.hint("`lookup(v, 0L)` is an element of a vector, `lookup(d, key)` a value of a "
                "dictionary, `s.$0` a field of a struct");
}

//===-- Types -------------------------------------------------------------===//

/// `Vec<i32>` and `list[i32]`.
std::optional<Type::Kind> Parser::foreignContainer() const {
  std::string name = text(peek()).lower();
  bool isVec = llvm::is_contained({"vec", "vector", "list", "array"}, name);
  bool isDict = llvm::is_contained({"dict", "dictionary", "map", "hashmap"}, name);
  bool isAngular = peek(1).kind == Tok::Less;
  bool hasParts = peek(1).kind == Tok::LBracket && peek(2).kind != Tok::RBracket;
  bool isForeign = isAngular || (hasParts && isAt(Tok::Identifier));
  if (!isForeign || !(isVec || isDict))
    return std::nullopt;
  return isVec ? Type::Vec : Type::Dict;
}

TypeExpr Parser::rejectContainer(Type::Kind kind) {
  Token name = take(), open = take();
  Report report = complain(name.range, diag::UnknownType, text(name));
  llvm::SmallVector<TypeExpr *> parts{parseType()};
  if (kind == Type::Dict && !isRecovering) {
    expect(Tok::Comma, diag::TypeForm);
    parts.push_back(parseType());
  }
  bool isAngular = open.kind == Tok::Less;
  Token close = expect(isAngular ? Tok::Greater : Tok::RBracket, diag::TypeForm);
  report.fix({name.range.begin, open.range.end}, (spelling(kind) + "[").str());
  if (isAngular)
    report.fix(close.range, "]");
  TypeExpr type;
  type.kind = kind;
  type.parts = program.keep<TypeExpr *>(parts);
  return type;
}

//===-- Words -------------------------------------------------------------===//

namespace {
struct ForeignWord {
  StringRef word, advice;
};
constexpr StringRef membership =
    "`keyexists(d, x)` looks for a key; `len(filter(v, |e| e == x)) > 0L` for an element";
constexpr StringRef conditional = "`if(condition, value, other)` has both values";
/// Words after an operand.
constexpr ForeignWord foreignWords[] = {
    {"as", "a cast is written like a call: `f64(x)`"},
    {"else", conditional},
    {"if", conditional},
    {"in", membership},
    {"is", "the operator is `==`"},
    {"not", membership},
    {"then", conditional},
};
} // namespace

void Parser::adviseWord(Report report) const {
  if (at && text(tokens[at - 1]) == "mut") {
    report.hint("variables never change");
    return;
  }
  for (const ForeignWord &foreign : foreignWords)
    if (text(peek()).equals_insensitive(foreign.word))
      report.hint("{0}", foreign.advice);
}
