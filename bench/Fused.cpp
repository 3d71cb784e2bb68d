/// Chains of operations that have rows in common, lookups and permutations, against loops that a
/// user has fused by hand. What is too large for the caches is compared with copying as well.
#include "Blas.h"
#include "Buffer.h"
#include "Dnn.h"
#include "Measure.h"
#include "peers-fused.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::StringRef;

/// In cache fusing has to pay; out of it, nobody is faster than memory.
static constexpr double cachedGoal = 1.2, memoryGoal = 1.0, largeBytes = 64e6;

/// `bytes` is what must be read and written once.
static Row rowOf(StringRef name, std::string size, double bytes) {
  return {.name = name.str(), .size = std::move(size), .bytes = bytes};
}
static double goalOf(const Row &row) {
  return row.bytes > largeBytes ? memoryGoal : cachedGoal;
}

template <int m, int n> static std::vector<Row> runSoftmax(StringRef name) {
  Buffer x(size_t(m) * n), o(size_t(m) * n), other(size_t(m) * n);
  x.fill(-5, 5, 1);
  Call ours("fused.tc", "softmax");
  ours.with(ArrayRef<float>(x), {m, n});
  Row row = rowOf(name, formatv("{0}x{1}", m, n), 8.0 * m * n);
  Sample loop = timed([&] { peer_softmax(x.data(), o.data(), m, n); });
  Sample dnnl = timed(dnnSoftmax(x.data(), other.data(), m, n));
  return compare(row, ours,
                 {{"g++", goalOf(row), loop, [&] { return ArrayRef<float>(o); }},
                  {"oneDNN", goalOf(row), dnnl, [&] { return ArrayRef<float>(other); }}});
}

template <int m, int n> static std::vector<Row> runLayerNorm(StringRef name) {
  Buffer x(size_t(m) * n), scale(n), shift(n), o(size_t(m) * n), other(size_t(m) * n);
  x.fill(-1, 1, 1), scale.fill(0, 1, 2), shift.fill(0, 1, 3);
  Call ours("fused.tc", "layer_norm");
  ours.with(ArrayRef<float>(x), {m, n});
  ours.with(ArrayRef<float>(scale), {n}).with(ArrayRef<float>(shift), {n});
  Row row = rowOf(name, formatv("{0}x{1}", m, n), 8.0 * m * n);
  Sample loop =
      timed([&] { peer_layer_norm(x.data(), scale.data(), shift.data(), o.data(), m, n); });
  Sample dnnl = timed(dnnLayerNorm({x.data(), scale.data(), shift.data(), other.data(), m, n}));
  return compare(row, ours,
                 {{"g++", goalOf(row), loop, [&] { return ArrayRef<float>(o); }},
                  {"oneDNN", goalOf(row), dnnl, [&] { return ArrayRef<float>(other); }}});
}

template <int images, int channels, int side> static std::vector<Row> runGroupNorm(StringRef name) {
  constexpr int groups = 32, perGroup = channels / groups;
  size_t count = size_t(images) * channels * side * side;
  Buffer x(count), scale(channels), shift(channels), o(count);
  x.fill(-1, 1, 1), scale.fill(0, 1, 2), shift.fill(0, 1, 3);
  Call ours("fused.tc", "group_norm");
  ours.with(ArrayRef<float>(x), {images, groups, perGroup, side, side});
  ours.with(ArrayRef<float>(scale), {groups, perGroup});
  ours.with(ArrayRef<float>(shift), {groups, perGroup});
  Row row = rowOf(name, formatv("{0},{1},{2},{3}^2", images, channels, groups, side), 8.0 * count);
  Sample loop = timed([&] {
    peer_group_norm(x.data(), scale.data(), shift.data(), o.data(),
                    {images, groups, perGroup, side * side});
  });
  return compare(row, ours, {{"g++", goalOf(row), loop, [&] { return ArrayRef<float>(o); }}});
}

template <int n, int k> static std::vector<Row> runMoments(StringRef name) {
  Buffer x(size_t(n) * k), mean(n), var(n);
  x.fill(0, 1, 1);
  Call ours("fused.tc", "moments");
  ours.with(ArrayRef<float>(x), {n, k});
  Row row = rowOf(name, formatv("{0}x{1}", n, k), 4.0 * n * k);
  Sample loop = timed([&] { peer_moments(x.data(), mean.data(), var.data(), n, k); });
  return compare(row, ours, {{"g++", goalOf(row), loop, [&] { return ArrayRef<float>(mean); }}});
}

/// Queries of one head: two products of OpenBLAS's with a softmax between them.
static std::vector<Row> runAttention(StringRef name) {
  constexpr int64_t m = 128, n = 1024, d = 64;
  Buffer q(m * d), k(n * d), v(n * d), s(m * n), o(m * d);
  q.fill(-1, 1, 1), k.fill(-1, 1, 2), v.fill(-1, 1, 3);
  Call ours("fused.tc", "attention");
  ours.with(ArrayRef<float>(q), {m, d});
  ours.with(ArrayRef<float>(k), {n, d}).with(ArrayRef<float>(v), {n, d});
  Row row{.name = name.str(), .size = "128x1024x64", .flops = 4.0 * m * n * d};
  setBlasThreads(1);
  Sample peer = timed([&] {
    constexpr int64_t block = 32; // Whose products stay in cache.
    for (int64_t i = 0; i < m; i += block) {
      run(Gemm<float>{block, n, d, q.data() + i * d, k.data(), s.data(), true});
      for (int64_t j = 0; j < block * n; ++j)
        s.data()[j] *= 0.125f; // rsqrt(d)
      peer_softmax(s.data(), s.data(), block, n);
      run(Gemm<float>{block, d, n, s.data(), v.data(), o.data() + i * d});
    }
  });
  return compare(row, ours, {{"OpenBLAS", cachedGoal, peer, [&] { return ArrayRef<float>(o); }}});
}

/// Row numbers without a pattern.
static std::vector<int32_t> chooseRows(size_t count, uint32_t limit, uint32_t state) {
  std::vector<int32_t> rows(count);
  for (int32_t &row : rows) {
    state = state * 1664525u + 1013904223u;
    row = (uint64_t(state) * limit) >> 32;
  }
  return rows;
}

static constexpr int64_t tableRows = 1000000, lookupSums = 128, lookupLength = 50, lookupWidth = 64;

static std::vector<Row> runLookup(StringRef name, int64_t numTables) {
  Buffer first(tableRows * lookupWidth), second(numTables == 2 ? tableRows * lookupWidth : 1);
  Buffer o(lookupSums * lookupWidth), other(lookupSums * lookupWidth);
  first.fill(-1, 1, 1), second.fill(-1, 1, 2);
  auto rows = chooseRows(lookupSums * lookupLength, tableRows, 1);
  auto moreRows = chooseRows(lookupSums * lookupLength, tableRows, 2);
  Call ours("fused.tc", numTables == 2 ? "lut2" : "lut1");
  ours.with(ArrayRef<float>(first), {tableRows, lookupWidth});
  ours.with(ArrayRef<int32_t>(rows), {lookupSums, lookupLength});
  if (numTables == 2) {
    ours.with(ArrayRef<float>(second), {tableRows, lookupWidth});
    ours.with(ArrayRef<int32_t>(moreRows), {lookupSums, lookupLength});
  }
  Row row{.name = name.str(), .size = "128x64x50, 10^6"};
  Sample loop = timed([&] {
    peer_lookup(first.data(), rows.data(), o.data(), lookupSums, lookupLength, lookupWidth);
    if (numTables == 2)
      peer_lookup(second.data(), moreRows.data(), other.data(), lookupSums, lookupLength,
                  lookupWidth);
  });
  return compare(row, ours, {{"g++", 1, loop, [&] { return ArrayRef<float>(o); }}});
}
static std::vector<Row> runLookup1(StringRef name) {
  return runLookup(name, 1);
}
static std::vector<Row> runLookup2(StringRef name) {
  return runLookup(name, 2);
}

template <int m, int n> static std::vector<Row> runTransposed(StringRef name) {
  Buffer x(size_t(m) * n), o(size_t(m) * n);
  x.fill(-1, 1, 1);
  Call ours("fused.tc", "transposed");
  ours.with(ArrayRef<float>(x), {m, n});
  Row row = rowOf(name, formatv("{0}x{1}", m, n), 8.0 * m * n);
  Sample loop = timed([&] { peer_transpose(x.data(), o.data(), m, n); });
  return compare(row, ours, {{"g++", 1, loop, [&] { return ArrayRef<float>(o); }}});
}

static std::vector<Row> runPermuted(StringRef name) {
  constexpr int64_t a = 192, b = 100, c = 256;
  Buffer x(a * b * c), o(a * b * c);
  x.fill(-1, 1, 1);
  Call ours("fused.tc", "permuted");
  ours.with(ArrayRef<float>(x), {a, b, c});
  Row row = rowOf(name, "192x100x256", 8.0 * a * b * c);
  Sample loop = timed([&] { peer_reverse(x.data(), o.data(), a, b, c); });
  return compare(row, ours, {{"g++", 1, loop, [&] { return ArrayRef<float>(o); }}});
}

static std::vector<Row> runKmeans(StringRef name) {
  constexpr int64_t n = 10000, k = 16, d = 32;
  Buffer x(n * d), centers(k * d), means(k * d);
  std::vector<int32_t> labels(n), counts(k);
  x.fill(-1, 1, 1), centers.fill(-1, 1, 2);
  Call ours("fused.tc", "kmeans");
  ours.with(ArrayRef<float>(x), {n, d}).with(ArrayRef<float>(centers), {k, d});
  Row row{.name = name.str(), .size = "10000, 16, 32", .flops = 3.0 * n * k * d};
  Sample loop = timed([&] {
    peer_kmeans(x.data(), centers.data(), means.data(), labels.data(), counts.data(), {n, k, d});
  });
  return compare(row, ours, {{"g++", 1, loop, [&] { return ArrayRef<float>(means); }}});
}

static constexpr Benchmark table[] = {
    {"softmax", runSoftmax<512, 1024>},
    {"softmax-odd", runSoftmax<509, 1021>},
    {"softmax-large", runSoftmax<8192, 4096>},
    {"layer-norm", runLayerNorm<512, 1024>},
    {"layer-norm-large", runLayerNorm<8192, 4096>},
    {"group-norm", runGroupNorm<4, 512, 12>},
    {"group-norm-large", runGroupNorm<32, 512, 48>},
    {"moments", runMoments<128, 2304>},
    {"moments-large", runMoments<1024, 36864>},
    {"attention", runAttention},
    {"lut1", runLookup1},
    {"lut2", runLookup2},
    {"transpose", runTransposed<1024, 1024>},
    {"transpose-large", runTransposed<4096, 4096>},
    {"permute", runPermuted},
    {"kmeans", runKmeans},
};
const ArrayRef<Benchmark> tessera::bench::fusedBenchmarks = table;
