#include "cli/SizeText.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::cli;

namespace {

constexpr int callLevel = SizeNotation::callLevel, leafLevel = callLevel + 1;

SizeNotation::Operator operatorOf(SizeStep::Kind kind, const SizeNotation &notation) {
  switch (kind) {
  case SizeStep::Add:
    return {"+", 1};
  case SizeStep::Subtract:
    return {"-", 1};
  case SizeStep::Multiply:
    return {"*", 2};
  case SizeStep::FloorDivide:
    return notation.quotient;
  case SizeStep::Modulo:
    return notation.remainder;
  case SizeStep::Min:
    return notation.min;
  default:
    return notation.max;
  }
}

struct Text {
  std::string text;
  int level;

  std::string inside(int least) const { return level < least ? "(" + text + ")" : text; }
};

Text combine(SizeNotation::Operator op, const Text &lhs, const Text &rhs) {
  if (op.level == callLevel)
    return {llvm::formatv("{0}({1}, {2})", op.text, lhs.text, rhs.text), callLevel};
  return {llvm::formatv("{0} {1} {2}", lhs.inside(op.level), op.text, rhs.inside(op.level + 1)),
          op.level};
}

} // namespace

std::string cli::sizeText(const SizeFormula &formula, const SizeNotation &notation,
                          llvm::function_ref<std::string(const std::string &)> nameOf) {
  std::vector<Text> stack;
  for (const SizeStep &step : formula) {
    if (step.kind == SizeStep::Constant)
      stack.push_back({std::to_string(step.value), step.value < 0 ? 0 : leafLevel});
    else if (step.kind == SizeStep::Name)
      stack.push_back({nameOf(step.name), leafLevel});
    else {
      Text rhs = std::move(stack.back());
      stack.pop_back();
      stack.back() = combine(operatorOf(step.kind, notation), stack.back(), rhs);
    }
  }
  return stack.back().text;
}

/// Without the 0 of a formula that ends as `max(0, size)`.
static SizeFormula withoutZero(SizeFormula formula) {
  auto isZero = [](const SizeStep &step) {
    return step.kind == SizeStep::Constant && step.value == 0;
  };
  bool isMax = formula.size() >= 3 && formula.back().kind == SizeStep::Max;
  bool isOnly =
      llvm::count_if(formula, [](const SizeStep &step) { return step.kind == SizeStep::Max; }) == 1;
  if (!isMax || !isOnly || !isZero(formula.front()))
    return formula;
  return SizeFormula(formula.begin() + 1, formula.end() - 1);
}

std::string cli::sizeText(const SizeFormula &formula) {
  static constexpr SizeNotation notation = {{"/", 2}, {"%", 2}, {"min"}, {"max"}};
  return sizeText(withoutZero(formula), notation, [](const std::string &name) { return name; });
}
