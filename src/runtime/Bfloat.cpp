/// Conversions that LLVM calls where the CPU has no instruction for them. Weak: newer compilers
/// bring their own in libgcc or compiler-rt, older ones do not.
#include "runtime/Float.h"

using namespace tessera::runtime;

namespace {
constexpr tessera_dtype halfType{TESSERA_FLOAT, 16, 1}, bfloatType{TESSERA_BFLOAT, 16, 1};
}

#pragma GCC visibility push(default)
extern "C" {

[[gnu::weak]] __bf16 __truncdfbf2(double value) {
  __bf16 result;
  storeFloat(bfloatType, value, &result);
  return result;
}

[[gnu::weak]] __bf16 __truncsfbf2(float value) {
  return __truncdfbf2(value);
}

[[gnu::weak]] _Float16 __truncdfhf2(double value) {
  _Float16 result;
  storeFloat(halfType, value, &result);
  return result;
}

[[gnu::weak]] _Float16 __truncsfhf2(float value) {
  return __truncdfhf2(value);
}

[[gnu::weak]] float __extendhfsf2(_Float16 value) {
  return loadFloat(halfType, &value);
}
}
#pragma GCC visibility pop
