#include "lang/weld/Format.h"
#include "lang/weld/Layout.h"
#include "lang/weld/Lexer.h"
#include "lang/weld/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace tessera;
using namespace tessera::weld;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

constexpr unsigned maxWidth = 100;

/// The tree determines where lines may end; tokens are taken in order, each once.
class Formatter {
public:
  Formatter(const SourceFile &file, const TokenList &list) : file(file), list(list) {}

  std::string run(const Program &program) {
    Parts parts;
    while (isAt(Tok::KwType) || isAt(Tok::KwMacro)) {
      definition(parts, program);
      parts.push_back(hardLine());
    }
    add(parts, *program.body);
    const Doc &doc = *concat(parts);
    return layOut(doc, comments(list.tokens.back().range.begin), maxWidth);
  }

private:
  using Parts = llvm::SmallVector<const Doc *>;

  // Documents.
  const Doc *make(Doc doc) { return new (arena.Allocate<Doc>()) Doc(doc); }
  const Doc *make(Doc::Kind kind, ArrayRef<const Doc *> parts = {}) {
    Doc doc{kind};
    doc.parts = parts.copy(arena);
    return make(doc);
  }
  const Doc *concat(ArrayRef<const Doc *> parts) { return make(Doc::Concat, parts); }
  const Doc *indent(ArrayRef<const Doc *> parts) { return make(Doc::Indent, parts); }
  const Doc *group(ArrayRef<const Doc *> parts) { return make(Doc::Group, parts); }
  const Doc *line() { return make(Doc::Line); }
  const Doc *softLine() { return make(Doc::SoftLine); }
  const Doc *hardLine() { return make(Doc::HardLine); }
  const Doc *blank() { return make(Doc::Blank); }

  // Tokens.
  Tok peek(size_t ahead = 0) const {
    return list.tokens[std::min(next + ahead, list.tokens.size() - 1)].kind;
  }
  bool isAt(Tok kind) const { return peek() == kind; }
  uint32_t begin() const { return list.tokens[next].range.begin; }

  bool isAfterEmptyLine(uint32_t begin) const {
    return file.text({lastEnd, begin}).count('\n') > 1;
  }

  /// The comments before `end` that have not been taken yet.
  ArrayRef<Comment> comments(uint32_t end) {
    llvm::SmallVector<Comment> found;
    for (; nextComment < list.comments.size() && list.comments[nextComment].begin < end;
         ++nextComment) {
      SourceRange range = list.comments[nextComment];
      bool isOnOwnLine = file.text({lastEnd, range.begin}).contains('\n');
      found.push_back({file.text(range).rtrim(), isOnOwnLine, isAfterEmptyLine(range.begin)});
      lastEnd = range.end;
    }
    return ArrayRef(found).copy(arena);
  }

  void token(Parts &parts) {
    SourceRange range = list.tokens[next++].range;
    Doc doc{Doc::Text};
    doc.comments = comments(range.begin);
    doc.text = file.text(range);
    doc.isAfterEmptyLine = isAfterEmptyLine(range.begin);
    lastEnd = range.end;
    parts.push_back(make(doc));
  }
  void tokenIf(Parts &parts, Tok kind) {
    if (isAt(kind))
      token(parts);
  }

  // Definitions and types.
  void definition(Parts &parts, const Program &program) {
    bool isMacro = isAt(Tok::KwMacro);
    token(parts);
    parts.push_back(blank());
    token(parts);
    if (isMacro)
      names(parts);
    parts.push_back(blank());
    token(parts); // =
    parts.push_back(blank());
    if (isMacro)
      add(parts, *program.macros[nextMacro++]->body);
    else
      type(parts, program.aliases[nextAlias++].type->range.end);
    token(parts); // ;
  }

  void names(Parts &parts) {
    Parts inner;
    token(inner); // (
    while (!isAt(Tok::RParen)) {
      token(inner);
      if (isAt(Tok::Comma)) {
        token(inner);
        if (!isAt(Tok::RParen))
          inner.push_back(line());
      }
    }
    token(inner);
    parts.push_back(group({indent(inner)}));
  }

  /// All tokens up to `end`, with annotations.
  void type(Parts &parts, uint32_t end) {
    Parts inner;
    while (begin() < end) {
      bool needsBlank =
          isAt(Tok::Comma) || isAt(Tok::Colon) || (isAt(Tok::RParen) && isInAnnotation);
      isInAnnotation = isAt(Tok::At) || (isInAnnotation && !isAt(Tok::RParen));
      token(inner);
      Tok after = peek();
      bool isLast = begin() >= end || after == Tok::RBracket || after == Tok::RBrace;
      if (needsBlank && !isLast)
        inner.push_back(line());
    }
    parts.push_back(group({indent(inner)}));
  }

  /// "@" "(" name ":" value { "," name ":" value } ")"
  void annotations(Parts &parts) {
    while (isAt(Tok::At)) {
      Parts inner;
      token(inner);
      while (!isAt(Tok::RParen)) {
        bool needsBlank = isAt(Tok::Comma) || isAt(Tok::Colon);
        token(inner);
        if (needsBlank && !isAt(Tok::RParen))
          inner.push_back(line());
      }
      token(inner);
      parts.push_back(group({indent(inner)}));
      parts.push_back(blank());
    }
  }

  // Expressions.
  void add(Parts &parts, const Expr &expr) {
    annotations(parts);
    std::visit([&](const auto &node) { add(parts, node, expr); }, expr.node);
  }
  const Doc *docOf(const Expr &expr) {
    Parts parts;
    add(parts, expr);
    return concat(parts);
  }

  using Writers = llvm::SmallVector<std::function<void(Parts &)>>;

  /// Elements with commas between brackets, on one line or one per line. A tight list leaves the
  /// choice to its only element.
  void bracketed(Parts &parts, const Writers &elements, bool isTight) {
    token(parts);
    Parts inner;
    if (!isTight)
      inner.push_back(softLine());
    for (const auto &element : elements) {
      if (&element != elements.begin())
        inner.push_back(line());
      element(inner);
      tokenIf(inner, Tok::Comma);
    }
    if (isTight) {
      llvm::append_range(parts, inner);
      return token(parts);
    }
    Parts all{indent(inner), softLine()};
    token(all);
    parts.push_back(group(all));
  }
  void arguments(Parts &parts, ArrayRef<Expr *> exprs) {
    Writers writers;
    for (const Expr *expr : exprs)
      writers.push_back([this, expr](Parts &inner) { add(inner, *expr); });
    bool isTight = exprs.empty() || (exprs.size() == 1 && isBracketed(*exprs[0]));
    bracketed(parts, writers, isTight);
  }
  /// Whether an expression ends its lines inside its own brackets.
  static bool isBracketed(const Expr &expr) {
    return expr.annotations.empty() &&
           (expr.as<Call>() || expr.as<For>() || expr.as<Apply>() || expr.as<StructLiteral>() ||
            expr.as<VectorLiteral>() || expr.as<Cast>() || expr.as<Deserialize>());
  }

  /// Literals and names.
  template <typename T> void add(Parts &parts, const T &, const Expr &) { token(parts); }
  void add(Parts &parts, const VectorLiteral &vector, const Expr &) {
    arguments(parts, vector.elements);
  }
  void add(Parts &parts, const StructLiteral &literal, const Expr &) {
    arguments(parts, literal.fields);
  }
  void add(Parts &parts, const Paren &paren, const Expr &) { arguments(parts, paren.inner); }
  void add(Parts &parts, const Let &first, const Expr &) {
    const Let *let = &first;
    for (;;) {
      token(parts);
      parts.push_back(blank());
      variable(parts, *let->variable);
      parts.push_back(blank());
      token(parts); // =
      parts.push_back(blank());
      add(parts, *let->value);
      token(parts); // ;
      parts.push_back(hardLine());
      auto *following = let->body->as<Let>();
      if (!following)
        return add(parts, *let->body);
      let = following;
    }
  }
  void variable(Parts &parts, const Variable &variable) {
    token(parts);
    if (!variable.written)
      return;
    token(parts);
    parts.push_back(blank());
    type(parts, variable.written->range.end);
  }
  void add(Parts &parts, const Lambda &lambda, const Expr &) {
    bool isOr = isAt(Tok::OrOr);
    token(parts);
    Parts inner;
    for (const Variable *parameter : lambda.parameters) {
      if (parameter != lambda.parameters.front())
        inner.push_back(line());
      variable(inner, *parameter);
      tokenIf(inner, Tok::Comma);
    }
    if (!isOr && lambda.parameters.empty())
      inner.push_back(blank()); // `||` would be another token.
    if (!isOr)
      token(inner);
    parts.push_back(group({indent(inner)}));
    bool isBroken = lambda.body->as<Let>();
    const Doc *body = docOf(*lambda.body);
    parts.push_back(group({indent({isBroken ? hardLine() : line(), body})}));
  }
  void add(Parts &parts, const Apply &apply, const Expr &) {
    add(parts, *apply.callee);
    arguments(parts, apply.arguments);
  }
  void add(Parts &parts, const Unary &unary, const Expr &) {
    token(parts);
    add(parts, *unary.operand);
  }
  /// Operators of one level begin lines of one group.
  void add(Parts &parts, const Binary &binary, const Expr &) {
    Parts chain;
    operands(chain, binary);
    parts.push_back(group({indent(chain)}));
  }
  void operands(Parts &chain, const Binary &binary) {
    auto *left = binary.lhs->as<Binary>();
    if (left && classOf(left->op) == classOf(binary.op) && binary.lhs->annotations.empty())
      operands(chain, *left);
    else
      add(chain, *binary.lhs);
    chain.push_back(line());
    token(chain);
    chain.push_back(blank());
    add(chain, *binary.rhs);
  }
  void add(Parts &parts, const Field &field, const Expr &) {
    add(parts, *field.operand);
    token(parts);
    token(parts);
  }
  void add(Parts &parts, const Cast &cast, const Expr &) {
    token(parts);
    arguments(parts, cast.operand);
  }
  void add(Parts &parts, const Ascription &ascription, const Expr &) {
    add(parts, *ascription.operand);
    token(parts);
    parts.push_back(blank());
    type(parts, ascription.written->range.end);
  }
  void add(Parts &parts, const Call &call, const Expr &) {
    token(parts);
    arguments(parts, call.arguments);
  }
  void add(Parts &parts, const Deserialize &deserialize, const Expr &) {
    token(parts);
    token(parts); // [
    type(parts, deserialize.written->range.end);
    token(parts); // ]
    arguments(parts, deserialize.bytes);
  }
  void add(Parts &parts, const Cudf &cudf, const Expr &) {
    token(parts);
    token(parts); // [
    token(parts);
    token(parts); // ,
    parts.push_back(blank());
    type(parts, cudf.written->range.end);
    token(parts); // ]
    arguments(parts, cudf.arguments);
  }
  void add(Parts &parts, const NewBuilder &builder, const Expr &) {
    type(parts, builder.written->range.end);
    if (builder.argument)
      arguments(parts, builder.argument);
  }
  void add(Parts &parts, const For &loop, const Expr &) {
    token(parts);
    Writers writers{[&](Parts &inner) { add(inner, *loop.iterator); },
                    [&](Parts &inner) { add(inner, *loop.builder); },
                    [&](Parts &inner) { add(inner, *loop.update); }};
    bracketed(parts, writers, /*isTight=*/false);
  }
  void add(Parts &parts, const IteratorExpr &iterator, const Expr &) {
    add(parts, *iterator.iterator);
  }
  /// The tree has no parentheses around iterators.
  void add(Parts &parts, const Iterator &iterator) {
    annotations(parts);
    bool isPlain = iterator.kind == Iterator::Plain && !isAt(Tok::KwIter);
    if (isAt(Tok::LParen) && begin() < iterator.range.begin) {
      token(parts);
      add(parts, iterator);
      return token(parts);
    }
    if (isPlain)
      return add(parts, *iterator.arguments.front());
    token(parts);
    if (iterator.kind != Iterator::Zip)
      return arguments(parts, iterator.arguments);
    Writers writers;
    for (const Iterator *part : iterator.parts)
      writers.push_back([this, part](Parts &inner) { add(inner, *part); });
    bracketed(parts, writers, /*isTight=*/false);
  }

  const SourceFile &file;
  const TokenList &list;
  llvm::BumpPtrAllocator arena;
  size_t next = 0, nextComment = 0, nextMacro = 0, nextAlias = 0;
  uint32_t lastEnd = 0;
  bool isInAnnotation = false;
};

} // namespace

std::optional<std::string> tessera::weld::format(const SourceFile &file,
                                                 DiagnosticEngine &diagnostics) {
  std::unique_ptr<Program> program = parse(file, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;
  DiagnosticEngine ignored;
  TokenList list = lex(file, ignored);
  return Formatter(file, list).run(*program);
}
