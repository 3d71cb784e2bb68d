/// Smaller programs that fail the same way.
#ifndef TESSERA_TESTS_RANDOM_WELD_SHRINK_H
#define TESSERA_TESTS_RANDOM_WELD_SHRINK_H

#include <string>

namespace tessera::weld::random {

/// Puts parts in the place of wholes of the same type, and shorter vectors in that of arguments, as
/// long as the program still disagrees.
std::string shrink(const std::string &text);

} // namespace tessera::weld::random

#endif
