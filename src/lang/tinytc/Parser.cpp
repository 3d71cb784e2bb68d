#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;

//===-- The cursor --------------------------------------------------------===//

/// A closing bracket of the wrong kind closes nothing, so a missing bracket has only local effects.
void Parser::matchBrackets() {
  closing.assign(tokens.size(), 0);
  SmallVector<uint32_t> open;
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

bool Parser::acceptWord(StringRef word) {
  if (!isWord(word) || isRecovering)
    return false;
  take();
  return true;
}

std::string Parser::found(const Token &token) const {
  return token.kind == Tok::End ? describe(token.kind).str() : "`" + escaped(text(token)) + "`";
}

Token Parser::expect(Tok kind) {
  if (isAt(kind) && !isRecovering)
    return take();
  if (isBareName(kind)) // `func f(a: f32)`
    fail(peek().range, diag::Expected, describe(kind), found(peek()))
        .fix({peek().range.begin, peek().range.begin}, kind == Tok::Local ? "%" : "@");
  else
    failExpected(describe(kind));
  return peek();
}

/// The number of tokens here that would be a name after `%` or `@`, such as `y` and `x1`.
size_t Parser::lengthOfBareName() const {
  bool isLetter = (isAt(Tok::Word) && !text(peek()).starts_with("_")) || isAt(Tok::Times);
  size_t length = isLetter;
  auto continues = [&](const Token &token) {
    return token.kind == Tok::Word || token.kind == Tok::Times || token.kind == Tok::Integer;
  };
  while (length && continues(peek(length)) &&
         peek(length).range.begin == peek(length - 1).range.end)
    ++length;
  return length;
}

/// Whether a name without `%` or `@` stands where one of this kind belongs.
bool Parser::isBareName(Tok kind) const {
  size_t length = lengthOfBareName();
  Tok next = peek(length).kind;
  bool follows = kind == Tok::Global ? next == Tok::LParen
                                     : next == Tok::Colon || next == Tok::Assign ||
                                           next == Tok::Comma || next == Tok::RParen;
  bool isType = next == Tok::Colon && peek(length + 1).kind == Tok::Local; // `float: %a`
  return length && follows && !isType && (kind == Tok::Local || kind == Tok::Global);
}

/// `%1a` is `%1` followed by `a` [tinytc.lex.3].
std::optional<SourceRange> Parser::malformedName() const {
  if (!at || !isAt(Tok::Word) || tokens[at - 1].range.end != peek().range.begin)
    return std::nullopt;
  const Token &before = tokens[at - 1];
  bool isName =
      before.kind == Tok::Local || before.kind == Tok::Global || before.kind == Tok::Variable;
  return isName ? std::optional(before.range.upTo(peek().range)) : std::nullopt;
}

Report Parser::failExpected(StringRef what) {
  if (std::optional<SourceRange> name = malformedName())
    return fail(*name, diag::MalformedName, file.text(*name))
        .hint("a name is a number or begins with a letter");
  Failure failure = failurePlace();
  return fail(failure.range, diag::Expected, what, failure.found);
}

/// Something missing at the end of a line is reported there, not where the next statement begins.
Parser::Failure Parser::failurePlace() const {
  SourceRange end{previousEnd(), previousEnd()};
  if (at > statementStart && isAt(Tok::End))
    return {end, found(peek())};
  if (at > statementStart && isFirstOnLine(at))
    return {end, "the end of the line"};
  return {peek().range, found(peek())};
}

void Parser::expectWord(StringRef word) {
  if (!acceptWord(word))
    failExpected(("`" + word + "`").str());
}

/// element { "," element } close; the opening bracket has been taken.
void Parser::parseList(Tok close, llvm::function_ref<void()> element) {
  if (accept(close))
    return;
  do
    element();
  while (accept(Tok::Comma));
  if (!accept(close))
    failExpected("`,` or " + describe(close).str());
}

/// Skips the rest of the file, for which reports would be meaningless.
void Parser::tooDeep() {
  fail(peek().range, diag::TooDeep, maxNesting);
  at = tokens.size() - 1;
}

//===-- Recovery ----------------------------------------------------------===//

bool Parser::isFirstOnLine(size_t index) const {
  return index == 0 ||
         file.text({tokens[index - 1].range.end, tokens[index].range.begin}).contains('\n');
}

/// Skips to `func` or to a definition outside of all brackets; `$n =` in the middle of a line may
/// not be a definition.
void Parser::skipToFunction() {
  while (!isAt(Tok::End) && !isWord("func")) {
    bool isDefinition = isAt(Tok::Variable) && peek(1).kind == Tok::Assign && isFirstOnLine(at);
    if (isDefinition)
      return;
    if (closing[at])
      at = closing[at];
    take();
  }
}

/// `%a =`, `$n =`, or a word at the beginning of a line.
bool Parser::startsStatement(size_t index) const {
  const Token &token = tokens[index];
  Tok next = tokens[std::min(index + 1, tokens.size() - 1)].kind;
  if (token.kind == Tok::Local) // Not `for (%i = 0`.
    return next == Tok::Assign && isFirstOnLine(index);
  if (token.kind == Tok::Variable)
    return next == Tok::Assign;
  bool continues = text(token) == "else" || text(token) == "attributes" || text(token) == "init";
  return token.kind == Tok::Word && isFirstOnLine(index) && !continues;
}

/// Whether the statement has no more tokens; its number of operands may be wrong.
bool Parser::endsStatement() const {
  bool isOperand = isWord("true") || isWord("false");
  bool begins = isFirstOnLine(at) && startsStatement(at) && !isOperand;
  return at > statementStart && (begins || isAt(Tok::RBrace) || isAt(Tok::End));
}

/// Skips what could not be read, with the regions that belong to it. If the function ends there,
/// too, the regions around it report nothing more.
void Parser::skipStatement(size_t start) {
  auto isOwnBrace = [&] { // The end of a dictionary in which the mistake is.
    llvm::ArrayRef<uint32_t> partners = closing;
    return llvm::is_contained(partners.slice(start, at - start), at);
  };
  while (!isAt(Tok::End) && !startsStatement(at) && (!isAt(Tok::RBrace) || isOwnBrace())) {
    if (closing[at])
      at = closing[at];
    take();
  }
  isRecovering = isAt(Tok::End) || isWord("func");
}

//===-- Programs and functions --------------------------------------------===//

/// program = { definition | function }
void Parser::parseProgram() {
  while (!isAt(Tok::End)) {
    isRecovering = false;
    size_t start = at;
    beginLine();
    if (isAt(Tok::Variable))
      parseDefinition();
    else if (isWord("func"))
      parseFunction();
    else
      rejectTopLevel();
    if (isRecovering && at == start)
      take();
    if (isRecovering)
      skipToFunction();
  }
  bool isEmpty = program.functions.empty() && program.definitions.empty();
  if (isEmpty && !program.hasSyntaxErrors)
    reporter.report(peek().range, diag::NoFunction);
}

/// `def @f() {` is read as a function.
void Parser::rejectTopLevel() {
  if (isAt(Tok::Word) && peek(1).kind == Tok::Global) {
    complain(peek().range, diag::ExpectedFunction, found(peek())).fix(peek().range, "func");
    parseFunction();
    return;
  }
  Report report = fail(peek().range, diag::ExpectedFunction, found(peek()));
  bool isAssignment = isAt(Tok::Word) && peek(1).kind == Tok::Assign;
  if (isAssignment && peek(2).kind == Tok::Word && isInstruction(text(peek(2))))
    report.hint("instructions belong in the region of a function");
  else if (isAssignment && isForgottenVariable())
    report.fix({peek().range.begin, peek().range.begin}, "$");
}

/// Whether the word before `=` is the new name of a variable of the preprocessor without its `$`.
bool Parser::isForgottenVariable() const {
  const Token &value = peek(2);
  StringRef name = text(peek()), word = value.kind == Tok::Word ? text(value) : "";
  bool isValue = value.kind == Tok::Integer || value.kind == Tok::Float ||
                 value.kind == Tok::String || value.kind == Tok::LBracket ||
                 value.kind == Tok::LBrace || value.kind == Tok::Calc ||
                 (value.kind == Tok::Variable && scopes.find(text(value)));
  bool isType = word == "memref" || word == "group" || word == "coopmatrix" || word == "bool" ||
                word == "true" || word == "false" || scalarNamed(word);
  return !name.starts_with("_") && !scopes.find(("$" + name).str()) && (isValue || isType);
}

void Parser::parseCommandLine() {
  parseDefinition();
  if (!isRecovering && !isAt(Tok::End))
    failExpected("the end of the definition");
}

/// function = "func" global "(" [ parameter { "," parameter } ] ")" [ "attributes" dictionary ]
/// region
void Parser::parseFunction() {
  SourceRange begin = take().range;
  Function function;
  suspect.reset();
  skipped.clear();
  if (isAt(Tok::Modifier) && text(peek()) == ".func") { // MLIR's `func.func`.
    complain(peek().range, diag::Expected, describe(Tok::Global), found(peek()))
        .fix(peek().range, "");
    take();
  }
  reporter.function = isAt(Tok::Global) ? text(peek()) : StringRef();
  function.name = nameOf(expect(Tok::Global));
  expect(Tok::LParen);
  parseParameters(function);
  function.attributes = parseFunctionAttributes();
  if (isAt(Tok::Arrow))
    failExpected(describe(Tok::LBrace)).hint("a kernel has no result: it writes to its arguments");
  function.body = isRecovering ? nullptr : parseRegion();
  function.range = since(begin);
  function.skipped = program.keep<SourceRange>(skipped);
  reporter.function = "";
  if (function.body)
    program.functions.push_back(program.make(function));
}

/// Reads `f32 %a`, the order of C, and `f32: %a` as `%a: f32`.
Value *Parser::parseTypeFirst(TypeRef &type) {
  Report report = complain(peek().range, diag::Expected, describe(Tok::Local), found(peek()));
  type = parseType();
  if (isRecovering)
    return makeValue(nameOf(peek()));
  if (peek(1).kind == Tok::Local)
    accept(Tok::Colon);
  if (isAt(Tok::Local)) {
    report.fix(type.range.upTo(peek().range), (text(peek()) + ": " + file.text(type.range)).str());
    return makeValue(nameOf(take()));
  }
  report.hint("a parameter has a name: `%name: {0}`", file.text(type.range));
  isRecovering = true;
  return makeValue(nameOf(peek()));
}

/// parameter = local ":" type [ dictionary ]
void Parser::parseParameters(Function &function) {
  static constexpr StringRef names[] = {"alignment", "shape_gcd", "stride_gcd"};
  SmallVector<Value *> parameters;
  SmallVector<SourceRange> ranges;
  parseList(Tok::RParen, [&] {
    TypeRef type;
    if (isAtType() && (peek(1).kind != Tok::Colon || peek(2).kind == Tok::Local)) {
      parameters.push_back(parseTypeFirst(type));
    } else {
      const Token &name = peek(peek(1).kind == Tok::Colon ? 2 : 1);
      if (isAt(Tok::Word) && name.kind == Tok::Local)
        failExpected(describe(Tok::Local))
            .hint("the type follows the name: `{0}: type`", text(name));
      parameters.push_back(makeValue(nameOf(expect(Tok::Local))));
      expect(Tok::Colon);
      type = parseType();
    }
    parameters.back()->type = type.type;
    if (!isAt(Tok::LBrace) || isAtDictionary({Tok::Comma, Tok::RParen}))
      parameters.back()->attributes = parseOptionalDictionary(names);
    ranges.push_back(type.range);
  });
  function.parameters = program.keep<Value *>(parameters);
  function.typeRanges = program.keep<SourceRange>(ranges);
}

const Attr *Parser::parseFunctionAttributes() {
  if (isWord("subgroup_size") || isWord("work_group_size"))
    fail(peek().range, diag::UnreadForm, "`" + text(peek()).str() + "` without `attributes`")
        .hint("write `attributes {{subgroup_size=16, work_group_size=[16, 1]}`, with your numbers");
  static constexpr StringRef names[] = {"subgroup_size", "work_group_size"};
  bool hasKeyword = acceptWord("attributes");
  if (!hasKeyword && !isAtDictionary({Tok::LBrace}))
    return nullptr;
  if (!hasKeyword)
    complain(peek().range, diag::AttributesKeyword)
        .fix({peek().range.begin, peek().range.begin}, "attributes ");
  const Attr *attributes = parseOptionalDictionary(names);
  if (!attributes)
    failExpected("a dictionary after `attributes`");
  return attributes;
}

/// The number of blanks at the beginning of the line.
size_t Parser::indentation(SourceRange range) const {
  StringRef line = file.line(file.position(range.begin).line);
  return line.size() - line.ltrim().size();
}

/// region = "{" { definition | instruction } "}"
Region *Parser::parseRegion() {
  Nesting nesting(*this);
  SourceRange begin = peek().range;
  expect(Tok::LBrace);
  if (isRecovering)
    return nullptr;
  program.regionBraces.push_back(begin.begin);
  scopes.open();
  SmallVector<Inst *> body;
  while (!isAt(Tok::RBrace) && !isAt(Tok::End) && !isWord("func"))
    parseStatement(body);
  scopes.close();
  program.regionBraces.push_back(peek().range.begin);
  if (!isAt(Tok::RBrace)) {
    Report report = fail(peek().range, diag::OpenRegion, found(peek())).label(begin, "opened here");
    if (suspect)
      report.note(*suspect, "judging by its indentation, this one is not closed");
  } else {
    if (!suspect && isFirstOnLine(at) && indentation(peek().range) < indentation(begin))
      suspect = begin;
    take();
  }
  return program.make(Region{since(begin), program.keep<Inst *>(body)});
}

void Parser::parseStatement(SmallVectorImpl<Inst *> &body) {
  size_t start = at;
  SourceRange begin = peek().range;
  beginLine();
  if (isAt(Tok::Variable))
    parseDefinition();
  else if (Inst *inst = parseInst())
    body.push_back(inst);
  if (!isRecovering)
    return;
  if (at == start) {
    at = std::max<size_t>(at, closing[at]);
    take();
  }
  skipStatement(start);
  skipped.push_back(since(begin));
}

static void parseFile(Reporter &reporter, Scopes &scopes, DiagnosticEngine &diagnostics) {
  TokenList list = lex(*reporter.file, diagnostics);
  reporter.program.hasSyntaxErrors |= list.hasErrors;
  Parser(reporter, *reporter.file, list, scopes).parseProgram();
}

std::unique_ptr<Program> tessera::tinytc::parse(const SourceFile &file,
                                                const LanguageOptions &options,
                                                DiagnosticEngine &diagnostics) {
  auto program = std::make_unique<Program>();
  program->file = &file;
  Reporter reporter(*program, options, diagnostics);
  Scopes scopes;
  for (const std::string &definition : options.definitions) {
    program->commandLine.push_back(std::make_unique<SourceFile>("-D", "$" + definition));
    reporter.file = program->commandLine.back().get();
    TokenList list = lex(*reporter.file, diagnostics);
    Parser(reporter, *reporter.file, list, scopes).parseCommandLine();
  }
  reporter.file = &file;
  parseFile(reporter, scopes, diagnostics);
  return program;
}

std::unique_ptr<Program> tessera::tinytc::parseLayout(const SourceFile &file,
                                                      DiagnosticEngine &diagnostics) {
  auto program = std::make_unique<Program>();
  program->file = &file;
  LanguageOptions options;
  options.standard = "legacy";
  Reporter reporter(*program, options, diagnostics);
  Scopes scopes;
  scopes.areOpen = true;
  parseFile(reporter, scopes, diagnostics);
  return program;
}
