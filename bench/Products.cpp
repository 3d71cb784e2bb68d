/// Matrix products, small and large.
#include "Buffer.h"
#include "Measure.h"
#include "peers.h"
#include <dlfcn.h>

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

static std::vector<Row> runRecurrence(StringRef name) {
  constexpr int32_t steps = 10000000;
  Buffer p(16), a(16), b(16), out(16), eigenOut(16);
  p.fill(-1, 1, 1), a.fill(-0.3, 0.3, 2), b.fill(-1, 1, 3); // Shrinks, so that sums stay finite.
  Call ours("recurrence.ttl", "run");
  ours.with(p, {4, 4}).with(a, {4, 4}).with(b, {4, 4}).with(steps);
  Sample inC = timed([&] { peer_recurrence(p.data(), a.data(), b.data(), out.data(), steps); });
  Sample inEigen =
      timed([&] { peer_recurrence_eigen(p.data(), a.data(), b.data(), eigenOut.data(), steps); });
  Row row{.name = name.str(), .size = "4x4, 1e7 steps", .flops = (2.0 * 64 + 16) * steps};
  return compare(row, ours,
                 {{"Eigen", 0.9, inEigen, [&] { return ArrayRef<float>(eigenOut); }},
                  {"C", 0.9, inC, [&] { return ArrayRef<float>(out); }}});
}

/// cblas_sgemm for row-major matrices without transposition (orders 101 and 111).
using Sgemm = void (*)(int, int, int, int, int, int, float, const float *, int, const float *, int,
                       float, float *, int);

/// Loaded late: OpenBLAS chooses its kernels when it is loaded, and takes the slowest for a CPU
/// whose model it does not know, unless it is told.
static Sgemm loadSgemm() {
  setenv("OPENBLAS_CORETYPE", "Cooperlake", /*overwrite=*/0);
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  return library ? reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm")) : nullptr;
}

static std::vector<Row> runMatmul(StringRef name, int n) {
  Buffer a(n * n), b(n * n), out(n * n);
  a.fill(-1, 1, 1), b.fill(-1, 1, 2);
  Row row{.name = name.str(), .size = std::to_string(n) + "^3", .flops = 2.0 * n * n * n};
  Call ours("matmul.ttl", "multiply");
  ours.with(a, {n, n}).with(b, {n, n});
  static Sgemm sgemm = loadSgemm();
  if (!sgemm) {
    row.failure = "libopenblas.so.0 cannot be loaded";
    return {row};
  }
  Sample peer =
      timed([&] { sgemm(101, 111, 111, n, n, n, 1, a.data(), n, b.data(), n, 0, out.data(), n); });
  return compare(row, ours, {{"OpenBLAS", 0.85, peer, [&] { return ArrayRef<float>(out); }}});
}

template <int n> static std::vector<Row> runMatmulOf(StringRef name) {
  return runMatmul(name, n);
}

static constexpr Benchmark table[] = {
    {"recurrence", runRecurrence},      {"matmul-64", runMatmulOf<64>},
    {"matmul-96", runMatmulOf<96>},     {"matmul-128", runMatmulOf<128>},
    {"matmul-192", runMatmulOf<192>},   {"matmul-256", runMatmulOf<256>},
    {"matmul-384", runMatmulOf<384>},   {"matmul-512", runMatmulOf<512>},
    {"matmul-768", runMatmulOf<768>},   {"matmul-1024", runMatmulOf<1024>},
    {"matmul-1536", runMatmulOf<1536>}, {"matmul-2048", runMatmulOf<2048>}};
const ArrayRef<Benchmark> tessera::bench::productBenchmarks = table;
