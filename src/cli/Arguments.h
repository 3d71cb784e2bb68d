/// From the words of a command line to an Invocation, by the tables of options and commands.
#ifndef TESSERA_CLI_ARGUMENTS_H
#define TESSERA_CLI_ARGUMENTS_H

#include "cli/Options.h"
#include <optional>
#include <vector>

namespace tessera::cli {

/// A valid command line. The values of numeric options are valid numbers.
struct Invocation {
  struct Given {
    Opt option;
    std::string text;
  };

  const Command *command = nullptr; ///< Null for `tessera` alone, or with only --help or --version.
  std::vector<std::string> operands;
  std::vector<std::string> passes; ///< For `opt`, without dashes.
  std::vector<Given> given;        ///< In the order of the command line.

  bool has(Opt option) const;
  llvm::StringRef text(Opt option, llvm::StringRef otherwise = "") const;
  llvm::SmallVector<llvm::StringRef> texts(Opt option) const;
  uint64_t integer(Opt option, uint64_t otherwise) const; ///< Also for a Size, in bytes.
  double real(Opt option, double otherwise) const;

  /// The operands of commands like `run`: FILE, then arguments.
  llvm::StringRef file() const { return operands.front(); }
  llvm::ArrayRef<std::string> arguments() const { return llvm::ArrayRef(operands).drop_front(); }
};

/// Reports everything that is wrong; then it returns nullopt.
std::optional<Invocation> parseArguments(llvm::ArrayRef<const char *> words, Terminal &terminal);

/// `-2.5`, `-inf`, `1e5`: a word that is never an option.
bool readsAsNumber(llvm::StringRef word);
/// `512M`: bytes, with binary multiples K, M, G, T.
std::optional<uint64_t> parseSize(llvm::StringRef text);
/// "`a`, `b` or `c`", or with "and" in place of "or".
std::string listed(llvm::ArrayRef<llvm::StringRef> words, llvm::StringRef conjunction);
std::string alternatives(llvm::ArrayRef<llvm::StringRef> words);

} // namespace tessera::cli

#endif
