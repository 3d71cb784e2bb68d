/// The tuned loops around register tiles. Each element of the result is one chain in ascending
/// depth, whatever the blocking [core.7].
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_KERNEL_H
#define TESSERA_BACKEND_CPU_CONTRACTION_KERNEL_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

using schedule::minChunkWork;

/// The chunks that a large product is divided into: several per thread.
inline constexpr int64_t wantedChunks = 8;

/// Emits the whole product in place.
void emitKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);

/// The same without the outer axes: one of many products. With `isParallel`, it is divided among
/// threads.
void emitInnerKernel(KernelBuilder &b, const Product &product,
                     const schedule::Contraction &schedule, bool isParallel);

/// Whether the sizes are unknown and the product is small, with operands read in place.
bool isOpen(const Product &product, const schedule::Contraction &schedule);
void emitOpenKernel(KernelBuilder &b, const Product &product,
                    const schedule::Contraction &schedule);

/// Emits the whole product of operands in tile order.
void emitPrepackedKernel(KernelBuilder &b, const Product &product,
                         const schedule::Contraction &schedule);

/// Emits the whole product, with all depth loops inside a tile.
void emitDirectKernel(KernelBuilder &b, const Product &product,
                      const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
