/// Arguments of a program: from the words of the command line to tensors that fit its parameters.
#ifndef TESSERA_CLI_VALUES_H
#define TESSERA_CLI_VALUES_H

#include "cli/Tensor.h"
#include "support/Diagnostics.h"

namespace tessera::cli {

class Terminal;

/// The parameter or result whose value is read: messages name it, and `rand` depends on its
/// position.
struct ValueTarget {
  const Parameter &parameter;
  llvm::StringRef noun = "parameter";
  unsigned position = 0;
  uint64_t seed = 0;
  bool isReference = false; ///< Only compared: a file may be more precise.
};

/// Reads one VALUE in any of its forms. Reports why it cannot be read or does not fit.
std::optional<Tensor> readValue(llvm::StringRef text, const ValueTarget &target,
                                Terminal &terminal);

/// Suggests that a word may be a file without its `@`, or a generator without its shape.
void hintAtForms(Report &report, llvm::StringRef text);

/// Splits `name=rest` if `name` is an identifier; otherwise the name is empty.
std::pair<llvm::StringRef, llvm::StringRef> splitName(llvm::StringRef word);

} // namespace tessera::cli

#endif
