/// Random kernels that are correct, with calls that have one answer: no races, no accesses outside.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_GENERATOR_H
#define TESSERA_TESTS_RANDOM_TINYTC_GENERATOR_H

#include <cstdint>
#include <string>

namespace tessera::tinytc::random {

/// The text of a program, with the calls of its functions in front of it.
std::string generate(uint64_t seed);

} // namespace tessera::tinytc::random

#endif
