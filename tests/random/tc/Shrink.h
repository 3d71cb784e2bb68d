/// Smaller programs that fail the same way.
#ifndef TESSERA_TESTS_RANDOM_TC_SHRINK_H
#define TESSERA_TESTS_RANDOM_TC_SHRINK_H

#include <string>

namespace tessera::tc::random {

/// Omits defs, statements, arguments, clauses and parts of expressions, and reduces sizes, as long
/// as the program still fails.
std::string shrink(const std::string &text);

} // namespace tessera::tc::random

#endif
