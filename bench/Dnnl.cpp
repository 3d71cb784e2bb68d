#include "Dnnl.h"
#include <cstdlib>
#include <dnnl.hpp>
#include <memory>
#include <unordered_map>

using namespace dnnl;
using namespace tessera::bench;

extern "C" void omp_set_num_threads(int threads); // Of the OpenMP that oneDNN is linked with.

namespace {

struct Device {
  engine cpu{engine::kind::cpu, 0};
  stream queue{cpu};
};

/// Where CPUID says nothing of AMX tiles, oneDNN would set them up wrongly.
Device &device() {
  setenv("DNNL_MAX_CPU_ISA", "AVX512_CORE_BF16", 0);
  omp_set_num_threads(1);
  static Device one;
  return one;
}

using Arguments = std::unordered_map<int, memory>;

std::function<void()> callOf(primitive work, Arguments arguments) {
  return [work, arguments] {
    work.execute(device().queue, arguments);
    device().queue.wait();
  };
}

memory::desc describe(const memory::dims &sizes) {
  return {sizes, memory::data_type::f32,
          sizes.size() == 1 ? memory::format_tag::a : memory::format_tag::ab};
}

} // namespace

std::function<void()> tessera::bench::dnnlSoftmax(float *x, float *o, int64_t rows,
                                                  int64_t columns) {
  memory::desc shape = describe({rows, columns});
  softmax_forward::desc description(prop_kind::forward_inference, shape, /*softmax_axis=*/1);
  softmax_forward::primitive_desc chosen(description, device().cpu);
  return callOf(softmax_forward(chosen), {{DNNL_ARG_SRC, {shape, device().cpu, x}},
                                          {DNNL_ARG_DST, {shape, device().cpu, o}}});
}

std::function<void()> tessera::bench::dnnlLayerNorm(const LayerNormArguments &arguments) {
  memory::desc shape = describe({arguments.rows, arguments.columns});
  memory::desc line = describe({arguments.columns});
  layer_normalization_forward::desc description(prop_kind::forward_inference, shape, 0.00001f,
                                                normalization_flags::use_scale |
                                                    normalization_flags::use_shift);
  layer_normalization_forward::primitive_desc chosen(description, device().cpu);
  return callOf(layer_normalization_forward(chosen),
                {{DNNL_ARG_SRC, {shape, device().cpu, arguments.x}},
                 {DNNL_ARG_SCALE, {line, device().cpu, arguments.scale}},
                 {DNNL_ARG_SHIFT, {line, device().cpu, arguments.shift}},
                 {DNNL_ARG_DST, {shape, device().cpu, arguments.o}}});
}
