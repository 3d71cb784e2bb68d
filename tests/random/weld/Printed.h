/// Programs as the compiler prints them: source text after every pass of the dialect.
#ifndef TESSERA_TESTS_RANDOM_WELD_PRINTED_H
#define TESSERA_TESTS_RANDOM_WELD_PRINTED_H

#include "Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::weld::random {

/// Calls `visit` with the source of a checked program as it is lowered, under the name "", and
/// after each pass that changes it.
void forEachPrinted(const Program &program,
                    llvm::function_ref<void(llvm::StringRef pass, const std::string &text)> visit);

} // namespace tessera::weld::random

#endif
