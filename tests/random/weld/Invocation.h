/// A compiled program, run on values of the evaluator.
#ifndef TESSERA_TESTS_RANDOM_WELD_INVOCATION_H
#define TESSERA_TESTS_RANDOM_WELD_INVOCATION_H

#include "Value.h"
#include "jit/Jit.h"

namespace tessera::weld::random {

/// One run's answer.
struct Run {
  int status = 0;
  std::string error;
  std::string bytes; ///< The result, serialized.
};

/// Values come into memory, and back, by way of the runtime's bytes.
class Invocation {
public:
  Invocation(const tessera_program &entry, const Type &arguments, llvm::ArrayRef<Value> values);
  ~Invocation();
  Run run(int threads);

private:
  const tessera_program &entry;
  tessera_region *region = nullptr;
  std::vector<uint64_t> arguments; ///< A C struct.
};

/// Nothing where the bytes are no value.
std::optional<Value> valueOf(const Type &type, const std::string &bytes);

} // namespace tessera::weld::random

#endif
