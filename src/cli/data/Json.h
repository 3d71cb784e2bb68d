/// Reads JSON into memory by the type of the value: an array for a vector, an array of its fields
/// for a struct, an array of pairs for a dictionary.
#ifndef TESSERA_CLI_DATA_JSON_H
#define TESSERA_CLI_DATA_JSON_H

#include "cli/data/Memory.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace tessera::cli::data {

/// Where and why a text is not a value of a type.
struct JsonProblem {
  enum Kind { Unreadable, WrongType, OutOfRange, NoMemory };
  Kind kind = Unreadable;
  size_t offset = 0;
  std::string text; ///< What was found there, or what is wrong with the text.
  std::string path; ///< The part of the value that is wrong: "[3].$1".
  std::string type; ///< The type of this part.
  Scalar scalar = Scalar::I32;
};

/// Called from time to time with the number of bytes that are read, and of all bytes.
using JsonProgress = llvm::function_ref<void(size_t done, size_t total)>;

/// Numbers are read as by cli::readJson; a string is a vector of bytes. `slot` is cleared.
std::optional<JsonProblem> readJson(llvm::StringRef text, const DataType &type, void *slot,
                                    Memory &memory, JsonProgress progress = nullptr);

} // namespace tessera::cli::data

#endif
