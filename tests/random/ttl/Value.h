/// The evaluator's values.
#ifndef TESSERA_TESTS_RANDOM_TTL_VALUE_H
#define TESSERA_TESTS_RANDOM_TTL_VALUE_H

#include "lang/ttl/Syntax.h"
#include <bit>
#include <memory>
#include <string>
#include <vector>

namespace tessera::ttl::random {

/// Row-major. Elements and scalars are stored as bits, which the type interprets.
struct Matrix {
  std::vector<int64_t> sizes;
  std::vector<uint32_t> bits;
  std::vector<bool> written;

  Matrix(std::vector<int64_t> sizes, bool isWritten);
  int64_t position(llvm::ArrayRef<int64_t> indices) const;
  bool isWritten() const { return !llvm::is_contained(written, false); }
};

struct Value {
  uint32_t bits = 0;
  std::shared_ptr<const Matrix> matrix; ///< Null for a scalar.

  static Value of(int32_t value) { return {std::bit_cast<uint32_t>(value), nullptr}; }
  static Value of(float value) { return {std::bit_cast<uint32_t>(value), nullptr}; }
  static Value of(Matrix matrix) { return {0, std::make_shared<const Matrix>(std::move(matrix))}; }
  int32_t asInt() const { return std::bit_cast<int32_t>(bits); }
  float asFloat() const { return std::bit_cast<float>(bits); }
};

/// In the format of `print`, without the line end.
std::string format(const Value &value, Type::Kind element);

} // namespace tessera::ttl::random

#endif
