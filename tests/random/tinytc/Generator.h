/// Random correct kernels, with calls that have a unique result: no races, no accesses out of
/// bounds.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_GENERATOR_H
#define TESSERA_TESTS_RANDOM_TINYTC_GENERATOR_H

#include <cstdint>
#include <string>

namespace tessera::tinytc::random {

/// The text of a program, preceded by the calls of its functions.
std::string generate(uint64_t seed);

} // namespace tessera::tinytc::random

#endif
