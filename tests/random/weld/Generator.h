/// Random Weld programs with their arguments.
#ifndef TESSERA_TESTS_RANDOM_WELD_GENERATOR_H
#define TESSERA_TESTS_RANDOM_WELD_GENERATOR_H

#include <cstdint>
#include <string>

namespace tessera::weld::random {

/// A program that the checker accepts, after the comments that state its arguments. Some fail when
/// they run, as a few of their operations are left without a guard.
std::string generate(uint64_t seed);

} // namespace tessera::weld::random

#endif
