/// oneDNN, as a peer.
#ifndef TESSERA_BENCH_DNN_H
#define TESSERA_BENCH_DNN_H

#include <cstdint>
#include <functional>
#include <memory>

namespace tessera::bench {

/// A convolution without padding; channels are those of one group.
struct Convolution {
  int64_t batch, groups, in, out;
  int64_t size;   ///< Of the result, in both directions.
  int64_t kernel; ///< Likewise.
  int64_t stride = 1;

  int64_t inputSize() const { return (size - 1) * stride + kernel; }
  int64_t numInputs() const { return batch * groups * in * inputSize() * inputSize(); }
  int64_t numWeights() const { return groups * out * in * kernel * kernel; }
  int64_t numResults() const { return batch * groups * out * size * size; }
  double flops() const { return 2.0 * numResults() * in * kernel * kernel; }
};

/// One that oneDNN computes, with all in row-major order or each operand in the order that it likes
/// best. On one thread.
class DnnConvolution {
public:
  enum class Layout { Plain, Own };
  /// `bias`: null, or one number a channel; then negative results become 0 as well.
  DnnConvolution(const Convolution &shape, Layout layout, float *input, float *weights,
                 float *bias);
  ~DnnConvolution();

  void run();
  /// In row-major order.
  void copyResult(float *to);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Of rows, on one thread. Memory must outlive what is returned.
std::function<void()> dnnSoftmax(float *x, float *o, int64_t rows, int64_t columns);

struct LayerNormArguments {
  float *x, *scale, *shift, *o;
  int64_t rows, columns;
};
std::function<void()> dnnLayerNorm(const LayerNormArguments &arguments);

} // namespace tessera::bench

#endif
