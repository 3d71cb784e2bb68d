/// Smaller programs that fail the same way.
#ifndef TESSERA_TESTS_RANDOM_TTL_SHRINK_H
#define TESSERA_TESTS_RANDOM_TTL_SHRINK_H

#include <string>

namespace tessera::ttl::random {

/// Removes lines, blocks and the heads of blocks as long as the program still fails.
std::string shrink(const std::string &text);

} // namespace tessera::ttl::random

#endif
