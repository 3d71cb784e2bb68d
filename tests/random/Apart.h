/// Runs work that may crash or hang in a process of its own.
#ifndef TESSERA_TESTS_RANDOM_APART_H
#define TESSERA_TESTS_RANDOM_APART_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace tessera {

/// Returns the result of `work`, or "ended by signal N".
std::string apart(llvm::function_ref<std::string()> work);

} // namespace tessera

#endif
