/// Programs of scalars, elements and slices.
#include "Buffer.h"
#include "Measure.h"
#include "Process.h"
#include "peers.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr double goalOfC = 0.95;

static std::vector<Row> runSieve(StringRef name) {
  constexpr int32_t limit = 20000000;
  Buffer marks(limit); // As wide as an int.
  float count = 0;
  auto *composite = reinterpret_cast<int32_t *>(marks.data());
  Call ours("sieve.ttl", "primes");
  ours.with(limit);
  Sample peer = timed([&] { count = peer_primes(composite, limit); });
  return compare({name.str(), "2e7"}, ours,
                 {{"C", goalOfC, peer, [&] { return ArrayRef(count); }}});
}

static std::vector<Row> runFib(StringRef name) {
  float number = 0;
  Call ours("fib.ttl", "fib");
  ours.with(40);
  Sample peer = timed([&] { number = peer_fib(40); });
  return compare({name.str(), "40"}, ours,
                 {{"C", goalOfC, peer, [&] { return ArrayRef(number); }}});
}

namespace {

/// The initial plate of all heat programs, and the C loop.
struct Plate {
  static constexpr int64_t n = 2048;
  static constexpr int32_t steps = 20;
  Buffer start{n * n}, u{n * n}, v{n * n};
  const float *last = nullptr;

  Plate() { start.fill(0, 100, 1); }
  void addTo(Call &call) { call.with(start, {n, n}).with(steps); }
  Peer inC(double goal) {
    return {"C", goal,
            timed([this] { last = peer_heat(start.data(), u.data(), v.data(), n, steps); }),
            [this] { return ArrayRef(last, n * n); }};
  }
};

/// NumPy in a separate process, which times itself.
class NumpyPlate {
public:
  explicit NumpyPlate(Plate &plate) {
    StringRef bytes(reinterpret_cast<char *>(plate.start.data()),
                    sizeof(float) * Plate::n * Plate::n);
    if (FILE *file = fopen(path().c_str(), "w")) {
      fwrite(bytes.data(), 1, bytes.size(), file);
      fclose(file);
    }
  }
  Peer peer(double goal) {
    return {"NumPy", goal, [this] { return strtod(server.ask("run").c_str(), nullptr); },
            [this] { return result(); }};
  }

private:
  std::string path() { return scratch.path() + "/plate"; }
  ArrayRef<float> result() {
    server.ask("save");
    auto file =
        llvm::MemoryBuffer::getFile(path(), /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!file)
      return {};
    contents = std::move(*file);
    return {reinterpret_cast<const float *>(contents->getBufferStart()),
            contents->getBufferSize() / sizeof(float)};
  }

  ScratchFolder scratch;
  std::unique_ptr<llvm::MemoryBuffer> contents;
  Server server{{"/usr/bin/python3", BENCH_FOLDER "/heat_numpy.py", path(),
                 std::to_string(Plate::n), std::to_string(Plate::steps)}};
};

} // namespace

static std::vector<Row> runHeatElements(StringRef name) {
  Plate plate;
  Call ours("heat-elements.ttl", "heat");
  plate.addTo(ours);
  return compare({name.str(), "2048^2 x 20"}, ours, {plate.inC(goalOfC)});
}

static std::vector<Row> runHeatSlices(StringRef name) {
  Plate plate;
  NumpyPlate numpy(plate);
  Call ours("heat-slices.ttl", "heat");
  plate.addTo(ours);
  return compare({name.str(), "2048^2 x 20"}, ours, {numpy.peer(5), plate.inC(0.8)});
}

static constexpr Benchmark table[] = {{"sieve", runSieve},
                                      {"fib", runFib},
                                      {"heat-elements", runHeatElements},
                                      {"heat-slices", runHeatSlices}};
const ArrayRef<Benchmark> tessera::bench::loopBenchmarks = table;
