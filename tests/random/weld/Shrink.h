/// Smaller programs that fail the same way.
#ifndef TESSERA_TESTS_RANDOM_WELD_SHRINK_H
#define TESSERA_TESTS_RANDOM_WELD_SHRINK_H

#include <string>

namespace tessera::weld::random {

/// Replaces expressions by parts of the same type, and arguments by shorter vectors, as long as the
/// program still fails.
std::string shrink(const std::string &text);

} // namespace tessera::weld::random

#endif
