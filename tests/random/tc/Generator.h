/// Random TC programs, each with a call. The interpreter evaluates each statement for the call:
/// most programs have no errors and do not depend on rounded floats.
#ifndef TESSERA_TESTS_RANDOM_TC_GENERATOR_H
#define TESSERA_TESTS_RANDOM_TC_GENERATOR_H

#include <cstdint>
#include <string>

namespace tessera::tc::random {

std::string generate(uint64_t seed);

} // namespace tessera::tc::random

#endif
