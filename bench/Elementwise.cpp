/// Chains of elementwise operations, which are limited by memory.
#include "Buffer.h"
#include "Measure.h"
#include "peers.h"

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

static std::vector<Row> runChain(Row row) {
  constexpr int64_t n = 4096;
  Buffer a(n * n), b(n * n), c(n * n), out(n * n);
  a.fill(-1, 1, 1), b.fill(-1, 1, 2), c.fill(0, 1, 3);
  row.size = "4096^2";
  Call ours("chain.ttl", "chain");
  ours.with(a, {n, n}).with(b, {n, n}).with(c, {n, n});
  auto chain = [&] {
    peer_chain_threads(a.data(), b.data(), c.data(), out.data(), n * n, row.threads);
  };
  Sample peer = timed(chain, row.threads);
  return compare(row, ours, {{"C", 0.95, peer, [&] { return ArrayRef<float>(out); }}});
}

static std::vector<Row> runChain1(StringRef name) {
  return runChain({.name = name.str(), .threads = 1});
}

static std::vector<Row> runChain2(StringRef name) {
  return runChain({.name = name.str(), .threads = 2});
}

static constexpr Benchmark table[] = {{"chain-1", runChain1}, {"chain-2", runChain2}};
const ArrayRef<Benchmark> tessera::bench::elementwiseBenchmarks = table;
