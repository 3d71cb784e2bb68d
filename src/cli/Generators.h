/// Generated values: `rand`, `zeros`, `ones`, `iota`.
#ifndef TESSERA_CLI_GENERATORS_H
#define TESSERA_CLI_GENERATORS_H

#include "cli/Tensor.h"

namespace tessera::cli {

/// The numbers of `rand`: a stream for each pair of seed and position, the same on every machine.
/// Number i is SplitMix64's output i for the state mix(seed) + position * 2^32. A float with p bits
/// of precision is k/2^(p-1) - 1 with k its upper p bits; an integer is its upper 32 bits times 10
/// over 2^32; a bool is its first bit.
class RandomStream {
public:
  RandomStream(uint64_t seed, unsigned position);
  template <typename T> T next();

private:
  uint64_t bits();
  uint64_t state;
};

bool isGenerator(llvm::StringRef name);

/// Fills a tensor of zeros, whose last dimension has the parts of complex numbers. Only `rand`
/// fills imaginary parts.
void generate(llvm::StringRef name, const Tensor &tensor, RandomStream random,
              unsigned numParts = 1);

/// The largest number that `iota` may reach.
uint64_t largestCount(Scalar scalar);

} // namespace tessera::cli

#endif
