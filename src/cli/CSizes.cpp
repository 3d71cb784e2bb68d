#include "cli/CSizes.h"
#include "cli/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

const llvm::StringLiteral CSizes::functions = R"(
#ifndef TESSERA_SIZES
#define TESSERA_SIZES
/* Rounded down; by 0, both are 0. */
static inline int64_t tessera_quotient(int64_t a, int64_t b) {
  return b == 0 ? 0 : a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
static inline int64_t tessera_remainder(int64_t a, int64_t b) {
  return b == 0 ? 0 : a - tessera_quotient(a, b) * b;
}
static inline int64_t tessera_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tessera_max(int64_t a, int64_t b) { return a < b ? b : a; }
#endif
)";

namespace {

/// What a step becomes: `a + b`, or `f(a, b)` where the operator has a letter.
struct Operator {
  StringRef text;
  int level; ///< What binds tighter is higher.
};
constexpr int callLevel = 3, leafLevel = 4;

Operator operatorOf(SizeStep::Kind kind) {
  switch (kind) {
  case SizeStep::Add:
    return {"+", 1};
  case SizeStep::Subtract:
    return {"-", 1};
  case SizeStep::Multiply:
    return {"*", 2};
  case SizeStep::FloorDivide:
    return {"tessera_quotient", callLevel};
  case SizeStep::Modulo:
    return {"tessera_remainder", callLevel};
  case SizeStep::Min:
    return {"tessera_min", callLevel};
  default:
    return {"tessera_max", callLevel};
  }
}

struct Text {
  std::string text;
  int level;

  std::string inside(int least) const { return level < least ? "(" + text + ")" : text; }
};

Text combine(Operator op, const Text &lhs, const Text &rhs) {
  if (op.level == callLevel)
    return {llvm::formatv("{0}({1}, {2})", op.text, lhs.text, rhs.text), callLevel};
  return {llvm::formatv("{0} {1} {2}", lhs.inside(op.level), op.text, rhs.inside(op.level + 1)),
          op.level};
}

} // namespace

bool CSizes::callsFunctions(const Parameter &parameter) {
  return llvm::any_of(parameter.sizeFormulas, [](const SizeFormula &formula) {
    return llvm::any_of(formula, [](const SizeStep &step) {
      return step.kind != SizeStep::Constant && step.kind != SizeStep::Name &&
             operatorOf(step.kind).level == callLevel;
    });
  });
}

StringRef CSizes::missing(const Parameter &parameter, size_t dimension) const {
  StringRef name = sizeName(parameter, dimension);
  bool isNeeded = parameter.shape[dimension] == dynamicSize && !names.contains(name.str());
  return isNeeded ? name : "";
}

bool CSizes::isKnown(const Parameter &parameter, size_t dimension) const {
  if (parameter.shape[dimension] != dynamicSize || !sizeName(parameter, dimension).empty())
    return true;
  if (dimension >= parameter.sizeFormulas.size())
    return false;
  const SizeFormula &formula = parameter.sizeFormulas[dimension];
  return !formula.empty() && llvm::all_of(formula, [&](const SizeStep &step) {
    return step.kind != SizeStep::Name || names.contains(step.name);
  });
}

bool CSizes::areKnown(const Parameter &parameter) const {
  return llvm::all_of(llvm::seq(parameter.shape.size()),
                      [&](size_t dimension) { return isKnown(parameter, dimension); });
}

std::string CSizes::text(const Parameter &parameter, size_t dimension) const {
  int64_t size = parameter.shape[dimension];
  if (size != dynamicSize)
    return std::to_string(size);
  StringRef name = sizeName(parameter, dimension);
  return name.empty() ? text(parameter.sizeFormulas[dimension]) : names.at(name.str());
}

std::string CSizes::text(const SizeFormula &formula) const {
  std::vector<Text> stack;
  for (const SizeStep &step : formula) {
    if (step.kind == SizeStep::Constant)
      stack.push_back({std::to_string(step.value), step.value < 0 ? 0 : leafLevel});
    else if (step.kind == SizeStep::Name)
      stack.push_back({names.at(step.name), leafLevel});
    else {
      Text rhs = std::move(stack.back());
      stack.pop_back();
      stack.back() = combine(operatorOf(step.kind), stack.back(), rhs);
    }
  }
  return stack.back().text;
}
