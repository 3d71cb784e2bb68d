/// Work on all processors while arguments are read.
#ifndef TESSERA_CLI_DATA_THREADS_H
#define TESSERA_CLI_DATA_THREADS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>

namespace tessera::cli::data {

/// Calls work(0)...work(count - 1) on this many threads (0: as many as there are processors). The
/// threads end before it returns: processes that `tune` forks must find none.
void forEachInParallel(size_t count, unsigned threads, llvm::function_ref<void(size_t)> work);

} // namespace tessera::cli::data

#endif
