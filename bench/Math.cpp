/// Mathematical functions over 2^20 numbers, against the vector functions of the C library.
#include "Buffer.h"
#include "Measure.h"

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

#define BENCH_FUNCTION(name, low, high)                                                            \
  extern "C" void peer_##name##_32(const float *x, float *y, int64_t count);                       \
  extern "C" void peer_##name##_64(const double *x, double *y, int64_t count);
#include "Functions.def"

static constexpr int64_t count = 1 << 20;

template <typename Float> struct Function {
  StringRef name; ///< In math.tc.
  double low, high;
  void (*peer)(const Float *, Float *, int64_t);
};

/// The goals: a tenth faster in 32 bits, as fast in 64.
template <typename Float>
static std::vector<Row> run(StringRef name, const Function<Float> &function) {
  BufferOf<Float> x(count), y(count);
  x.fill(function.low, function.high, 1);
  Call ours("math.tc", function.name);
  ours.with(ArrayRef<Float>(x), {count});
  Sample peer = timed([&] { function.peer(x.data(), y.data(), count); });
  double goal = sizeof(Float) == 4 ? 1.1 : 1.0;
  Row row{.name = name.str(), .size = "2^20", .bytes = 2.0 * count * sizeof(Float)};
  std::vector<float> converted;
  return compare(row, ours, {{"libmvec", goal, peer, [&] {
                                converted.assign(y.data(), y.data() + count);
                                return ArrayRef<float>(converted);
                              }}});
}

static constexpr Benchmark table[] = {
#define BENCH_FUNCTION(name, low, high)                                                            \
  {#name "-f32",                                                                                   \
   [](StringRef row) { return run<float>(row, {#name "32", low, high, peer_##name##_32}); }},      \
      {#name "-f64",                                                                               \
       [](StringRef row) { return run<double>(row, {#name "64", low, high, peer_##name##_64}); }},
#include "Functions.def"
};
const ArrayRef<Benchmark> tessera::bench::mathBenchmarks = table;
