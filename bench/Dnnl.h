/// oneDNN's primitives for rows, on one thread.
#ifndef TESSERA_BENCH_DNNL_H
#define TESSERA_BENCH_DNNL_H

#include <cstdint>
#include <functional>

namespace tessera::bench {

/// Memory must outlive what is returned.
std::function<void()> dnnlSoftmax(float *x, float *o, int64_t rows, int64_t columns);

struct LayerNormArguments {
  float *x, *scale, *shift, *o;
  int64_t rows, columns;
};
std::function<void()> dnnlLayerNorm(const LayerNormArguments &arguments);

} // namespace tessera::bench

#endif
