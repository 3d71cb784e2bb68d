/// Random TTL programs. The checker accepts all of them; most have no undefined behavior.
#ifndef TESSERA_TESTS_RANDOM_TTL_GENERATOR_H
#define TESSERA_TESTS_RANDOM_TTL_GENERATOR_H

#include <cstdint>
#include <string>

namespace tessera::ttl::random {

std::string generate(uint64_t seed);

} // namespace tessera::ttl::random

#endif
