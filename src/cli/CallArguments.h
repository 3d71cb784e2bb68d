/// The arguments of a call: assigns the words of the command line to parameters.
#ifndef TESSERA_CLI_CALLARGUMENTS_H
#define TESSERA_CLI_CALLARGUMENTS_H

#include "cli/Sizes.h"
#include "cli/data/Values.h"

namespace tessera::cli {

/// One per parameter; nullopt if it has not been read yet.
using ArgumentValues = std::vector<std::optional<Tensor>>;

/// The values, and the words they are read from.
struct ArgumentWords {
  const Signature &signature;
  llvm::ArrayRef<std::string> positional; ///< VALUE or NAME=VALUE.
  llvm::ArrayRef<llvm::StringRef> initial = {};
  uint64_t seed = 0;
};

/// Assigns words to parameters: VALUE by position or NAME=VALUE. Reports every mistake; then it
/// returns nullopt.
std::optional<std::vector<llvm::StringRef>> assignArguments(const ArgumentWords &words,
                                                            Terminal &terminal);

/// Reads the arguments: VALUE by position or NAME=VALUE. Named sizes take their values from them.
/// Reports every mistake; then it returns nullopt (UsageError).
std::optional<ArgumentValues> readArguments(const ArgumentWords &words, Sizes &sizes,
                                            Terminal &terminal);

/// The same for values of Weld: a struct of all arguments, as programs take it.
std::unique_ptr<data::Value>
readDataArguments(const ArgumentWords &words, const data::ReadOptions &options, Terminal &terminal);

/// Reads initial values of results, --init NAME=VALUE, into `values`; false after reporting a
/// mistake.
bool readInitialValues(const ArgumentWords &words, const Sizes &sizes, ArgumentValues &values,
                       Terminal &terminal);

} // namespace tessera::cli

#endif
