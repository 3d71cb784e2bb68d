/// Products whose results are written past the caches: those of many groups, together larger than
/// the caches.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_STREAMING_H
#define TESSERA_BACKEND_CPU_CONTRACTION_STREAMING_H

#include "backend/cpu/contraction/Neighbors.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// Whether each iteration of a parallel loop has one such contraction, and nothing else in the loop
/// accesses its result.
bool isOnlyWritten(Neighborhood &around);

/// Whether all products of such a loop together write more than `smallest` bytes, in whole cache
/// lines. Null: they never do.
Value streamsResult(KernelBuilder &b, mlir::scf::ParallelOp loop, const Product &product,
                    const schedule::Contraction &schedule, int64_t smallest);

} // namespace tessera::cpu

#endif
