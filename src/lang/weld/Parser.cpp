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

/// A closing bracket of the wrong kind closes nothing, so a missing one stays local.
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

Token Parser::expect(Tok kind, const DiagnosticKind &form) {
  if (isAt(kind) && !isRecovering)
    return take();
  if (isAt(Tok::Error)) { // Reported by the lexer.
    program.hasSyntaxErrors = isRecovering = true;
    return peek();
  }
  // `form` has one place where the expected token is plain from its text, else two.
  if (StringRef(form.format).contains("{1}"))
    fail(peek().range, form, describe(kind), found(peek()));
  else
    fail(peek().range, form, found(peek()));
  return peek();
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

/// Skips the rest of the file: nothing sensible can be said about it.
void Parser::tooDeep(unsigned limit) {
  fail(peek().range, diag::TooDeep, limit);
  at = tokens.size() - 1;
}

/// program = { "type" name "=" type ";" } { macro } expr
void Parser::parseProgram() {
  while (isAt(Tok::KwType) || isAt(Tok::KwMacro)) {
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
    complain(begin, diag::AliasBehindMacro);
  Name name = parseName(diag::AliasForm);
  expect(Tok::Assign, diag::AliasForm);
  TypeExpr *type = parseType();
  expect(Tok::Semicolon, diag::AliasForm);
  noteExtension(since(begin), "type definitions");
  if (!isRecovering)
    program.aliases.push_back({name, type});
  else if (skipTo(Tok::Semicolon, Tok::Semicolon, start, tokens.size() - 1))
    take();
}

/// macro = "macro" name "(" [ name { "," name } ] ")" "=" expr ";"
void Parser::parseMacro() {
  size_t start = at;
  SourceRange begin = take().range;
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
  expect(Tok::Semicolon, diag::MacroForm);
  macro.range = since(begin);
  if (!isRecovering)
    program.macros.push_back(program.make(macro));
  else if (skipTo(Tok::Semicolon, Tok::Semicolon, start, tokens.size() - 1))
    take();
}

void Parser::parseBody() {
  if (isAt(Tok::End)) {
    if (!program.hasSyntaxErrors)
      fail(peek().range, diag::NoProgram);
    return;
  }
  Expr *body = parseExpr();
  if (!isAt(Tok::End) && !isAt(Tok::Error) && !isRecovering) {
    Report report = fail(peek().range, diag::BehindProgram, found(peek()));
    if (isAt(Tok::Semicolon) && peek(1).kind == Tok::End)
      report.hint("nothing follows the value of a program").fix(peek().range, "");
    auto *call = body->as<Call>();
    if (call && call->builtin == Builtin::If && call->arguments.size() == 1)
      report.hint("`if(condition, value, other)` has all three in its parentheses");
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
