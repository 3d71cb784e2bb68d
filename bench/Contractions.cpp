/// Sums of products other than one matrix product: transposed, in batches, in chains.
#include "Blas.h"
#include "Buffer.h"
#include "Measure.h"
#include "llvm/Support/FormatVariadic.h"
#include <libxsmm.h>

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

/// What one product takes, and what all do.
struct Sizes {
  int64_t m, n, k, batch = 1;

  double flops() const { return 2.0 * m * n * k * batch; }
  std::string text() const {
    std::string one = llvm::formatv("{0}x{1}x{2}", m, n, k);
    return batch == 1 ? one : llvm::formatv("{0} x {1}", batch, one).str();
  }
};

static Row rowOf(StringRef name, const Sizes &sizes, int threads = 1) {
  return {.name = name.str(), .size = sizes.text(), .threads = threads, .flops = sizes.flops()};
}

/// On as many threads as the row says.
static Sample timedBlas(const Row &row, std::function<void()> work) {
  setBlasThreads(row.threads);
  return timed(std::move(work), row.threads);
}

template <typename T>
static std::vector<Row> runMatmul(Row row, StringRef function, const Sizes &sizes, double goal) {
  auto [m, n, k, batch] = sizes;
  bool isTransposed = function == "tmm";
  BufferOf<T> a(m * k), b(k * n), out(m * n);
  a.fill(-1, 1, 1), b.fill(-1, 1, 2);
  Call ours("contractions.tc", function);
  ours.with(ArrayRef<T>(a), {m, k});
  ours.with(ArrayRef<T>(b), isTransposed ? ArrayRef<int64_t>{n, k} : ArrayRef<int64_t>{k, n});
  Sample peer = timedBlas(row, [&, m = m, n = n, k = k] {
    run(Gemm<T>{m, n, k, a.data(), b.data(), out.data(), isTransposed});
  });
  std::vector<float> converted;
  return compare(row, ours, {{"OpenBLAS", goal, peer, [&] {
                                converted.assign(out.data(), out.data() + sizes.m * sizes.n);
                                return ArrayRef<float>(converted);
                              }}});
}

template <int n> static std::vector<Row> runSquare(StringRef name) {
  return runMatmul<float>(rowOf(name, {n, n, n}), "matmul", {n, n, n}, 0.85);
}
template <int n> static std::vector<Row> runSquare2(StringRef name) {
  return runMatmul<float>(rowOf(name, {n, n, n}, 2), "matmul", {n, n, n}, 0.85);
}
template <int n> static std::vector<Row> runDoubles(StringRef name) {
  return runMatmul<double>(rowOf(name, {n, n, n}), "dmatmul", {n, n, n}, 0.9);
}
template <int m, int n, int k> static std::vector<Row> runTransposed(StringRef name) {
  return runMatmul<float>(rowOf(name, {m, n, k}), "tmm", {m, n, k}, 0.95);
}

/// libxsmm is told of the rows as columns, and of both operands in the other order.
static std::vector<Row> runBatch(StringRef name, const Sizes &sizes) {
  auto [m, n, k, batch] = sizes;
  Buffer a(batch * m * k), b(batch * k * n), out(batch * m * n), other(batch * m * n);
  a.fill(-1, 1, 1), b.fill(-1, 1, 2);
  Call ours("contractions.tc", "tbmm");
  ours.with(ArrayRef<float>(a), {batch, m, k}).with(ArrayRef<float>(b), {batch, k, n});
  Row row = rowOf(name, sizes);
  Sample blas = timedBlas(row, [&] {
    for (int64_t i = 0; i < sizes.batch; ++i)
      run(Gemm<float>{sizes.m, sizes.n, sizes.k, a.data() + i * sizes.m * sizes.k,
                      b.data() + i * sizes.k * sizes.n, out.data() + i * sizes.m * sizes.n});
  });
  float one = 1, zero = 0;
  libxsmm_smmfunction kernel =
      libxsmm_smmdispatch(n, m, k, nullptr, nullptr, nullptr, &one, &zero, nullptr, nullptr);
  Sample xsmm = timed([&] {
    for (int64_t i = 0; i < sizes.batch; ++i)
      kernel(b.data() + i * sizes.k * sizes.n, a.data() + i * sizes.m * sizes.k,
             other.data() + i * sizes.m * sizes.n);
  });
  return compare(row, ours,
                 {{"libxsmm", 1, xsmm, [&] { return ArrayRef<float>(other); }},
                  {"OpenBLAS", 1, blas, [&] { return ArrayRef<float>(out); }}});
}

template <int n, int batch> static std::vector<Row> runSmall(StringRef name) {
  return runBatch(name, {n, n, n, batch});
}
static std::vector<Row> runPapersBatch(StringRef name) {
  return runBatch(name, {26, 26, 72, 500});
}

/// The last axis by one product, the others by one for each of what stands before them.
static std::vector<Row> runKronecker(StringRef name) {
  constexpr int64_t m = 256, d = 16, n = 32;
  Buffer w0(d * n), w1(d * n), w2(d * n), x(m * n * n * n);
  Buffer xw2(m * n * n * d), xw1(m * n * d * d), y(m * d * d * d);
  w0.fill(-1, 1, 1), w1.fill(-1, 1, 2), w2.fill(-1, 1, 3), x.fill(-1, 1, 4);
  Call ours("contractions.tc", "kronecker3");
  for (Buffer *w : {&w0, &w1, &w2})
    ours.with(ArrayRef<float>(*w), {d, n});
  ours.with(ArrayRef<float>(x), {m, n, n, n});
  Row row{.name = name.str(), .size = "256, 16^3, 32^3"};
  row.flops = 2.0 * m * (n * n * n * d + n * n * d * d + n * d * d * d);
  Sample peer = timedBlas(row, [&] {
    run(Gemm<float>{m * n * n, d, n, x.data(), w2.data(), xw2.data(), true});
    for (int64_t i = 0; i < m * n; ++i)
      run(Gemm<float>{d, d, n, w1.data(), xw2.data() + i * n * d, xw1.data() + i * d * d});
    for (int64_t i = 0; i < m; ++i)
      run(Gemm<float>{d, d * d, n, w0.data(), xw1.data() + i * n * d * d,
                      y.data() + i * d * d * d});
  });
  return compare(row, ours, {{"OpenBLAS", 1.2, peer, [&] { return ArrayRef<float>(y); }}});
}

namespace {

/// A layer as a user would write it: a product, then one pass over its result.
struct Layer {
  int64_t batch, in, out;
  Buffer weights{size_t(in * out)}, bias{size_t(out)}, result{size_t(batch * out)};

  Layer(int64_t batch, int64_t in, int64_t out) : batch(batch), in(in), out(out) {
    weights.fill(-1, 1, in), bias.fill(-1, 1, out);
  }
  void operator()(const float *input) {
    run(Gemm<float>{batch, out, in, input, weights.data(), result.data(), true});
    for (int64_t i = 0; i < batch; ++i)
      for (int64_t j = 0; j < out; ++j) {
        float sum = result.data()[i * out + j] + bias.data()[j];
        result.data()[i * out + j] = sum > 0 ? sum : 0;
      }
  }
  double flops() const { return 2.0 * batch * in * out; }
};

} // namespace

static std::vector<Row> runMlp1(StringRef name) {
  constexpr int64_t batch = 128, in = 2000, out = 128;
  Buffer input(batch * in);
  input.fill(-1, 1, 1);
  Layer layer(batch, in, out);
  Call ours("contractions.tc", "mlp1");
  ours.with(ArrayRef<float>(input), {batch, in});
  ours.with(ArrayRef<float>(layer.weights), {out, in}).with(ArrayRef<float>(layer.bias), {out});
  Row row{.name = name.str(), .size = "128x2000x128", .flops = layer.flops()};
  Sample peer = timedBlas(row, [&] { layer(input.data()); });
  return compare(row, ours,
                 {{"OpenBLAS", 1.05, peer, [&] { return ArrayRef<float>(layer.result); }}});
}

static std::vector<Row> runMlp3(StringRef name) {
  constexpr int64_t batch = 128, sizes[] = {128, 64, 32, 2};
  Buffer input(batch * sizes[0]);
  input.fill(-1, 1, 1);
  Layer first(batch, 128, 64), second(batch, 64, 32), third(batch, 32, 2);
  Call ours("contractions.tc", "mlp3");
  ours.with(ArrayRef<float>(input), {batch, sizes[0]});
  for (Layer *layer : {&first, &second, &third})
    ours.with(ArrayRef<float>(layer->weights), {layer->out, layer->in})
        .with(ArrayRef<float>(layer->bias), {layer->out});
  Row row{.name = name.str(),
          .size = "128-128-64-32-2",
          .flops = first.flops() + second.flops() + third.flops()};
  Sample peer = timedBlas(row, [&] {
    first(input.data());
    second(first.result.data());
    third(second.result.data());
  });
  return compare(row, ours,
                 {{"OpenBLAS", 1.2, peer, [&] { return ArrayRef<float>(third.result); }}});
}

static constexpr Benchmark table[] = {
    {"tc-matmul-64", runSquare<64>},
    {"tc-matmul-128", runSquare<128>},
    {"tc-matmul-256", runSquare<256>},
    {"tc-matmul-512", runSquare<512>},
    {"tc-matmul-1024", runSquare<1024>},
    {"tc-matmul-2048", runSquare<2048>},
    {"tc-matmul-512-2", runSquare2<512>},
    {"tc-matmul-2048-2", runSquare2<2048>},
    {"f64-matmul-64", runDoubles<64>},
    {"f64-matmul-256", runDoubles<256>},
    {"f64-matmul-1024", runDoubles<1024>},
    {"f64-matmul-2048", runDoubles<2048>},
    {"tmm-small", runTransposed<128, 256, 32>},
    {"tmm-medium", runTransposed<128, 1024, 1024>},
    {"tmm-large", runTransposed<128, 16384, 4096>},
    {"c3", runTransposed<128, 1000, 1024>},
    {"tbmm", runPapersBatch},
    {"tbmm-4", runSmall<4, 10000>},
    {"tbmm-8", runSmall<8, 4000>},
    {"tbmm-16", runSmall<16, 1000>},
    {"tbmm-32", runSmall<32, 250>},
    {"kronecker3", runKronecker},
    {"mlp1", runMlp1},
    {"mlp3", runMlp3},
};
const ArrayRef<Benchmark> tessera::bench::contractionBenchmarks = table;
