#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::SmallVector;
using llvm::StringRef;

/// Splits `.nn`, as in names of BLAS functions, into `.n.n`.
void Parser::splitTransposes(Head &head, unsigned missing) {
  while (missing && head.next < head.modifiers.size()) {
    const Token &token = head.modifiers[head.next];
    std::string letters = text(token).drop_front().lower(), separate;
    if (letters.size() > missing || letters.find_first_not_of("nt") != std::string::npos)
      return;
    for (char letter : letters)
      separate += {'.', letter};
    complain(token.range, diag::UnknownModifier, text(head.word), text(token))
        .fix(token.range, separate);
    missing -= letters.size();
    ++head.next;
  }
}

/// In the seed description, all transposes precede `.atomic`; in version 0.4, `.atomic` is first
/// and transposes may be missing.
void Parser::parseBlasModifiers(Head &head, Blas &blas) {
  bool isFirst = acceptModifier(head, ".atomic");
  unsigned numGiven = 0;
  for (; numGiven < numTransposes(blas.op); ++numGiven) {
    blas.isTransposed[numGiven] = acceptModifier(head, ".t");
    if (!blas.isTransposed[numGiven] && !acceptModifier(head, ".n"))
      break;
  }
  splitTransposes(head, numTransposes(blas.op) - numGiven);
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

/// The names of the operands in rules and diagnostics.
static SmallVector<StringRef> operandNames(BlasOp op) {
  switch (op) {
  case BlasOp::Axpby:
  case BlasOp::Sum:
    return {"alpha", "A", "beta", "B"};
  case BlasOp::Cumsum:
    return {"alpha", "A", "mode", "beta", "B"};
  case BlasOp::Gemm:
  case BlasOp::Hadamard:
    return {"alpha", "A", "B", "beta", "C"};
  case BlasOp::Gemv:
    return {"alpha", "A", "b", "beta", "c"};
  case BlasOp::Ger:
    return {"alpha", "a", "b", "beta", "C"};
  }
  llvm_unreachable("no such instruction");
}

/// blas = name { modifier } alpha "," { input "," } [ mode "," ] beta "," output
Parser::Node Parser::parseBlas(Head &head, BlasOp op) {
  Blas blas{op};
  if (text(head.word) == "hadamard")
    reporter.later(head.word.range, "the name `hadamard`");
  parseBlasModifiers(head, blas);
  SmallVector<StringRef> names = operandNames(op);
  std::string list = llvm::join(names, ", ");
  SmallVector<Operand> operands;
  for (auto [index, name] : llvm::enumerate(names)) {
    if (index)
      expectNextOperand(index, names.size(), list);
    if (name == "mode")
      blas.mode = parseInteger();
    else
      operands.push_back(parseOperand());
  }
  if (isAt(Tok::Comma) && !isFirstOnLine(at))
    fail(peek().range, diag::OperandCount, instruction,
         std::to_string(names.size()) + " operands (" + list + ")", "more");
  blas.alpha = operands.front();
  blas.inputs = program.keep<Operand>(llvm::ArrayRef(operands).slice(1, numInputs(op)));
  blas.beta = operands[operands.size() - 2];
  blas.output = operands.back();
  return blas;
}

/// alloca = "alloca" [ dictionary ] ":" type
Parser::Node Parser::parseAlloca() {
  Alloca alloca;
  alloca.attributes = parseOptionalDictionary();
  alloca.type = parseResultType();
  return alloca;
}
