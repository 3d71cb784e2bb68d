/// Matrix products, small and large.
#include "Blas.h"
#include "Buffer.h"
#include "Measure.h"
#include "peers.h"

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

static std::vector<Row> runMatmul(StringRef name, int n) {
  Buffer a(n * n), b(n * n), out(n * n);
  a.fill(-1, 1, 1), b.fill(-1, 1, 2);
  Row row{.name = name.str(), .size = std::to_string(n) + "^3", .flops = 2.0 * n * n * n};
  Call ours("matmul.ttl", "multiply");
  ours.with(a, {n, n}).with(b, {n, n});
  if (!hasBlas()) {
    row.failure = "libopenblas.so.0 cannot be loaded";
    return {row};
  }
  setBlasThreads(1);
  Sample peer = timed([&] { run(Gemm<float>{n, n, n, a.data(), b.data(), out.data()}); });
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
