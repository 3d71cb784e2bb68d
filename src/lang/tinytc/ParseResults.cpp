/// The names of results before an instruction.
#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/ParserImpl.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

/// A result without `%`, read as if it had one. The fix is certain only before an instruction.
void Parser::explainBareResult(Report report, SourceRange range, StringRef name) {
  bool isQuoted = file.text(range) != name;
  bool isInst = isAt(Tok::Word) && isInstruction(text(peek()));
  if (isInst && !isQuoted)
    report.fix({range.begin, range.begin}, "%");
  else if (isQuoted)
    report.hint("names have no quotes: `%{0}`", name);
  else if (isAt(Tok::Integer) || isAt(Tok::Float))
    report.hint("write `%{0} = constant {1} : type` for a value, or `${0} = {1}` for a variable of "
                "the preprocessor",
                name, text(peek()));
  else
    report.hint("write `%{0}`", name);
  isRecovering = !isAt(Tok::Word) && !isAt(Tok::Local); // Otherwise what follows is reported, too.
}

/// Reads `y = ...` and `"y" = ...` as `%y = ...`.
bool Parser::parseBareResult(Head &head) {
  size_t length = isAt(Tok::String) ? 1 : lengthOfBareName();
  if (!length || peek(length).kind != Tok::Assign || isRecovering)
    return false;
  SourceRange range = peek().range.upTo(peek(length - 1).range);
  StringRef name = file.text(range).trim('"');
  Report report =
      complain(range, diag::Expected, describe(Tok::Local), "`" + escaped(file.text(range)) + "`");
  at += length + 1;
  head.results.push_back(makeValue({StringRef(("%" + name).str()).copy(program.arena), range}));
  explainBareResult(report, range, name);
  if (isRecovering) // The checker knows that the name is in a statement that was skipped.
    head.results.clear();
  return true;
}

/// Reads `let %y = ...` as `%y = ...`.
void Parser::skipDefiningWord() {
  if (!isAt(Tok::Word) || peek(1).kind != Tok::Local || peek(2).kind != Tok::Assign || isRecovering)
    return;
  StringRef word = text(peek());
  bool isConstant = word == "let" || word == "const";
  if (!isConstant && word != "var" && word != "set")
    return;
  Report report = complain(peek().range, diag::UnknownInstruction, word);
  if (isConstant && peek(3).kind == Tok::Word && isInstruction(text(peek(3))))
    report.fix({peek().range.begin, peek(1).range.begin}, "");
  else
    report.hint("a value is defined by `{0} = ...`", text(peek(1)));
  take();
}

bool Parser::parseResults(Head &head) {
  skipDefiningWord();
  if (parseBareResult(head) || !isAt(Tok::Local))
    return true;
  do
    head.results.push_back(makeValue(nameOf(expect(Tok::Local))));
  while (accept(Tok::Comma));
  if (isAt(Tok::Colon))
    failExpected(describe(Tok::Assign))
        .hint("the type follows the operands: `%name = instruction ... : type`");
  expect(Tok::Assign);
  return !isRecovering;
}

Value *Parser::makeValue(const Name &name) {
  Value value;
  value.name = name;
  value.type = program.types.invalid();
  return program.make(value);
}

/// The number of results of an instruction; those of `if` and `for` may be left out.
static std::optional<size_t> numResults(const Inst &inst) {
  if (auto *loop = inst.as<For>())
    return inst.results.empty() ? 0 : loop->types.size();
  if (auto *branch = inst.as<If>())
    return inst.results.empty() ? 0 : branch->types.size();
  if (auto *store = inst.as<Store>())
    return store->type.has_value();
  if (auto *store = inst.as<CoopStore>())
    return store->type.has_value();
  if (inst.as<Broken>())
    return std::nullopt;
  bool hasNone = inst.as<Blas>() || inst.as<Foreach>() || inst.as<Parallel>() ||
                 inst.as<LifetimeStop>() || inst.as<Barrier>() || inst.as<Yield>();
  return hasNone ? 0 : 1;
}

void Parser::checkResults(const Head &head, const Inst &inst) {
  std::optional<size_t> expected = numResults(inst);
  size_t given = head.results.size();
  if (!expected || *expected == given)
    return;
  SourceRange place = given ? head.results.front()->name.range.upTo(head.results.back()->name.range)
                            : inst.nameRange;
  StringRef word = file.text(inst.nameRange);
  if (*expected == 0) {
    Report report = complain(place, diag::NoResults, word);
    if (inst.as<If>() || inst.as<For>())
      report.hint("types of results are written `-> (type, ...)`");
  } else if (given == 0)
    complain(place, diag::UnnamedResult, word).hint("write `%name = {0} ...`", word);
  else
    complain(place, diag::ResultCount, word, counted(*expected, "result", "results"),
             counted(given, "name is", "names are"));
}
