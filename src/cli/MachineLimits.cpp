#include "cli/MachineLimits.h"
#include "cli/Compilation.h"
#include "cli/Machine.h"
#include "runtime/Cpu.h"
#include "runtime/Generated.h"
#include <cstring>

using namespace tessera;
using namespace tessera::cli;

namespace {

/// Enough chains to hide the latency of an fma on every x86-64 so far, and few enough for 16
/// registers.
constexpr int numChains = 12;
constexpr int64_t stepsPerTask = 20'000, tasksPerThread = 16;

/// The chains start differently and converge, so that nothing can be precomputed and no number
/// becomes subnormal, which would be slow.
template <typename Vector, typename Element>
[[gnu::always_inline]] inline Element runChains(Element start) {
  Vector factor = Vector{} + start;
  Vector chains[numChains];
  for (int i = 0; i < numChains; ++i)
    chains[i] = factor * Element(i);
  Vector addend = factor + Element(0.25);
  for (int64_t step = 0; step < stepsPerTask; ++step)
    for (Vector &chain : chains)
      chain = __builtin_elementwise_fma(chain, factor, addend);
  Vector sum = chains[0];
  for (int i = 1; i < numChains; ++i)
    sum += chains[i];
  return sum[0];
}

template <typename Element, int bytes> using VectorOf = Element __attribute__((vector_size(bytes)));
volatile float half = 0.5f, sink;

template <typename Element>
[[gnu::target("avx2,fma")]] void chains32(void *, int64_t lo, int64_t hi) {
  for (; lo < hi; ++lo)
    sink = runChains<VectorOf<Element, 32>>(Element(half));
}
template <typename Element>
[[gnu::target("avx512f")]] void chains64(void *, int64_t lo, int64_t hi) {
  for (; lo < hi; ++lo)
    sink = runChains<VectorOf<Element, 64>>(Element(half));
}
/// Without fma, two instructions are needed.
template <typename Element> void chains16(void *, int64_t lo, int64_t hi) {
  using Vector = VectorOf<Element, 16>;
  Vector factor = Vector{} + Element(half), chains[numChains] = {};
  for (; lo < hi; ++lo)
    for (int64_t step = 0; step < stepsPerTask; ++step)
      for (Vector &chain : chains)
        chain = chain * factor + factor;
  for (const Vector &chain : chains)
    sink = chain[0];
}

struct FmaKernel {
  void (*run)(void *, int64_t, int64_t);
  int bytes;
};
template <typename Element> FmaKernel fmaKernel() {
  llvm::StringRef level = runtime::cpuLevel(runtime::detectCpu());
  if (level == "x86-64-v4")
    return {chains64<Element>, 64};
  return level == "x86-64-v3" ? FmaKernel{chains32<Element>, 32} : FmaKernel{chains16<Element>, 16};
}

/// The shortest of several runs, in seconds: noise only adds time.
template <typename Work> double shortest(int numRuns, Work work) {
  double best = 1e9;
  for (int run = 0; run < numRuns; ++run) {
    double begin = now();
    work();
    best = std::min(best, now() - begin);
  }
  return best;
}

template <typename Element> double measureFlops() {
  FmaKernel kernel = fmaKernel<Element>();
  int64_t numTasks = tasksPerThread * tessera_num_threads();
  double seconds =
      shortest(6, [&] { tessera_rt_parallel_for(kernel.run, nullptr, numTasks, /*grain=*/1); });
  double width = double(kernel.bytes) / sizeof(Element);
  return 2.0 * width * numChains * stepsPerTask * numTasks / seconds;
}

/// Two arrays that no cache holds together.
struct Arrays {
  char *from, *to;
  int64_t numBlocks;
};
constexpr int64_t blockBytes = 1 << 20;

void readBlocks(void *context, int64_t lo, int64_t hi) {
  auto &arrays = *static_cast<Arrays *>(context);
  auto *words = reinterpret_cast<const uint64_t *>(arrays.from + lo * blockBytes);
  uint64_t sums[8] = {};
  for (int64_t i = 0; i < (hi - lo) * blockBytes / 8; i += 8)
    for (int lane = 0; lane < 8; ++lane)
      sums[lane] += words[i + lane];
  for (uint64_t sum : sums)
    sink = sum;
}
void copyBlocks(void *context, int64_t lo, int64_t hi) {
  auto &arrays = *static_cast<Arrays *>(context);
  memcpy(arrays.to + lo * blockBytes, arrays.from + lo * blockBytes, (hi - lo) * blockBytes);
}
void touchBlocks(void *context, int64_t lo, int64_t hi) {
  auto &arrays = *static_cast<Arrays *>(context);
  memset(arrays.from + lo * blockBytes, 1, (hi - lo) * blockBytes);
  memset(arrays.to + lo * blockBytes, 1, (hi - lo) * blockBytes);
}

int64_t arrayBlocks() {
  uint64_t largest = 0;
  for (const CpuCache &cache : describeMachine().caches)
    largest = std::max(largest, cache.bytes);
  return std::clamp<uint64_t>(2 * largest / blockBytes, 64, 192);
}

void measureMemory(MachineLimits &limits) {
  int64_t numBlocks = arrayBlocks();
  std::vector<std::unique_ptr<char[]>> owned;
  for (int i = 0; i < 2; ++i)
    owned.emplace_back(new char[numBlocks * blockBytes]);
  Arrays arrays{owned[0].get(), owned[1].get(), numBlocks};
  auto overAll = [&](auto *body) {
    return [=, &arrays] { tessera_rt_parallel_for(body, &arrays, arrays.numBlocks, 1); };
  };
  overAll(touchBlocks)();
  double bytes = double(numBlocks) * blockBytes;
  limits.bytesRead = bytes / shortest(4, overAll(readBlocks));
  limits.bytesCopied = 2 * bytes / shortest(4, overAll(copyBlocks));
}

} // namespace

MachineLimits tessera::cli::measureLimits() {
  MachineLimits limits;
  limits.flops = measureFlops<float>();
  limits.wideFlops = measureFlops<double>();
  measureMemory(limits);
  return limits;
}
