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
    int level = callLevel; ///< What binds tighter is higher.
  };
  Operator quotient, remainder, min, max;
};

std::string sizeText(const SizeFormula &formula, const SizeNotation &notation,
                     llvm::function_ref<std::string(const std::string &name)> nameOf);

/// As the source would say it: quotients are rounded down, and no size is negative.
std::string sizeText(const SizeFormula &formula);

} // namespace tessera::cli

#endif
