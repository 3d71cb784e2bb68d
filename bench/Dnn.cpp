#include "Dnn.h"
#include <cstdlib>
#include <dlfcn.h>
#include <dnnl.hpp>

using namespace dnnl;
using namespace tessera::bench;
using Tag = memory::format_tag;

/// Its own threads would disturb what is measured, and of AMX it believes what some virtual
/// machines do not keep.
static engine makeEngine() {
  setenv("DNNL_MAX_CPU_ISA", "AVX512_CORE_BF16", /*overwrite=*/0);
  if (void *setThreads = dlsym(RTLD_DEFAULT, "omp_set_num_threads"))
    reinterpret_cast<void (*)(int)>(setThreads)(1);
  return engine(engine::kind::cpu, 0);
}

static memory::desc plain(const memory::dims &sizes, Tag tag) {
  return memory::desc(sizes, memory::data_type::f32, tag);
}

struct DnnConvolution::State {
  engine cpu = makeEngine();
  stream queue{cpu};
  memory::desc resultLayout;
  convolution_forward convolution;
  std::unordered_map<int, memory> arguments;

  /// The operand in the order that the convolution wants.
  memory inOrder(memory operand, const memory::desc &wanted) {
    if (operand.get_desc() == wanted)
      return operand;
    memory copy(wanted, cpu);
    reorder(operand, copy).execute(queue, operand, copy);
    queue.wait();
    return copy;
  }
};

static primitive_attr attributesFor(bool hasBias) {
  primitive_attr attributes;
  if (!hasBias)
    return attributes;
  post_ops after;
  after.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
  attributes.set_post_ops(after);
  return attributes;
}

static convolution_forward::desc describe(const Convolution &c, const memory::desc &input,
                                          const memory::desc &weights, const memory::desc *bias,
                                          const memory::desc &result) {
  memory::dims strides{c.stride, c.stride}, none{0, 0};
  auto kind = prop_kind::forward_inference;
  auto how = algorithm::convolution_direct;
  if (bias)
    return {kind, how, input, weights, *bias, result, strides, none, none};
  return {kind, how, input, weights, result, strides, none, none};
}

DnnConvolution::DnnConvolution(const Convolution &c, Layout layout, float *input, float *weights,
                               float *bias)
    : state(std::make_unique<State>()) {
  memory::dims inputs{c.batch, c.groups * c.in, c.inputSize(), c.inputSize()};
  memory::dims results{c.batch, c.groups * c.out, c.size, c.size};
  memory::dims filters{c.out, c.in, c.kernel, c.kernel};
  if (c.groups > 1)
    filters.insert(filters.begin(), c.groups);
  Tag filterTag = c.groups > 1 ? Tag::goihw : Tag::oihw;
  auto wanted = [&](const memory::dims &sizes, Tag tag) {
    return plain(sizes, layout == Layout::Own ? Tag::any : tag);
  };
  memory::desc biases = plain({c.groups * c.out}, Tag::a);
  convolution_forward::primitive_desc choice(
      describe(c, wanted(inputs, Tag::nchw), wanted(filters, filterTag), bias ? &biases : nullptr,
               wanted(results, Tag::nchw)),
      attributesFor(bias), state->cpu);
  state->resultLayout = plain(results, Tag::nchw);
  state->convolution = convolution_forward(choice);
  memory source(plain(inputs, Tag::nchw), state->cpu, input);
  memory filter(plain(filters, filterTag), state->cpu, weights);
  state->arguments[DNNL_ARG_SRC] = state->inOrder(source, choice.src_desc());
  state->arguments[DNNL_ARG_WEIGHTS] = state->inOrder(filter, choice.weights_desc());
  state->arguments[DNNL_ARG_DST] = memory(choice.dst_desc(), state->cpu);
  if (bias)
    state->arguments[DNNL_ARG_BIAS] = memory(biases, state->cpu, bias);
}

DnnConvolution::~DnnConvolution() = default;

void DnnConvolution::run() {
  state->convolution.execute(state->queue, state->arguments);
  state->queue.wait();
}

void DnnConvolution::copyResult(float *to) {
  memory target(state->resultLayout, state->cpu, to);
  reorder(state->arguments[DNNL_ARG_DST], target)
      .execute(state->queue, state->arguments[DNNL_ARG_DST], target);
  state->queue.wait();
}

namespace {

/// For all primitives that need no state of their own.
struct Device {
  engine cpu = makeEngine();
  stream queue{cpu};
};

Device &device() {
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

memory::desc rowsOf(const memory::dims &sizes) {
  return plain(sizes, sizes.size() == 1 ? Tag::a : Tag::ab);
}

} // namespace

std::function<void()> tessera::bench::dnnSoftmax(float *x, float *o, int64_t rows,
                                                 int64_t columns) {
  memory::desc shape = rowsOf({rows, columns});
  softmax_forward::desc description(prop_kind::forward_inference, shape, /*softmax_axis=*/1);
  softmax_forward::primitive_desc chosen(description, device().cpu);
  return callOf(softmax_forward(chosen), {{DNNL_ARG_SRC, {shape, device().cpu, x}},
                                          {DNNL_ARG_DST, {shape, device().cpu, o}}});
}

std::function<void()> tessera::bench::dnnLayerNorm(const LayerNormArguments &arguments) {
  memory::desc shape = rowsOf({arguments.rows, arguments.columns});
  memory::desc line = rowsOf({arguments.columns});
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
