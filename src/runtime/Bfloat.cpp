/// Conversions that LLVM calls if the CPU has no instruction for them. They are weak: newer
/// versions of libgcc and compiler-rt define them.
#include "runtime/Float.h"
#include <bit>

using namespace tessera::runtime;

namespace {
constexpr tessera_dtype halfType{TESSERA_FLOAT, 16, 1}, bfloatType{TESSERA_BFLOAT, 16, 1};

/// A number of 16 bits is returned in the low bits of a floating-point register. The type is not
/// __bf16 or _Float16, because a compiler may return these by calling this very function.
float converted(tessera_dtype type, double value) {
  uint32_t bits = 0;
  storeFloat(type, value, &bits);
  return std::bit_cast<float>(bits);
}
} // namespace

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] float __truncdfbf2(double value) {
  return converted(bfloatType, value);
}

[[gnu::weak]] float __truncsfbf2(float value) {
  return converted(bfloatType, value);
}

[[gnu::weak]] float __truncdfhf2(double value) {
  return converted(halfType, value);
}

[[gnu::weak]] float __truncsfhf2(float value) {
  return converted(halfType, value);
}

[[gnu::weak]] float __extendhfsf2(_Float16 value) {
  return loadFloat(halfType, &value);
}
}
#pragma GCC visibility pop
