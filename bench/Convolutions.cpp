/// Convolutions, against oneDNN: with everything in row-major order, as ours, and with each operand
/// in the order that it likes best.
#include "Buffer.h"
#include "Dnn.h"
#include "Measure.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera::bench;
using llvm::ArrayRef;
using llvm::StringRef;

static std::string textOf(const Convolution &c) {
  std::string groups = c.groups > 1 ? llvm::formatv("{0}x", c.groups).str() : "";
  std::string stride = c.stride > 1 ? llvm::formatv(" /{0}", c.stride).str() : "";
  return llvm::formatv("{0}, {1}{2}-{3}, {4}^2, {5}x{5}{6}", c.batch, groups, c.in, c.out, c.size,
                       c.kernel, stride);
}

static std::vector<Row> runConvolution(StringRef name, StringRef function, const Convolution &c,
                                       double goal) {
  Buffer input(c.numInputs()), weights(c.numWeights()), bias(c.out), result(c.numResults());
  input.fill(-1, 1, 1), weights.fill(-1, 1, 2), bias.fill(-1, 1, 3);
  int64_t size = c.inputSize(), kernel = c.kernel;
  Call ours("convolutions.tc", function);
  if (c.groups > 1)
    ours.with(ArrayRef<float>(input), {c.batch, c.groups, c.in, size, size})
        .with(ArrayRef<float>(weights), {c.groups, c.out, c.in, kernel, kernel});
  else
    ours.with(ArrayRef<float>(input), {c.batch, c.in, size, size})
        .with(ArrayRef<float>(weights), {c.out, c.in, kernel, kernel});
  bool hasBias = function == "layer";
  if (hasBias)
    ours.with(ArrayRef<float>(bias), {c.out});
  using Layout = DnnConvolution::Layout;
  float *biases = hasBias ? bias.data() : nullptr;
  DnnConvolution plain(c, Layout::Plain, input.data(), weights.data(), biases);
  DnnConvolution own(c, Layout::Own, input.data(), weights.data(), biases);
  auto peer = [&](const char *peerName, DnnConvolution &convolution) {
    return Peer{peerName, goal, timed([&convolution] { convolution.run(); }), [&] {
                  convolution.copyResult(result.data());
                  return ArrayRef<float>(result);
                }};
  };
  Row row{.name = name.str(), .size = textOf(c), .flops = c.flops()};
  return compare(row, ours, {peer("oneDNN", own), peer("oneDNN nchw", plain)});
}

/// The paper's: as many channels come out as go in, and a batch of 32.
template <int channels, int size> static std::vector<Row> runGrouped(StringRef name) {
  return runConvolution(name, "grouped", {32, 32, channels, channels, size - 2, 3}, 1.5);
}

/// ResNet-50's, of one image.
template <int in, int out, int size, int kernel, int stride = 1>
static std::vector<Row> runLayer(StringRef name) {
  StringRef function = stride == 2 ? "strided" : "convolution";
  return runConvolution(name, function, {1, 1, in, out, size, kernel, stride}, 0.8);
}
template <int channels, int size> static std::vector<Row> runFused(StringRef name) {
  return runConvolution(name, "layer", {1, 1, channels, channels, size, 3}, 0.8);
}

static constexpr Benchmark table[] = {
    {"gconv-4", runGrouped<4, 56>},
    {"gconv-8", runGrouped<8, 28>},
    {"gconv-16", runGrouped<16, 14>},
    {"gconv-32", runGrouped<32, 7>},
    {"conv-first", runLayer<3, 64, 112, 7, 2>},
    {"conv3-64", runLayer<64, 64, 56, 3>},
    {"conv3-128", runLayer<128, 128, 28, 3>},
    {"conv3-256", runLayer<256, 256, 14, 3>},
    {"conv3-512", runLayer<512, 512, 7, 3>},
    {"conv3-128-half", runLayer<128, 128, 28, 3, 2>},
    {"conv3-256-half", runLayer<256, 256, 14, 3, 2>},
    {"conv3-512-half", runLayer<512, 512, 7, 3, 2>},
    {"conv3-64-relu", runFused<64, 56>},
    {"conv1-64-256", runLayer<64, 256, 56, 1>},
    {"conv1-256-64", runLayer<256, 64, 56, 1>},
    {"conv1-512-128", runLayer<512, 128, 28, 1>},
    {"conv1-1024-256", runLayer<1024, 256, 14, 1>},
    {"conv1-2048-512", runLayer<2048, 512, 7, 1>},
    {"conv1-256-512-half", runLayer<256, 512, 28, 1, 2>},
};
const ArrayRef<Benchmark> tessera::bench::convolutionBenchmarks = table;
