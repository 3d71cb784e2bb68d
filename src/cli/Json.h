/// Numbers and nested arrays of numbers, read from JSON text straight into elements.
#ifndef TESSERA_CLI_JSON_H
#define TESSERA_CLI_JSON_H

#include "cli/Tensor.h"

namespace tessera::cli {

/// Where the text is wrong, and why.
struct JsonProblem {
  enum Kind { Unreadable, WrongType, OutOfRange };
  Kind kind = Unreadable;
  size_t offset = 0;
  std::string text; ///< What is wrong; for the other kinds, the value that is.
};

/// A rectangular array; `bytes` are those of its elements in row-major order.
struct JsonTensor {
  llvm::SmallVector<int64_t, 4> shape; ///< Empty: a scalar.
  std::vector<char> bytes;
};

/// Beyond JSON, `nan`, `inf` and `-inf` are numbers, bare or in quotes. Integers are exact and are
/// accepted for floats, 0 and 1 for truth values; for integers, a number with a point or an
/// exponent is not. Floats are rounded to nearest even, once.
std::optional<JsonProblem> readJson(llvm::StringRef text, Scalar element, JsonTensor &result);

} // namespace tessera::cli

#endif
