/// What outlives a run.
#ifndef TESSERA_RUNTIME_RUN_H
#define TESSERA_RUNTIME_RUN_H

#include "tessera/runtime.h"

/// The blocks that a result points to. For a call from C, also the result itself.
struct tessera_run {
  tessera_output output;
  tessera_run *earlier; ///< Freed with this one.
  int64_t count;
  void *blocks[];
};

#endif
