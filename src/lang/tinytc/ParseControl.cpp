#include "lang/tinytc/Instructions.h"
#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

llvm::MutableArrayRef<Operand> Parser::parseOperandList() {
  expect(Tok::LParen);
  return isRecovering ? llvm::MutableArrayRef<Operand>() : parseOperands(Tok::RParen);
}

bool Parser::isAtOldForeach() const {
  Tok next = peek(1).kind;
  bool isOld = next == Tok::Colon || (next == Tok::Assign && peek(2).kind != Tok::LParen);
  return isAt(Tok::Local) && isOld;
}

/// Version 0.3 had `foreach %k=0,16` with one variable, whose type could follow.
Parser::Node Parser::parseOldForeach() {
  Foreach loop;
  SmallVector<SourceRange> lists{peek().range};
  Report report =
      complain(peek().range, diag::UnreadForm, "`foreach` without parentheses around its lists");
  loop.variables = program.keep<Value *>(makeValue(nameOf(take())));
  if (accept(Tok::Colon))
    loop.type = parseType();
  expect(Tok::Assign);
  auto parseBound = [&] {
    SourceRange begin = peek().range;
    Operand bound = parseOperand();
    lists.push_back(since(begin));
    return program.keep<Operand>(bound);
  };
  loop.from = parseBound();
  expect(Tok::Comma);
  loop.to = parseBound();
  std::string moved; // With the parenthesis before it.
  if (!loop.type.type && accept(Tok::Colon)) {
    loop.type = parseType();
    moved = (": " + file.text(loop.type.range)).str();
  }
  SourceRange rest{lists.back().end, previousEnd()};
  if (!isRecovering)
    for (auto [index, list] : llvm::enumerate(lists))
      report.fix({list.begin, list.begin}, "(")
          .fix(index + 1 < lists.size() ? SourceRange{list.end, list.end} : rest,
               index == 0 ? ")" + moved : ")");
  loop.body = parseRegion();
  return loop;
}

/// foreach = "foreach" "(" locals ")" [ ":" type ] "=" "(" operands ")" "," "(" operands ")" region
Parser::Node Parser::parseForeach() {
  if (isAtOldForeach() && !isRecovering)
    return parseOldForeach();
  if (isAt(Tok::Local))
    failExpected(describe(Tok::LParen))
        .hint("write `foreach ({0}) = (%from), (%to) {{ ... }`", text(peek()));
  Foreach loop;
  SmallVector<Value *> variables;
  SourceRange begin = peek().range;
  expect(Tok::LParen);
  parseList(Tok::RParen, [&] { variables.push_back(makeValue(nameOf(expect(Tok::Local)))); });
  loop.variables = program.keep<Value *>(variables);
  SourceRange list = since(begin);
  if (accept(Tok::Colon))
    loop.type = parseType();
  expect(Tok::Assign);
  if (isAt(Tok::Local))
    failExpected(describe(Tok::LParen)).hint("bounds are lists: `({0}), (...)`", text(peek()));
  loop.from = parseOperandList();
  expect(Tok::Comma);
  loop.to = parseOperandList();
  moveLoopType(loop.type, list);
  loop.body = parseRegion();
  return loop;
}

Parser::Node Parser::parseParallel() {
  return Parallel{parseRegion()};
}

/// return types = "(" [ type { "," type } ] ")"
ArrayRef<TypeRef> Parser::parseReturnTypes() {
  SmallVector<TypeRef> types;
  if (isAt(Tok::Word) && !isRecovering) { // `-> f32`
    SourceRange begin = peek().range;
    Report report = complain(begin, diag::Expected, describe(Tok::LParen), found(peek()));
    types.push_back(parseType());
    report.fix({begin.begin, begin.begin}, "(").fix({previousEnd(), previousEnd()}, ")");
    return program.keep<TypeRef>(types);
  }
  expect(Tok::LParen);
  if (!isRecovering)
    parseList(Tok::RParen, [&] { types.push_back(parseType()); });
  return program.keep<TypeRef>(types);
}

/// "init" "(" local "=" operand { "," local "=" operand } ")" "->" return types
void Parser::parseCarried(For &loop) {
  SmallVector<Carried> carried;
  expect(Tok::LParen);
  parseList(Tok::RParen, [&] {
    Value *value = makeValue(nameOf(expect(Tok::Local)));
    expect(Tok::Assign);
    carried.push_back({value, parseOperand()});
  });
  loop.carried = program.keep<Carried>(carried);
  expect(Tok::Arrow);
  loop.types = parseReturnTypes();
}

/// `,` before an operand of `for`, for which other languages have a word.
void Parser::expectBound(StringRef word) {
  if (!isWord(word) || isRecovering) {
    expect(Tok::Comma);
    return;
  }
  complain(peek().range, diag::Expected, describe(Tok::Comma), found(peek()))
      .fix({previousEnd(), peek().range.end}, ",");
  take();
}

/// Version 0.3 had the type of a loop's variables after the bounds.
void Parser::moveLoopType(TypeRef &type, SourceRange variables) {
  if (!isAt(Tok::Colon) || isRecovering || type.type)
    return;
  SourceRange colon = peek().range;
  uint32_t begin = previousEnd();
  Report report = complain(colon, diag::UnreadForm, "the type of a loop after its bounds");
  take();
  type = parseType();
  if (!isRecovering)
    report.fix({variables.end, variables.end}, (": " + file.text(type.range)).str())
        .fix({begin, type.range.end}, "");
}

/// operand "," operand [ "," operand ]
void Parser::parseBounds(For &loop) {
  constexpr StringRef names = "from, to";
  auto rejectEnd = [&] {
    if (isAt(Tok::LBrace) || endsStatement())
      rejectOperandCount(1, 2, names);
  };
  loop.from = parseNextOperand(0, 2, names);
  rejectEnd();
  expectBound("to");
  rejectEnd();
  loop.to = parseOperand();
  if (isWord("step") || isAt(Tok::Comma)) {
    expectBound("step");
    loop.step = parseOperand();
  }
}

/// for = "for" local [ ":" type ] "=" operand "," operand [ "," operand ] [ carried ] region
///       [ [ "attributes" ] dictionary ]
Parser::Node Parser::parseFor() {
  For loop;
  if (isAt(Tok::LParen))
    failExpected(describe(Tok::Local)).hint("write `for %i = %from, %to {{ ... }`");
  loop.variable = makeValue(nameOf(expect(Tok::Local)));
  if (accept(Tok::Colon))
    loop.type = parseType();
  expect(Tok::Assign);
  parseBounds(loop);
  moveLoopType(loop.type, loop.variable->name.range);
  if (isWord("iter_args") && !isRecovering) { // As in MLIR.
    complain(peek().range, diag::Expected, "`init`", found(peek())).fix(peek().range, "init");
    take();
    parseCarried(loop);
  } else if (acceptWord("init")) {
    parseCarried(loop);
  }
  loop.body = parseRegion();
  if (isWord("attributes") && !isRecovering) {
    reporter.later(peek().range, "`attributes` after a `for`");
    take();
    if (!isAt(Tok::LBrace) && !isAt(Tok::Variable))
      failExpected("a dictionary after `attributes`");
  }
  static constexpr StringRef names[] = {"unroll"};
  loop.attributes = parseOptionalDictionary(names);
  return loop;
}

static constexpr StringRef conditionHint =
    "a condition is one value of type `bool`, such as the result of `cmp.lt`";

/// `(%c)` is read as `%c`.
Operand Parser::parseCondition() {
  if (isAt(Tok::Word) && isInstruction(text(peek())) && !endsStatement())
    failExpected(describe(Tok::Local)).hint("{0}", conditionHint);
  if (!isAt(Tok::LParen) || peek(1).kind != Tok::Local || peek(2).kind != Tok::RParen)
    return parseNextOperand(0, 1, "condition");
  Report report = complain(peek().range, diag::Expected, describe(Tok::Local), found(peek()));
  report.fix(take().range, "");
  Operand condition = parseOperand();
  report.fix(take().range, "");
  return condition;
}

/// if = "if" operand [ "->" return types ] region [ "else" region ]
Parser::Node Parser::parseIf() {
  If branch;
  branch.condition = parseCondition();
  if (isWord("then") && peek(1).kind == Tok::LBrace && !isRecovering) {
    complain(peek().range, diag::Expected, describe(Tok::LBrace), found(peek()))
        .fix({previousEnd(), peek().range.end}, "");
    take();
  }
  if (accept(Tok::Arrow))
    branch.types = parseReturnTypes();
  else if (!isAt(Tok::LBrace))
    failExpected(describe(Tok::LBrace)).hint("{0}", conditionHint);
  branch.thenRegion = parseRegion();
  if (isWord("elif") || isWord("elseif") || isWord("elsif")) {
    fail(peek().range, diag::Expected, "`else`", found(peek()))
        .hint("write `else {{ if %condition {{ ... } }`");
    take();
  }
  if (acceptWord("else"))
    branch.elseRegion = isWord("if") ? parseElseIf(!branch.types.empty()) : parseRegion();
  return branch;
}

/// `else if`, which the language does not have, is read as `else { if ... }`.
Region *Parser::parseElseIf(bool hasResults) {
  SourceRange begin = peek().range;
  Report report = complain(begin, diag::Expected, describe(Tok::LBrace), found(peek()));
  scopes.open();
  SmallVector<Inst *> body{parseInst()};
  scopes.close();
  if (hasResults || isRecovering) { // It is unknown what should be yielded.
    report.hint("write `else {{ %name = if ... yield (%name) }`");
    body.push_back(program.make(Inst{begin, begin, Broken()}));
  } else {
    report.fix({begin.begin, begin.begin}, "{ ").fix({previousEnd(), previousEnd()}, " }");
  }
  return program.make(Region{since(begin), program.keep<Inst *>(body)});
}

/// `yield %a, %b`, after which version 0.3 had the types.
Parser::Node Parser::parseOldYield() {
  SourceRange begin = peek().range;
  Failure failure = failurePlace();
  SmallVector<Operand> operands;
  do
    operands.push_back(parseOperand());
  while (accept(Tok::Comma));
  uint32_t end = previousEnd();
  bool hasTypes = accept(Tok::Colon);
  if (hasTypes)
    do
      parseType();
    while (accept(Tok::Comma));
  Report report =
      hasTypes ? complain(since(begin), diag::UnreadForm, "`yield` with types")
               : complain(failure.range, diag::Expected, describe(Tok::LParen), failure.found);
  report.fix({begin.begin, begin.begin}, "(").fix({end, previousEnd()}, ")");
  return Yield{program.keep<Operand>(operands)};
}

/// yield = "yield" "(" [ operands ] ")"
Parser::Node Parser::parseYield() {
  bool isOld = isAt(Tok::Local) && !endsStatement() && !isRecovering;
  if (endsStatement())
    failExpected(describe(Tok::LParen))
        .hint("write `yield (%value)`, or `yield ()` without values");
  return isOld ? parseOldYield() : Yield{parseOperandList()};
}
