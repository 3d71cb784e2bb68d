/// Numbers and nested arrays of numbers, read from JSON directly into elements.
#ifndef TESSERA_CLI_JSON_H
#define TESSERA_CLI_JSON_H

#include "cli/Tensor.h"

namespace tessera::cli {

/// Where the text is wrong, and why.
struct JsonProblem {
  enum Kind { Unreadable, WrongType, OutOfRange };
  Kind kind = Unreadable;
  size_t offset = 0;
  std::string text; ///< What is wrong; for the other kinds, the wrong value.
};

/// A rectangular array; `bytes` contains its elements in row-major order.
struct JsonTensor {
  llvm::SmallVector<int64_t, 4> shape; ///< Empty for a scalar.
  std::vector<char> bytes;
};

/// In addition to JSON, `nan`, `inf` and `-inf` are numbers, bare or in quotes. Integers are exact
/// and are accepted as floats, and 0 and 1 as bools; a number with a point or an exponent is not
/// accepted as an integer. Floats are rounded to nearest even, once.
std::optional<JsonProblem> readJson(llvm::StringRef text, Scalar element, JsonTensor &result);

} // namespace tessera::cli

#endif
