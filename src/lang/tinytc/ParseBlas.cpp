#include "lang/tinytc/ParserImpl.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::SmallVector;
using llvm::StringRef;

/// The seed: all transposes, then `.atomic`. Version 0.4: `.atomic` first, transposes as one likes.
void Parser::parseBlasModifiers(Head &head, Blas &blas) {
  bool isFirst = acceptModifier(head, ".atomic");
  unsigned numGiven = 0;
  for (; numGiven < numTransposes(blas.op); ++numGiven) {
    blas.isTransposed[numGiven] = acceptModifier(head, ".t");
    if (!blas.isTransposed[numGiven] && !acceptModifier(head, ".n"))
      break;
  }
  blas.isAtomic = isFirst || acceptModifier(head, ".atomic");
  SourceRange name = head.word.range;
  if (!head.modifiers.empty())
    name = name.upTo(head.modifiers.back().range);
  if (isFirst && !head.modifiers.empty() && numGiven)
    reporter.later(name, "`.atomic` before transposes");
  if (numGiven < numTransposes(blas.op))
    reporter.later(name, "`" + text(head.word) + "` without " + (numGiven ? "the second" : "its") +
                             " transpose");
  finishModifiers(head);
}

/// blas = name { modifier } alpha "," { input "," } [ mode "," ] beta "," output
Parser::Node Parser::parseBlas(Head &head, BlasOp op) {
  Blas blas{op};
  if (text(head.word) == "hadamard")
    reporter.later(head.word.range, "the name `hadamard`");
  parseBlasModifiers(head, blas);
  blas.alpha = parseOperand();
  expect(Tok::Comma);
  SmallVector<Operand> inputs;
  for (unsigned i = 0; i < numInputs(op); ++i) {
    inputs.push_back(parseOperand());
    expect(Tok::Comma);
  }
  blas.inputs = program.keep<Operand>(inputs);
  if (op == BlasOp::Cumsum) {
    blas.mode = parseInteger();
    expect(Tok::Comma);
  }
  blas.beta = parseOperand();
  expect(Tok::Comma);
  blas.output = parseOperand();
  return blas;
}

/// alloca = "alloca" [ dictionary ] ":" type
Parser::Node Parser::parseAlloca() {
  Alloca alloca;
  alloca.attributes = parseOptionalDictionary();
  alloca.type = parseResultType();
  return alloca;
}
