/// Blocks of numbers to test a function with.
#ifndef TESSERA_TESTS_MATH_INPUTS_H
#define TESSERA_TESTS_MATH_INPUTS_H

#include <cstdint>
#include <vector>

namespace tessera::math_test {

template <typename Float> using Operands = std::vector<std::vector<Float>>;

template <typename Float> class Inputs {
public:
  Inputs(int operands, bool isExhaustive) : count(operands), isExhaustive(isExhaustive) {}

  /// Returns false when there are no more.
  bool next(Operands<Float> &operands);

private:
  int count;
  bool isExhaustive;
  uint64_t block = 0, state = 1;
};

} // namespace tessera::math_test

#endif
