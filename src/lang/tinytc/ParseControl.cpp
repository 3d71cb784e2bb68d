#include "lang/tinytc/ParserImpl.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;

llvm::MutableArrayRef<Operand> Parser::parseOperandList() {
  expect(Tok::LParen);
  return isRecovering ? llvm::MutableArrayRef<Operand>() : parseOperands(Tok::RParen);
}

/// foreach = "foreach" "(" locals ")" [ ":" type ] "=" "(" operands ")" "," "(" operands ")" region
Parser::Node Parser::parseForeach() {
  Foreach loop;
  SmallVector<Value *> variables;
  expect(Tok::LParen);
  parseList(Tok::RParen, [&] { variables.push_back(makeValue(expect(Tok::Local))); });
  loop.variables = program.keep<Value *>(variables);
  if (accept(Tok::Colon))
    loop.type = parseType();
  expect(Tok::Assign);
  if (isAt(Tok::Local))
    failExpected(describe(Tok::LParen)).hint("bounds are lists: `({0}), (...)`", text(peek()));
  loop.from = parseOperandList();
  expect(Tok::Comma);
  loop.to = parseOperandList();
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
    Value *value = makeValue(expect(Tok::Local));
    expect(Tok::Assign);
    carried.push_back({value, parseOperand()});
  });
  loop.carried = program.keep<Carried>(carried);
  expect(Tok::Arrow);
  loop.types = parseReturnTypes();
}

/// for = "for" local [ ":" type ] "=" operand "," operand [ "," operand ] [ carried ] region
///       [ [ "attributes" ] dictionary ]
Parser::Node Parser::parseFor() {
  For loop;
  if (isAt(Tok::LParen))
    failExpected(describe(Tok::Local)).hint("write `for %i = %from, %to {{ ... }`");
  loop.variable = makeValue(expect(Tok::Local));
  if (accept(Tok::Colon))
    loop.type = parseType();
  expect(Tok::Assign);
  loop.from = parseOperand();
  expect(Tok::Comma);
  loop.to = parseOperand();
  if (isWord("step") && !isRecovering) {
    complain(peek().range, diag::Expected, describe(Tok::Comma), found(peek()))
        .fix({previousEnd(), peek().range.end}, ",");
    take();
    loop.step = parseOperand();
  } else if (accept(Tok::Comma)) {
    loop.step = parseOperand();
  }
  if (acceptWord("init"))
    parseCarried(loop);
  loop.body = parseRegion();
  if (isWord("attributes") && !isRecovering) {
    reporter.later(peek().range, "`attributes` after a `for`");
    take();
    if (!isAt(Tok::LBrace) && !isAt(Tok::Variable))
      failExpected("a dictionary after `attributes`");
  }
  loop.attributes = parseOptionalDictionary();
  return loop;
}

/// `(%c)` is read as `%c`.
Operand Parser::parseCondition() {
  if (!isAt(Tok::LParen) || peek(1).kind != Tok::Local || peek(2).kind != Tok::RParen)
    return parseOperand();
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
  if (accept(Tok::Arrow))
    branch.types = parseReturnTypes();
  else if (!isAt(Tok::LBrace))
    failExpected(describe(Tok::LBrace))
        .hint("a condition is one value of type `bool`, such as the result of `cmp.lt`");
  branch.thenRegion = parseRegion();
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

/// yield = "yield" "(" [ operands ] ")"
Parser::Node Parser::parseYield() {
  if (isAt(Tok::Local))
    failExpected(describe(Tok::LParen)).hint("write `yield ({0})`", text(peek()));
  return Yield{parseOperandList()};
}
