/// Formulas of sizes as text, in the notation of a language.
#ifndef TESSERA_CLI_SIZETEXT_H
#define TESSERA_CLI_SIZETEXT_H

#include "lang/Language.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::cli {

/// What languages write differently, as operators or as functions.
struct SizeNotation {
  static constexpr int callLevel = 3;
  struct Operator {
    llvm::StringRef text;
    int level = callLevel; ///< Higher levels bind tighter.
  };
  Operator quotient, remainder, min, max;
};

std::string sizeText(const SizeFormula &formula, const SizeNotation &notation,
                     llvm::function_ref<std::string(const std::string &name)> nameOf);

/// The formula as in the source: quotients are rounded down, and no size is negative.
std::string sizeText(const SizeFormula &formula);

} // namespace tessera::cli

#endif
