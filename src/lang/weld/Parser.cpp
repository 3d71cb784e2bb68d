#include "lang/weld/Advice.h"
#include "lang/weld/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

Report tessera::weld::ignoredReport() {
  static thread_local Diagnostic ignored;
  ignored = {};
  return Report(ignored);
}

/// A closing bracket of the wrong kind is skipped, so that a missing one affects little.
void Parser::matchBrackets() {
  closing.assign(tokens.size(), 0);
  llvm::SmallVector<uint32_t> open;
  for (uint32_t index = 0; index < tokens.size(); ++index) {
    Tok kind = tokens[index].kind;
    if (kind == Tok::LParen || kind == Tok::LBracket || kind == Tok::LBrace) {
      open.push_back(index);
      continue;
    }
    bool closes = kind == Tok::RParen || kind == Tok::RBracket || kind == Tok::RBrace;
    Tok partner = kind == Tok::RParen     ? Tok::LParen
                  : kind == Tok::RBracket ? Tok::LBracket
                                          : Tok::LBrace;
    if (closes && !open.empty() && tokens[open.back()].kind == partner)
      closing[open.pop_back_val()] = index;
  }
}

bool Parser::accept(Tok kind) {
  if (!isAt(kind) || isRecovering)
    return false;
  take();
  return true;
}

std::string Parser::found(const Token &token) const {
  switch (token.kind) {
  case Tok::End:
    return describe(token.kind).str();
  case Tok::Identifier:
    return ("the name `" + text(token) + "`").str();
  default:
    return "`" + program.excerpt(token.range) + "`";
  }
}

Token Parser::expect(Tok kind, const DiagnosticKind &form, StringRef hint) {
  if (isAt(kind) && !isRecovering)
    return take();
  if (isAt(Tok::Error)) { // Reported by the lexer.
    program.hasSyntaxErrors = isRecovering = true;
    return peek();
  }
  // `form` has a place for the expected token, unless its text names it.
  Report report = StringRef(form.format).contains("{1}")
                      ? fail(peek().range, form, describe(kind), found(peek()))
                      : fail(peek().range, form, found(peek()));
  if (!hint.empty())
    report.hint("{0}", hint);
  return peek();
}

/// Like `expect`, inside a bracket; if that is never closed, it is reported instead.
Token Parser::expectIn(size_t open, Tok kind, const DiagnosticKind &form, StringRef hint) {
  if (isAt(kind) || isAt(Tok::Error) || isRecovering || closing[open])
    return expect(kind, form, hint);
  SourceRange here{previousEnd(), previousEnd()};
  fail(tokens[open].range, diag::UnclosedBracket, text(tokens[open]))
      .label(here, "expected {0} here", describe(kind));
  return peek();
}

void Parser::expectSemicolon(const DiagnosticKind &form) {
  bool isNext = isAt(Tok::KwLet) || isAt(Tok::KwMacro) || isAt(Tok::KwType);
  if (isNext && !isRecovering)
    complain(peek().range, form, describe(Tok::Semicolon), found(peek()))
        .fix({previousEnd(), previousEnd()}, ";");
  else
    expect(Tok::Semicolon, form);
}

bool Parser::skipTo(Tok kind, Tok orKind, size_t start, size_t end) {
  for (size_t index = start; index <= end; ++index) {
    bool isThere = tokens[index].kind == kind || tokens[index].kind == orKind;
    if (isThere && index >= at) {
      at = index;
      return true;
    }
    if (closing[index] && closing[index] < end)
      index = closing[index];
  }
  return false;
}

/// Skips the rest of the file, for which reports would be meaningless.
void Parser::tooDeep(unsigned limit) {
  fail(peek().range, diag::TooDeep, limit);
  at = tokens.size() - 1;
}

/// program = { "type" name "=" type ";" } { macro } expr
void Parser::parseProgram() {
  while (isAt(Tok::KwType) || isAt(Tok::KwMacro) || forgottenMacro()) {
    isRecovering = false;
    if (isAt(Tok::KwType))
      parseAlias();
    else
      parseMacro();
  }
  isRecovering = false;
  parseBody();
}

void Parser::parseAlias() {
  size_t start = at;
  SourceRange begin = take().range;
  if (!program.macros.empty())
    complain(begin, diag::AliasAfterMacro);
  Name name = parseName(diag::AliasForm);
  expect(Tok::Assign, diag::AliasForm);
  TypeExpr *type = parseType();
  expectSemicolon(diag::AliasForm);
  noteExtension(since(begin), "type definitions");
  if (!isRecovering)
    program.aliases.push_back({name, type});
  else if (skipTo(Tok::Semicolon, Tok::Semicolon, start, tokens.size() - 1))
    take();
}

/// macro = "macro" name "(" [ name { "," name } ] ")" "=" expr ";"
void Parser::parseMacro() {
  size_t start = at;
  SourceRange begin = peek().range;
  if (isAt(Tok::KwMacro))
    take();
  else
    rejectForgottenMacro();
  Macro macro;
  macro.file = program.file;
  macro.name = parseName(diag::MacroForm);
  expect(Tok::LParen, diag::MacroForm);
  llvm::SmallVector<Name> parameters;
  parseList(Tok::RParen, diag::MacroForm,
            [&] { parameters.push_back(parseName(diag::MacroForm)); });
  macro.parameters = program.keep<Name>(parameters);
  expect(Tok::Assign, diag::MacroForm);
  macro.body = parseExpr();
  expectSemicolon(diag::MacroForm);
  macro.range = since(begin);
  if (!isRecovering)
    program.macros.push_back(program.make(macro));
  else if (skipTo(Tok::Semicolon, Tok::Semicolon, start, tokens.size() - 1))
    take();
}

/// Where the name is in `f(x) = value;` or `def f(x) = value;`, where a macro is meant, counting
/// tokens from 1; 0 if this is something else.
size_t Parser::forgottenMacro() const {
  size_t name = isAt(Tok::Identifier) && peek(1).kind == Tok::Identifier ? at + 1 : at;
  if (name + 1 >= tokens.size() || tokens[name].kind != Tok::Identifier ||
      tokens[name + 1].kind != Tok::LParen || !closing[name + 1])
    return 0;
  size_t next = closing[name + 1] + 1; // At least Tok::End follows.
  bool isDefinition = tokens[next].kind == Tok::Assign && tokens[next + 1].kind != Tok::Greater;
  return isDefinition ? name - at + 1 : 0;
}

void Parser::rejectForgottenMacro() {
  size_t name = forgottenMacro() - 1;
  Token first = peek();
  Report report = complain(first.range, diag::MissingMacro, text(peek(name)));
  if (name)
    report.fix(take().range, "macro");
  else
    report.fix({first.range.begin, first.range.begin}, "macro ");
}

void Parser::parseBody() {
  if (isAt(Tok::End)) {
    if (!program.hasSyntaxErrors)
      fail(peek().range, diag::NoProgram);
    return;
  }
  Expr *body = parseExpr();
  if (!isAt(Tok::End) && !isAt(Tok::Error) && !isRecovering) {
    Report report = fail(peek().range, diag::AfterProgram, found(peek()));
    if (isAt(Tok::Semicolon) && peek(1).kind == Tok::End)
      report.hint("nothing follows the value of a program").fix(peek().range, "");
    else if (isAt(Tok::Question))
      report.hint("{0}", usageOf(Builtin::If));
    else if (isAt(Tok::Assign))
      report.hint("a function is written `|x| value`");
  }
  if (!program.hasSyntaxErrors)
    program.body = body;
}

/// A name other than a reserved word.
Name Parser::parseName(const DiagnosticKind &form) {
  Token token = peek();
  if (isReserved(token.kind) && !isRecovering) {
    complain(token.range, diag::ReservedWord, text(token));
    take();
    return nameOf(token);
  }
  token = expect(Tok::Identifier, form);
  if (isRecovering)
    return {"", token.range};
  return nameOf(token);
}

std::unique_ptr<Program> tessera::weld::parse(const SourceFile &file,
                                              DiagnosticEngine &diagnostics) {
  auto program = std::make_unique<Program>();
  program->file = &file;
  TokenList list = lex(file, diagnostics);
  for (const Token &token : list.tokens)
    program->hasSyntaxErrors |= token.kind == Tok::Error;
  Parser(*program, list, diagnostics).parseProgram();
  return program;
}
