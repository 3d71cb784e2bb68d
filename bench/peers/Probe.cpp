/// What the machine can do: the minimum seconds for a kernel's arithmetic, or for its memory.
#include "Serve.h"
#include <cstring>
#include <ctime>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tessera::bench;

namespace {

// Enough chains to hide the latency of a fused multiply-add, and few enough for the registers.
#ifdef __AVX512F__
constexpr int vectorBytes = 64, numChains = 16;
#else
constexpr int vectorBytes = 32, numChains = 12;
#endif
using Lanes = float __attribute__((vector_size(vectorBytes)));
using WideLanes = double __attribute__((vector_size(vectorBytes)));
constexpr int64_t fmaSteps = 500000, tileSteps = 100000;
volatile float sink;

template <typename Vector> void multiplyAndAdd() {
#pragma clang fp contract(fast)
  Vector chains[numChains] = {}, factor = Vector{} + 0.5f + sink * 0, term = Vector{} + 1.0f;
  for (int64_t i = 0; i < fmaSteps; ++i)
    for (Vector &chain : chains)
      chain = chain * factor + term;
  Vector sum = {};
  for (Vector &chain : chains)
    sum += chain;
  sink = sum[0] * 0;
}

double now(int threads) {
  timespec time;
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

double secondsOf(int threads, const std::function<void()> &work) {
  double begin = now(threads);
  work();
  return now(threads) - begin;
}

template <typename Vector> Answer arithmetic(Request &r) {
  double flops = 2.0 * sizeof(Vector) / sizeof(Vector{}[0]) * numChains * fmaSteps * r.threads;
  return {.timed = [&r, share = r.shape.flops / flops] {
    return share * secondsOf(r.threads,
                             [&] { inParallel(r.threads, [](int) { multiplyAndAdd<Vector>(); }); });
  }};
}

/// Four tiles of sums, as many as can be busy at the same time, and four of operands.
__attribute__((target("amx-tile,amx-bf16"))) void multiplyTiles() {
  struct {
    uint8_t palette = 1, start = 0, reserved[14] = {};
    uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
  } configuration;
  _tile_loadconfig(&configuration);
  _tile_zero(0), _tile_zero(1), _tile_zero(2), _tile_zero(3);
  _tile_zero(4), _tile_zero(5), _tile_zero(6), _tile_zero(7);
  for (int64_t i = 0; i < tileSteps; ++i) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
}

/// Tile registers are large: Linux saves them only for processes that request it.
bool mayUseTiles() {
  constexpr long requestPermission = 0x1023, tileData = 18;
  return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
}

Answer tiles(Request &r) {
  if (!mayUseTiles())
    return {.failure = "tile registers (AMX) cannot be used"};
  constexpr double flopsOfStep = 4 * 2.0 * 16 * 16 * 32;
  return {.timed = [&r, share = r.shape.flops / (flopsOfStep * tileSteps * r.threads)] {
    return share *
           secondsOf(r.threads, [&] { inParallel(r.threads, [](int) { multiplyTiles(); }); });
  }};
}

/// More than the caches hold.
constexpr int64_t memoryBytes = 256 << 20;

void readAll(const char *from, int64_t count) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < count; i += sizeof bits) {
    uint64_t word;
    memcpy(&word, from + i, sizeof word);
    bits |= word;
  }
  sink = bits == 1;
}

/// The sum of two arrays, written with non-temporal stores as by memcpy.
void addAll(const char *from, const char *other, char *to, int64_t count) {
  for (int64_t i = 0; i < count; i += sizeof(WideLanes)) {
    WideLanes a, b;
    memcpy(&a, from + i, sizeof a);
    memcpy(&b, other + i, sizeof b);
    __builtin_nontemporal_store(a + b, reinterpret_cast<WideLanes *>(to + i));
  }
}

/// An array that is updated in place from no, one or two other arrays.
template <int numOthers>
void updateAll(char *at, const char *from, const char *other, int64_t count) {
  for (int64_t i = 0; i < count; i += sizeof(WideLanes)) {
    WideLanes lanes, a = {}, b = {};
    memcpy(&lanes, at + i, sizeof lanes);
    if (numOthers > 0)
      memcpy(&a, from + i, sizeof a);
    if (numOthers > 1)
      memcpy(&b, other + i, sizeof b);
    lanes = lanes + lanes + a + b;
    memcpy(at + i, &lanes, sizeof lanes);
  }
}

/// Aligned for non-temporal stores.
char *block() {
  auto *memory = static_cast<char *>(allocate(memoryBytes + sizeof(WideLanes)));
  return memory + -reinterpret_cast<uintptr_t>(memory) % sizeof(WideLanes);
}

/// What is done with the arrays, their number, and how many are read and written.
struct Traffic {
  std::string_view variant;
  int numArrays, numPasses;
};
constexpr Traffic traffics[] = {{"read", 1, 1},   {"copy", 2, 2},    {"triad", 3, 3},
                                {"update", 1, 2}, {"update1", 2, 3}, {"update2", 3, 4}};

void pass(std::string_view variant, char *const *arrays, int64_t begin, int64_t end) {
  char *x = arrays[0] + begin, *y = arrays[1] + begin, *z = arrays[2] + begin;
  int64_t count = end - begin;
  if (variant == "read")
    readAll(x, count);
  else if (variant == "copy")
    memcpy(y, x, count);
  else if (variant == "triad")
    addAll(x, y, z, count);
  else if (variant == "update")
    updateAll<0>(x, nullptr, nullptr, count);
  else if (variant == "update1")
    updateAll<1>(x, y, nullptr, count);
  else
    updateAll<2>(x, y, z, count);
}

Answer memory(Request &r) {
  for (const Traffic &traffic : traffics) {
    if (traffic.variant != r.variant)
      continue;
    static char *arrays[3];
    for (int i = 0; i < 3; ++i)
      arrays[i] = i < traffic.numArrays ? block() : arrays[0];
    double share = r.shape.bytes / (double(memoryBytes) * traffic.numPasses);
    return {.timed = [share, variant = traffic.variant, &r] {
      return share * secondsOf(r.threads, [&] {
               inRanges(memoryBytes, r.threads,
                        [&](int64_t begin, int64_t end) { pass(variant, arrays, begin, end); });
             });
    }};
  }
  return {.failure = "no such probe"};
}

Answer prepare(Request &r) {
  if (r.variant == "tile")
    return tiles(r);
  if (r.variant != "fma")
    return memory(r);
  bool isWide = r.shape.inputs[0].element == Element::F64;
  return isWide ? arithmetic<WideLanes>(r) : arithmetic<Lanes>(r);
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {[](Family) { return true; }, prepare, /*needsOperands=*/false});
}
