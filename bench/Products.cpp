/// Products of very small matrices.
#include "Buffer.h"
#include "Measure.h"
#include "peers.h"

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

static std::vector<Row> runRecurrence(StringRef name) {
  constexpr int32_t steps = 10000000;
  Buffer p(16), a(16), b(16), out(16), eigenOut(16);
  p.fill(-1, 1, 1), a.fill(-0.3, 0.3, 2), b.fill(-1, 1, 3); // It shrinks, so that sums stay finite.
  Call ours("recurrence.ttl", "run");
  ours.with(p, {4, 4}).with(a, {4, 4}).with(b, {4, 4}).with(steps);
  Sample inC = timed([&] { peer_recurrence(p.data(), a.data(), b.data(), out.data(), steps); });
  Sample inEigen =
      timed([&] { peer_recurrence_eigen(p.data(), a.data(), b.data(), eigenOut.data(), steps); });
  Row row{.name = name.str(), .size = "4x4, 1e7 steps"};
  return compare(row, ours,
                 {{"Eigen", 0.9, inEigen, [&] { return ArrayRef<float>(eigenOut); }},
                  {"C", 0.9, inC, [&] { return ArrayRef<float>(out); }}});
}

static constexpr Benchmark table[] = {{"recurrence", runRecurrence}};
const ArrayRef<Benchmark> tessera::bench::productBenchmarks = table;
