#include "cli/CSizes.h"
#include "cli/SizeText.h"
#include "cli/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

const llvm::StringLiteral CSizes::functions = R"(
#ifndef TESSERA_SIZES
#define TESSERA_SIZES
/* Rounded down; by 0, both are 0. */
static inline int64_t tessera_quotient(int64_t a, int64_t b) {
  if (b == 0 || b == -1)
    return (int64_t)((uint64_t)a * (uint64_t)b);
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
static inline int64_t tessera_remainder(int64_t a, int64_t b) {
  return b == 0 || b == -1 ? 0 : a - tessera_quotient(a, b) * b;
}
static inline int64_t tessera_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tessera_max(int64_t a, int64_t b) { return a < b ? b : a; }
#endif
)";

static constexpr SizeNotation notation = {
    {"tessera_quotient"}, {"tessera_remainder"}, {"tessera_min"}, {"tessera_max"}};

/// The functions above implement all steps but these.
static bool isOperator(SizeStep::Kind kind) {
  return kind == SizeStep::Add || kind == SizeStep::Subtract || kind == SizeStep::Multiply;
}

bool CSizes::callsFunctions(const Parameter &parameter) {
  return llvm::any_of(parameter.sizeFormulas, [](const SizeFormula &formula) {
    return llvm::any_of(formula, [](const SizeStep &step) {
      return step.kind != SizeStep::Constant && step.kind != SizeStep::Name &&
             !isOperator(step.kind);
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

/// Wraps beyond 64 bits, where signed C would be undefined; the called function rejects such sizes.
std::string CSizes::formulaText(const SizeFormula &formula) const {
  bool isComputed =
      llvm::any_of(formula, [](const SizeStep &step) { return isOperator(step.kind); });
  std::string cast = isComputed ? "(uint64_t)" : "";
  std::string text =
      sizeText(formula, notation, [&](const std::string &each) { return cast + names.at(each); });
  return isComputed ? "(int64_t)(" + text + ")" : text;
}

std::string CSizes::text(const Parameter &parameter, size_t dimension) const {
  int64_t size = parameter.shape[dimension];
  if (size != dynamicSize)
    return std::to_string(size);
  StringRef name = sizeName(parameter, dimension);
  if (!name.empty())
    return names.at(name.str());
  return formulaText(parameter.sizeFormulas[dimension]);
}
