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
  loop.variable = makeValue(expect(Tok::Local));
  if (accept(Tok::Colon))
    loop.type = parseType();
  expect(Tok::Assign);
  loop.from = parseOperand();
  expect(Tok::Comma);
  loop.to = parseOperand();
  if (accept(Tok::Comma))
    loop.step = parseOperand();
  if (acceptWord("init"))
    parseCarried(loop);
  loop.body = parseRegion();
  if (isWord("attributes") && !isRecovering) {
    reporter.later(peek().range, "`attributes` behind a `for`");
    take();
    if (!isAt(Tok::LBrace) && !isAt(Tok::Variable))
      failExpected("a dictionary behind `attributes`");
  }
  loop.attributes = parseOptionalDictionary();
  return loop;
}

/// if = "if" operand [ "->" return types ] region [ "else" region ]
Parser::Node Parser::parseIf() {
  If branch;
  branch.condition = parseOperand();
  if (accept(Tok::Arrow))
    branch.types = parseReturnTypes();
  branch.thenRegion = parseRegion();
  if (acceptWord("else"))
    branch.elseRegion = parseRegion();
  return branch;
}

/// yield = "yield" "(" [ operands ] ")"
Parser::Node Parser::parseYield() {
  return Yield{parseOperandList()};
}
