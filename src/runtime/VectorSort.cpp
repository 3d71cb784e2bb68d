/// Highway includes this file once for each kind of processor.
#include "runtime/VectorSort.h"
#include "runtime/Cpu.h"
#include <cstring>

#if defined(__x86_64__) && !defined(TESSERA_COMPRESSES)
#define TESSERA_COMPRESSES
#include <immintrin.h>
/// Highway uses the instruction that compresses into memory, which takes a hundred cycles on AMD's
/// processors, except for 64 bits.
[[gnu::always_inline, gnu::target("avx512f,popcnt")]] static inline void
storeCompressed(void *to, __mmask16 wanted, __m512i numbers) {
  __mmask16 first = (1u << __builtin_popcount(wanted)) - 1;
  _mm512_mask_storeu_epi32(to, first, _mm512_maskz_compress_epi32(wanted, numbers));
}
#define _mm512_mask_compressstoreu_epi32 storeCompressed
#endif

#define HWY_IS_DEBUG_BUILD 0 // Sanitizers would turn on assertions, which need Highway's library.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/VectorSort.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>
// After the two above.
#include <hwy/contrib/sort/traits-inl.h>
#include <hwy/contrib/sort/traits128-inl.h>
#include <hwy/contrib/sort/vqsort-inl.h>

HWY_BEFORE_NAMESPACE();
namespace tessera::runtime {
namespace HWY_NAMESPACE {

namespace order = hwy::HWY_NAMESPACE::detail;

template <typename T> void sortScalars(T *keys, int64_t count) {
  order::SharedTraits<order::TraitsLane<order::OrderAscending<T>>> traits;
  hwy::HWY_NAMESPACE::Sort(hwy::HWY_NAMESPACE::SortTag<T>(), traits, keys, count,
                           static_cast<T *>(nullptr));
}

void sortNumbered(NumberedKey *keys, int64_t count) {
  order::SharedTraits<order::Traits128<order::OrderAscending128>> traits;
  hwy::HWY_NAMESPACE::Sort(hwy::HWY_NAMESPACE::SortTag<uint64_t>(), traits,
                           reinterpret_cast<uint64_t *>(keys), 2 * count,
                           static_cast<uint64_t *>(nullptr));
}

constexpr VectorSort sorts = {sortScalars<int32_t>, sortScalars<int64_t>, sortNumbered};

} // namespace HWY_NAMESPACE
} // namespace tessera::runtime
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

using namespace tessera::runtime;

/// vqsort may look for pivots in the same places each time.
void hwy::Sorter::Fill24Bytes(const void *, size_t, void *bytes) {
  constexpr uint64_t seeds[] = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93, 0xbf58476d1ce4e5b9};
  memcpy(bytes, seeds, sizeof seeds);
}

const VectorSort &tessera::runtime::vectorSort() {
  const char *level = cpuLevel(detectCpu());
  if (!strcmp(level, "x86-64-v4"))
    return N_AVX3::sorts;
  return strcmp(level, "x86-64-v3") ? HWY_STATIC_DISPATCH(sorts) : N_AVX2::sorts;
}

#endif
