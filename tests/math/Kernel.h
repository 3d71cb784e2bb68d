/// An operation of the math dialect on whole arrays, compiled from core like any program.
#ifndef TESSERA_TESTS_MATH_KERNEL_H
#define TESSERA_TESTS_MATH_KERNEL_H

#include "backend/Backend.h"
#include "jit/Jit.h"
#include <memory>
#include <vector>

namespace tessera::math_test {

struct Operation {
  std::string name; ///< Without the dialect's.
  int operands;
};

template <typename Float> class Kernel {
public:
  Kernel(const Operation &operation, const Target &target);

  /// Takes one vector per operand, all of the same size.
  std::vector<Float> run(const std::vector<std::vector<Float>> &operands);

private:
  std::unique_ptr<jit::Program> program;
  const tessera_signature *entry;
};

} // namespace tessera::math_test

#endif
