/// Random TC programs, each with a call. The interpreter says what each statement does to the call:
/// most programs are free of errors and depend on no rounded float.
#ifndef TESSERA_TESTS_RANDOM_TC_GENERATOR_H
#define TESSERA_TESTS_RANDOM_TC_GENERATOR_H

#include <cstdint>
#include <string>

namespace tessera::tc::random {

std::string generate(uint64_t seed);

} // namespace tessera::tc::random

#endif
