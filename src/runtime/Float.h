/// The narrow floating-point formats. Values are passed as double, which represents each of them
/// exactly.
#ifndef TESSERA_RUNTIME_FLOAT_H
#define TESSERA_RUNTIME_FLOAT_H

#include "tessera/runtime.h"

namespace tessera::runtime {

/// The value of a float16, bfloat16, float32 or float64 in memory.
double loadFloat(tessera_dtype dtype, const void *element);

/// Rounds to nearest even, to infinity beyond the largest number, and stores.
void storeFloat(tessera_dtype dtype, double value, void *element);

/// float16 and bfloat16 as C++ types, for code that is written once for all element types.
template <uint8_t code> struct NarrowFloat {
  static constexpr tessera_dtype dtype{code, 16, 1};

  NarrowFloat() = default;
  NarrowFloat(double value) { storeFloat(dtype, value, &bits); }
  operator double() const { return loadFloat(dtype, &bits); }

  uint16_t bits = 0;
};
using Half = NarrowFloat<TESSERA_FLOAT>;
using BFloat16 = NarrowFloat<TESSERA_BFLOAT>;

} // namespace tessera::runtime

#endif
