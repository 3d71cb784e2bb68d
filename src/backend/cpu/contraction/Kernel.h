/// The loops around register tiles. Each element of the result is one chain in ascending depth,
/// whatever the blocking [core.7].
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_KERNEL_H
#define TESSERA_BACKEND_CPU_CONTRACTION_KERNEL_H

#include "backend/cpu/contraction/Product.h"
#include "schedule/Contraction.h"

namespace tessera::cpu {

/// Emits the whole product in place.
void emitKernel(KernelBuilder &b, const Product &product, const schedule::Contraction &schedule);

} // namespace tessera::cpu

#endif
