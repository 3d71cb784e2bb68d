#include "lang/tinytc/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::SmallVector;
using llvm::StringRef;

/// Reads `.nn` and `.T`, as in names of BLAS functions, as `.n.n` and `.t`. Returns how many
/// transposes there are with the `given` ones.
unsigned Parser::splitTransposes(Head &head, Blas &blas, unsigned given) {
  unsigned first = head.next, most = numTransposes(blas.op);
  std::string separate;
  for (; given < most && head.next < head.modifiers.size(); ++head.next) {
    std::string letters = text(head.modifiers[head.next]).drop_front().lower();
    if (letters.size() > most - given || letters.find_first_not_of("nt") != std::string::npos)
      break;
    for (char letter : letters) {
      blas.isTransposed[given++] = letter == 't';
      separate += {'.', letter};
    }
  }
  if (head.next == first)
    return given;
  head.offered.clear();
  SourceRange range = head.modifiers[first].range.upTo(head.modifiers[head.next - 1].range);
  complain(range, diag::UnknownModifier, text(head.word), file.text(range)).fix(range, separate);
  return given;
}

/// In the seed description, all transposes precede `.atomic`; in version 0.4, `.atomic` is first
/// and transposes may be missing.
void Parser::parseBlasModifiers(Head &head, Blas &blas) {
  bool isFirst = acceptModifier(head, ".atomic");
  unsigned numGiven = 0;
  while (numGiven < numTransposes(blas.op)) {
    std::optional<size_t> letter = acceptOneOf(head, {".t", ".n"});
    if (!letter)
      break;
    blas.isTransposed[numGiven++] = *letter == 0;
  }
  numGiven = splitTransposes(head, blas, numGiven);
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
    if (name != "mode") {
      operands.push_back(parseNextOperand(index, names.size(), list));
      continue;
    }
    expectNextOperand(index, names.size(), list);
    if (endsStatement())
      rejectOperandCount(index, names.size(), list);
    blas.mode = parseInteger();
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
  static constexpr StringRef names[] = {"alignment"};
  alloca.attributes = parseOptionalDictionary(names);
  alloca.type = parseResultType();
  return alloca;
}
