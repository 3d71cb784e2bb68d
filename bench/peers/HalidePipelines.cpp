/// Compiles a kernel with Halide ahead of time: KERNEL AUTOSCHEDULER THREADS OBJECT. The algorithms
/// express the TC functions in Halide; its autoscheduler makes the schedules. The object has one
/// function, `kernel`, whose parameters are the inputs and then the results.
#include "Kernel.h"
#include <Halide.h>
#include <cstdio>

using namespace Halide;
using namespace tessera::bench;
using Sizes = std::vector<int64_t>;

namespace {

struct Algorithm {
  std::vector<ImageParam> inputs;
  std::vector<Func> results;

  const ImageParam &in(int i) const { return inputs[i]; }
};

Type typeOf(Element element) {
  return element == Element::F32 ? Float(32) : element == Element::F64 ? Float(64) : Int(32);
}

/// Halide's first dimension is our last one.
ImageParam inputOf(const Operand &operand) {
  ImageParam input(typeOf(operand.element), operand.sizes.size());
  int stride = 1, dim = 0;
  for (auto size = operand.sizes.rbegin(); size != operand.sizes.rend(); ++size, ++dim) {
    input.dim(dim).set_bounds(0, int(*size)).set_stride(stride).set_estimate(0, int(*size));
    stride *= *size;
  }
  return input;
}

void setResultSizes(Func result, const Operand &operand) {
  int stride = 1, dim = 0;
  Region estimates;
  OutputImageParam buffer = result.output_buffer();
  for (auto size = operand.sizes.rbegin(); size != operand.sizes.rend(); ++size, ++dim) {
    estimates.push_back({0, int(*size)});
    buffer.dim(dim).set_bounds(0, int(*size)).set_stride(stride);
    stride *= *size;
  }
  result.set_estimates(estimates);
}

Var x("x"), y("y"), z("z"), w("w"), v("v");

Func product(const Algorithm &a, const Kernel &kernel) {
  Func sum("sum");
  RDom k(0, int(kernel.sizes[2]));
  bool isRhsTurned = kernel.family == Family::tmm || kernel.family == Family::c3;
  Expr lhs = kernel.family == Family::amm ? a.in(0)(y, k) : a.in(0)(k, y);
  Expr rhs = isRhsTurned ? a.in(1)(k, x) : a.in(1)(x, k);
  sum(x, y) += lhs * rhs;
  return sum;
}

Func batch(const Algorithm &a, const Sizes &s) {
  Func sum("sum");
  RDom k(0, int(s[2]));
  sum(x, y, z) += a.in(0)(k, y, z) * a.in(1)(x, k, z);
  return sum;
}

Func convolution(const Algorithm &a, const Kernel &kernel) {
  Convolution c(kernel);
  Func sum("sum"), relu("relu");
  RDom k(0, int(c.kernel), 0, int(c.kernel), 0, int(c.in));
  Expr column = x * int(c.stride) + k.x, row = y * int(c.stride) + k.y;
  if (kernel.family == Family::grouped || kernel.family == Family::depthwise)
    sum(x, y, z, w, v) += a.in(0)(column, row, k.z, w, v) * a.in(1)(k.x, k.y, k.z, z, w);
  else
    sum(x, y, z, w) += a.in(0)(column, row, k.z, w) * a.in(1)(k.x, k.y, k.z, z);
  if (kernel.family != Family::conv_relu)
    return sum;
  relu(x, y, z, w) = max(sum(x, y, z, w) + a.in(2)(z), 0.0f);
  return relu;
}

Func layers(const Algorithm &a, const Sizes &s) {
  Func input("input");
  input(x, y) = a.in(0)(x, y);
  for (size_t i = 1; i + 1 < s.size(); ++i) {
    Func sum("sum"), next("next");
    RDom k(0, int(s[i]));
    sum(x, y) += (i == 1 ? Expr(a.in(0)(k, y)) : Expr(input(k, y))) * a.in(2 * i - 1)(k, x);
    next(x, y) = max(sum(x, y) + a.in(2 * i)(x), 0.0f);
    input = next;
  }
  return input;
}

Func kronecker(const Algorithm &a, const Sizes &s) {
  Func last("last"), middle("middle"), first("first");
  RDom n(0, int(s[2]));
  last(x, y, z, w) += a.in(3)(n, y, z, w) * a.in(2)(n, x);
  middle(x, y, z, w) += last(x, n, z, w) * a.in(1)(n, y);
  first(x, y, z, w) += middle(x, y, n, w) * a.in(0)(n, z);
  return first;
}

Func softmaxOf(Func from, int columns) {
  Func top("top"), e("e"), sum("sum"), result("result");
  RDom n(0, columns);
  top(y) = Float(32).min();
  top(y) = max(top(y), from(n, y));
  e(x, y) = exp(from(x, y) - top(y));
  sum(y) += e(n, y);
  result(x, y) = e(x, y) / sum(y);
  return result;
}

Func attention(const Algorithm &a, const Sizes &s) {
  Func scores("scores"), scaled("scaled"), sum("sum");
  RDom d(0, int(s[2])), n(0, int(s[1]));
  scores(x, y) += a.in(0)(d, y) * a.in(1)(d, x);
  scaled(x, y) = scores(x, y) * (1 / std::sqrt(float(s[2])));
  Func shares = softmaxOf(scaled, s[1]);
  sum(x, y) += shares(n, y) * a.in(2)(x, n);
  return sum;
}

Func layerNorm(const Algorithm &a, const Sizes &s) {
  Func sum("sum"), mean("mean"), square("square"), factor("factor"), result("result");
  RDom n(0, int(s[1]));
  sum(y) += a.in(0)(n, y);
  mean(y) = sum(y) / float(s[1]);
  square(y) += (a.in(0)(n, y) - mean(y)) * (a.in(0)(n, y) - mean(y));
  factor(y) = 1 / sqrt(square(y) / float(s[1]) + 0.00001f);
  result(x, y) = (a.in(0)(x, y) - mean(y)) * factor(y) * a.in(1)(x) + a.in(2)(x);
  return result;
}

Func groupNorm(const Algorithm &a, const Shape &shape) {
  Func sum("sum"), square("square"), mean("mean"), factor("factor"), result("result");
  const Sizes &s = shape.inputs[0].sizes;
  RDom n(0, int(s[4]), 0, int(s[3]), 0, int(s[2]));
  float count = s[2] * s[3] * s[4];
  Expr each = a.in(0)(n.x, n.y, n.z, w, v);
  sum(w, v) += each;
  square(w, v) += each * each;
  mean(w, v) = sum(w, v) / count;
  factor(w, v) = 1 / sqrt(square(w, v) / count - mean(w, v) * mean(w, v) + 0.00001f);
  result(x, y, z, w, v) =
      (a.in(0)(x, y, z, w, v) - mean(w, v)) * factor(w, v) * a.in(1)(z, w) + a.in(2)(z, w);
  return result;
}

std::vector<Func> moments(const Algorithm &a, const Sizes &s) {
  Func sum("sum"), square("square"), mean("mean"), var("var");
  RDom n(0, int(s[1]));
  sum(x) += a.in(0)(n, x);
  square(x) += a.in(0)(n, x) * a.in(0)(n, x);
  mean(x) = sum(x) / float(s[1]);
  var(x) = square(x) / float(s[1]) - mean(x) * mean(x);
  return {mean, var};
}

Func lookup(const Algorithm &a, const Sizes &s, int table) {
  Func sum("sum");
  RDom l(0, int(s[2]));
  Expr row = clamp(a.in(2 * table + 1)(l, y), 0, int(s[3]) - 1);
  sum(x, y) += a.in(2 * table)(x, row);
  return sum;
}

Func copyOf(Expr value, const std::vector<Var> &variables) {
  Func result("result");
  result(variables) = value;
  return result;
}

/// Empty if Halide 14 cannot express it.
std::vector<Func> resultsOf(const Algorithm &a, const Kernel &kernel, const Shape &shape) {
  const Sizes &s = kernel.sizes;
  switch (kernel.family) {
  case Family::matmul:
  case Family::ttl_matmul:
  case Family::skinny:
  case Family::f64_matmul:
  case Family::tmm:
  case Family::c3:
  case Family::amm:
    return {product(a, kernel)};
  case Family::tbmm:
    return {batch(a, s)};
  case Family::grouped:
  case Family::depthwise:
  case Family::conv:
  case Family::strided:
  case Family::conv_relu:
    return {convolution(a, kernel)};
  case Family::mlp1:
  case Family::mlp3:
    return {layers(a, s)};
  case Family::kronecker3:
    return {kronecker(a, s)};
  case Family::softmax:
    return {softmaxOf(copyOf(a.in(0)(x, y), {x, y}), s[1])};
  case Family::layer_norm:
    return {layerNorm(a, s)};
  case Family::group_norm:
    return {groupNorm(a, shape)};
  case Family::moments:
    return moments(a, s);
  case Family::attention:
    return {attention(a, s)};
  case Family::lut1:
    return {lookup(a, s, 0)};
  case Family::lut2:
    return {lookup(a, s, 0), lookup(a, s, 1)};
  case Family::transpose:
    return {copyOf(a.in(0)(y, x), {x, y})};
  case Family::permute:
    return {copyOf(a.in(0)(z, y, x), {x, y, z})};
  case Family::erf_f64: // Halide has it only for float32.
  case Family::kmeans:
    return {};
  case Family::erf_f32:
    return {copyOf(erf(a.in(0)(x)), {x})};
#define HALIDE_FUNCTION(name)                                                                      \
  case Family::name##_f32:                                                                         \
  case Family::name##_f64:                                                                         \
    return {copyOf(name(a.in(0)(x)), {x})};
    HALIDE_FUNCTION(exp)
    HALIDE_FUNCTION(log)
    HALIDE_FUNCTION(tanh)
    HALIDE_FUNCTION(sin)
    HALIDE_FUNCTION(cos)
#undef HALIDE_FUNCTION
  default: // Weld programs.
    return {};
  }
}

/// A sum that another function reads: only then do autoschedulers keep it in registers.
Func copyOf(Func sum) {
  if (!sum.has_update_definition())
    return sum;
  std::vector<Expr> arguments;
  for (const Var &argument : sum.args())
    arguments.push_back(argument);
  return copyOf(sum(arguments), sum.args());
}

void schedule(Pipeline &pipeline, const std::string &name, const Target &target, int threads) {
  load_plugin("/usr/lib/x86_64-linux-gnu/halide14/libautoschedule_" + name + ".so");
  std::string autoscheduler = name;
  autoscheduler[0] = toupper(autoscheduler[0]);
  constexpr uint64_t lastCache = 16 << 20;
  pipeline.auto_schedule(autoscheduler, target, MachineParams(threads, lastCache, /*balance=*/40));
}

int compile(const Kernel &kernel, const std::string &autoscheduler, int threads, const char *path) {
  Shape shape = shapeOf(kernel);
  Algorithm algorithm;
  for (const Operand &operand : shape.inputs)
    algorithm.inputs.push_back(inputOf(operand));
  algorithm.results = resultsOf(algorithm, kernel, shape);
  if (algorithm.results.empty()) {
    fprintf(stderr, "Halide 14 cannot express it\n");
    return 1;
  }
  for (size_t i = 0; i < algorithm.results.size(); ++i) {
    algorithm.results[i] = copyOf(algorithm.results[i]);
    setResultSizes(algorithm.results[i], shape.results[i]);
  }
  Target target =
      get_host_target().with_feature(Target::NoAsserts).with_feature(Target::NoBoundsQuery);
  Pipeline pipeline(algorithm.results);
  schedule(pipeline, autoscheduler, target, threads);
  std::vector<Argument> arguments(algorithm.inputs.begin(), algorithm.inputs.end());
  pipeline.compile_to_object(path, arguments, "kernel", target);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  const Kernel *kernel = argc == 5 ? kernelNamed(argv[1]) : nullptr;
  if (!kernel) {
    fprintf(stderr, "usage: %s KERNEL AUTOSCHEDULER THREADS OBJECT\n", argv[0]);
    return 2;
  }
  try {
    return compile(*kernel, argv[2], atoi(argv[3]), argv[4]);
  } catch (const Halide::Error &error) {
    fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
