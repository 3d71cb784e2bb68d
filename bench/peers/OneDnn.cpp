/// oneDNN, where what follows a product or a convolution is its post-operation. Variant `plain`:
/// all operands in row-major order; `own`: each in the layout that oneDNN prefers, reordered before
/// anything is timed.
#include "Serve.h"
#include <dnnl.hpp>

using namespace dnnl;
using namespace tessera::bench;
using Tag = memory::format_tag;
using Dims = memory::dims;

namespace {

engine &cpu() {
  static engine one(engine::kind::cpu, 0);
  return one;
}

stream &queue() {
  static stream one(cpu());
  return one;
}

memory::desc plain(const Dims &sizes, Tag tag) {
  return memory::desc(sizes, memory::data_type::f32, tag);
}

Tag rowMajor(size_t rank) {
  constexpr Tag tags[] = {Tag::a, Tag::a, Tag::ab, Tag::abc, Tag::abcd, Tag::abcde};
  return tags[rank];
}

memory copyInto(memory from, memory to) {
  reorder(from, to).execute(queue(), from, to);
  queue().wait();
  return to;
}

/// The computation, step by step.
struct Program {
  struct Step {
    primitive work;
    std::unordered_map<int, memory> arguments;
  };
  std::vector<Step> steps;

  void run() const {
    for (const Step &step : steps)
      step.work.execute(queue(), step.arguments);
    queue().wait();
  }
};

/// One step with up to two inputs and a bias, whose operands may have a special layout.
struct Builder {
  bool isOwn;
  Program program;

  memory::desc wanted(const Dims &sizes, Tag tag) const {
    return plain(sizes, isOwn ? Tag::any : tag);
  }
  memory inOrder(memory operand, const memory::desc &order) const {
    return operand.get_desc() == order ? operand : copyInto(operand, memory(order, cpu()));
  }
  memory given(const Dims &sizes, Tag tag, float *data) const {
    return memory(plain(sizes, tag), cpu(), data);
  }
};

primitive_attr followedByRelu(bool isFollowed) {
  primitive_attr attributes;
  if (!isFollowed)
    return attributes;
  post_ops after;
  after.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
  attributes.set_post_ops(after);
  return attributes;
}

/// The results, in row-major order for the comparison.
Answer answerOf(Program program, memory result, const Dims &sizes, Request &r) {
  return {[program] { program.run(); }, "",
          [result, sizes, &r] {
            copyInto(result, memory(plain(sizes, rowMajor(sizes.size())), cpu(), r.operands.out()));
          }};
}

convolution_forward::desc describe(const Convolution &c, const memory::desc &input,
                                   const memory::desc &weights, const memory::desc *bias,
                                   const memory::desc &result) {
  Dims strides{c.stride, c.stride}, none{0, 0};
  auto kind = prop_kind::forward_inference;
  auto how = algorithm::convolution_direct;
  if (bias)
    return {kind, how, input, weights, *bias, result, strides, none, none};
  return {kind, how, input, weights, result, strides, none, none};
}

Answer convolution(Request &r, Builder builder) {
  Convolution c(r.kernel);
  Dims inputs{c.batch, c.groups * c.in, c.inputSize(), c.inputSize()};
  Dims results{c.batch, c.groups * c.out, c.size, c.size};
  Dims filters{c.out, c.in, c.kernel, c.kernel};
  if (c.groups > 1)
    filters.insert(filters.begin(), c.groups);
  Tag filterTag = c.groups > 1 ? Tag::goihw : Tag::oihw;
  bool hasBias = r.shape.inputs.size() > 2;
  memory::desc biases = plain({c.groups * c.out}, Tag::a);
  convolution_forward::primitive_desc chosen(
      describe(c, builder.wanted(inputs, Tag::nchw), builder.wanted(filters, filterTag),
               hasBias ? &biases : nullptr, builder.wanted(results, Tag::nchw)),
      followedByRelu(hasBias), cpu());
  memory source = builder.given(inputs, Tag::nchw, r.operands.in(0));
  memory filter = builder.given(filters, filterTag, r.operands.in(1));
  memory result(chosen.dst_desc(), cpu());
  Program::Step step{convolution_forward(chosen),
                     {{DNNL_ARG_SRC, builder.inOrder(source, chosen.src_desc())},
                      {DNNL_ARG_WEIGHTS, builder.inOrder(filter, chosen.weights_desc())},
                      {DNNL_ARG_DST, result}}};
  if (hasBias)
    step.arguments[DNNL_ARG_BIAS] = memory(biases, cpu(), r.operands.in(2));
  builder.program.steps.push_back(step);
  return answerOf(builder.program, result, results, r);
}

/// One or many products of matrices; operands may be transposed.
Answer product(Request &r, Builder builder) {
  const auto &s = r.kernel.sizes;
  bool isBatch = r.kernel.family == Family::tbmm;
  auto sizes = [&](int64_t rows, int64_t columns) {
    return isBatch ? Dims{s[3], rows, columns} : Dims{rows, columns};
  };
  bool isRhsTurned = r.kernel.family == Family::tmm || r.kernel.family == Family::c3;
  Tag dense = isBatch ? Tag::abc : Tag::ab;
  Tag lhsTag = r.kernel.family == Family::amm ? Tag::ba : dense;
  Tag rhsTag = isRhsTurned ? Tag::ba : dense;
  Dims lhs = sizes(s[0], s[2]), rhs = sizes(s[2], s[1]), out = sizes(s[0], s[1]);
  matmul::primitive_desc chosen(matmul::desc(builder.wanted(lhs, lhsTag),
                                             builder.wanted(rhs, rhsTag),
                                             builder.wanted(out, dense)),
                                cpu());
  memory result(chosen.dst_desc(), cpu());
  builder.program.steps.push_back(
      {matmul(chosen),
       {{DNNL_ARG_SRC,
         builder.inOrder(builder.given(lhs, lhsTag, r.operands.in(0)), chosen.src_desc())},
        {DNNL_ARG_WEIGHTS,
         builder.inOrder(builder.given(rhs, rhsTag, r.operands.in(1)), chosen.weights_desc())},
        {DNNL_ARG_DST, result}}});
  return answerOf(builder.program, result, out, r);
}

Answer layers(Request &r, Builder builder) {
  const auto &s = r.kernel.sizes;
  memory input = builder.given({s[0], s[1]}, Tag::ab, r.operands.in(0));
  for (size_t i = 1; i + 1 < s.size(); ++i) {
    Dims from{s[0], s[i]}, weights{s[i + 1], s[i]}, to{s[0], s[i + 1]};
    memory::desc biases = plain({s[i + 1]}, Tag::a);
    inner_product_forward::primitive_desc chosen(
        inner_product_forward::desc(prop_kind::forward_inference, builder.wanted(from, Tag::ab),
                                    builder.wanted(weights, Tag::ab), biases,
                                    builder.wanted(to, Tag::ab)),
        followedByRelu(true), cpu());
    memory result(chosen.dst_desc(), cpu());
    memory filter = builder.given(weights, Tag::ab, r.operands.in(2 * i - 1));
    builder.program.steps.push_back(
        {inner_product_forward(chosen),
         {{DNNL_ARG_SRC, builder.inOrder(input, chosen.src_desc())},
          {DNNL_ARG_WEIGHTS, builder.inOrder(filter, chosen.weights_desc())},
          {DNNL_ARG_BIAS, memory(biases, cpu(), r.operands.in(2 * i))},
          {DNNL_ARG_DST, result}}});
    input = result;
  }
  return answerOf(builder.program, input, {s[0], s.back()}, r);
}

Answer softmax(Request &r, Builder builder) {
  Dims sizes(r.kernel.sizes.begin(), r.kernel.sizes.end());
  memory source = builder.given(sizes, Tag::ab, r.operands.in(0));
  memory result(source.get_desc(), cpu());
  softmax_forward::desc description(prop_kind::forward_inference, source.get_desc(),
                                    /*softmax_axis=*/1);
  softmax_forward::primitive_desc chosen(description, cpu());
  builder.program.steps.push_back(
      {softmax_forward(chosen), {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}}});
  return answerOf(builder.program, result, sizes, r);
}

Answer layerNorm(Request &r, Builder builder) {
  Dims sizes(r.kernel.sizes.begin(), r.kernel.sizes.end()), line{sizes[1]};
  memory source = builder.given(sizes, Tag::ab, r.operands.in(0));
  memory result(source.get_desc(), cpu());
  layer_normalization_forward::desc description(
      prop_kind::forward_inference, source.get_desc(), 0.00001f,
      normalization_flags::use_scale | normalization_flags::use_shift);
  layer_normalization_forward::primitive_desc chosen(description, cpu());
  builder.program.steps.push_back({layer_normalization_forward(chosen),
                                   {{DNNL_ARG_SRC, source},
                                    {DNNL_ARG_SCALE, builder.given(line, Tag::a, r.operands.in(1))},
                                    {DNNL_ARG_SHIFT, builder.given(line, Tag::a, r.operands.in(2))},
                                    {DNNL_ARG_DST, result}}});
  return answerOf(builder.program, result, sizes, r);
}

Answer elementwise(Request &r, Builder builder, algorithm function) {
  Dims sizes{r.kernel.sizes[0]};
  memory source = builder.given(sizes, Tag::a, r.operands.in(0));
  memory result(source.get_desc(), cpu());
  eltwise_forward::desc description(prop_kind::forward_inference, function, source.get_desc());
  eltwise_forward::primitive_desc chosen(description, cpu());
  builder.program.steps.push_back(
      {eltwise_forward(chosen), {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}}});
  return answerOf(builder.program, result, sizes, r);
}

/// Empty if there is no such primitive.
Answer build(Request &r) {
  Builder builder{r.variant == "own", {}};
  switch (r.kernel.family) {
  case Family::matmul:
  case Family::ttl_matmul:
  case Family::skinny:
  case Family::tmm:
  case Family::c3:
  case Family::amm:
  case Family::tbmm:
    return product(r, builder);
  case Family::grouped:
  case Family::depthwise:
  case Family::conv:
  case Family::strided:
  case Family::conv_relu:
    return convolution(r, builder);
  case Family::mlp1:
  case Family::mlp3:
    return layers(r, builder);
  default:
    break;
  }
  if (builder.isOwn)
    return {}; // The others have only one layout.
  switch (r.kernel.family) {
  case Family::softmax:
    return softmax(r, builder);
  case Family::layer_norm:
    return layerNorm(r, builder);
  case Family::exp_f32:
    return elementwise(r, builder, algorithm::eltwise_exp);
  case Family::log_f32:
    return elementwise(r, builder, algorithm::eltwise_log);
  case Family::tanh_f32:
    return elementwise(r, builder, algorithm::eltwise_tanh);
  default:
    return {};
  }
}

Answer prepare(Request &r) {
  try {
    return build(r);
  } catch (const dnnl::error &error) {
    return {.failure = std::string("oneDNN: ") + error.what()};
  }
}

} // namespace

int main(int argc, char **argv) {
  return serve(argc, argv, {[](Family) { return true; }, prepare});
}
