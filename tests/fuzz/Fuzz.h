/// Shared by all fuzz targets.
#ifndef TESSERA_TESTS_FUZZ_FUZZ_H
#define TESSERA_TESTS_FUZZ_FUZZ_H

#include "llvm/ADT/StringRef.h"
#include <cstdio>
#include <cstdlib>

namespace tessera::fuzz {

[[noreturn]] inline void fail(const char *what, llvm::StringRef before, llvm::StringRef after) {
  fprintf(stderr, "%s\n--- before\n%s\n--- after\n%s\n", what, before.str().c_str(),
          after.str().c_str());
  abort();
}

} // namespace tessera::fuzz

#endif
