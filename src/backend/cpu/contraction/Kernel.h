/// The loops around register tiles. Each element of the result is one chain in ascending depth,
/// whatever the blocking [core.7].
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_KERNEL_H
#define TESSERA_BACKEND_CPU_CONTRACTION_KERNEL_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

using schedule::minChunkWork;

/// Chunks that a large product is divided into: several for each thread.
inline constexpr int64_t wantedChunks = 8;

/// Emits the whole product in place.
void emitKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);

/// The same without the outer axes: one of many products. `isParallel`: its work is divided among
/// threads.
void emitInnerKernel(KernelBuilder &b, const Product &product,
                     const schedule::Contraction &schedule, bool isParallel);

/// Whether a product of unknown sizes is small, and its operands are read where they are.
bool isOpen(const Product &product, const schedule::Contraction &schedule);
void emitOpenKernel(KernelBuilder &b, const Product &product,
                    const schedule::Contraction &schedule);

/// The whole product of operands in the order of tile registers.
void emitPrepackedKernel(KernelBuilder &b, const Product &product,
                         const schedule::Contraction &schedule);

/// The whole product with all of the depth in each tile.
void emitDirectKernel(KernelBuilder &b, const Product &product,
                      const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
