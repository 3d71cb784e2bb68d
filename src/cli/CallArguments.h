/// The arguments of a call: which word of the command line is whose value.
#ifndef TESSERA_CLI_CALLARGUMENTS_H
#define TESSERA_CLI_CALLARGUMENTS_H

#include "cli/Sizes.h"
#include "cli/data/Values.h"

namespace tessera::cli {

/// One a parameter; nothing where none is read yet.
using ArgumentValues = std::vector<std::optional<Tensor>>;

/// What is read, and from which words.
struct ArgumentWords {
  const Signature &signature;
  llvm::ArrayRef<std::string> positional; ///< VALUE or NAME=VALUE.
  llvm::ArrayRef<llvm::StringRef> initial = {};
  uint64_t seed = 0;
};

/// Which word is whose value, one a parameter: VALUE by position or NAME=VALUE. Every mistake is
/// reported; with any, nothing is returned.
std::optional<std::vector<llvm::StringRef>> assignArguments(const ArgumentWords &words,
                                                            Terminal &terminal);

/// The arguments proper: VALUE by position or NAME=VALUE. Sizes that have names are bound by them.
/// Every mistake is reported; with any, nothing is returned (UsageError).
std::optional<ArgumentValues> readArguments(const ArgumentWords &words, Sizes &sizes,
                                            Terminal &terminal);

/// The same for values that are more than tensors: a struct of them all, as programs take it.
std::unique_ptr<data::Value>
readDataArguments(const ArgumentWords &words, const data::ReadOptions &options, Terminal &terminal);

/// What results hold before the call: --init NAME=VALUE. Into `values`; false when reported.
bool readInitialValues(const ArgumentWords &words, const Sizes &sizes, ArgumentValues &values,
                       Terminal &terminal);

} // namespace tessera::cli

#endif
