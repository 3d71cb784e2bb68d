/// Runs a compiled program on values of the evaluator.
#ifndef TESSERA_TESTS_RANDOM_WELD_INVOCATION_H
#define TESSERA_TESTS_RANDOM_WELD_INVOCATION_H

#include "Value.h"
#include "jit/Jit.h"

namespace tessera::weld::random {

/// The outcome of one run.
struct Run {
  int status = 0;
  std::string error;
  std::string bytes; ///< The result, serialized.
};

/// Values are converted to memory and back in the runtime's serialized form.
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

/// Returns nullopt if the bytes are not a value.
std::optional<Value> valueOf(const Type &type, const std::string &bytes);

} // namespace tessera::weld::random

#endif
