/// The narrow floating-point formats, as values of type double.
#ifndef TESSERA_RUNTIME_FLOAT_H
#define TESSERA_RUNTIME_FLOAT_H

#include "tessera/runtime.h"

namespace tessera::runtime {

/// The value of a float16, bfloat16, float32 or float64 in memory.
double loadFloat(tessera_dtype dtype, const void *element);

/// Rounds to nearest even, beyond the largest number to infinity, and stores.
void storeFloat(tessera_dtype dtype, double value, void *element);

} // namespace tessera::runtime

#endif
