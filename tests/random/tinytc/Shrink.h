/// Makes a failing program small.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_SHRINK_H
#define TESSERA_TESTS_RANDOM_TINYTC_SHRINK_H

#include <string>

namespace tessera::tinytc::random {

/// A smaller program that disagrees in the same way.
std::string shrink(const std::string &text);

} // namespace tessera::tinytc::random

#endif
