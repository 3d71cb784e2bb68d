/// Operands of tinytc kernels. Modes are in the language's order: the first one is contiguous.
#include "Kernel.h"

using namespace tessera::bench;
using Sizes = std::vector<int64_t>;

static Operand reals(Sizes sizes, Element element = Element::F32) {
  return {element, std::move(sizes)};
}

/// Sizes are rows, columns, depth, products, beta.
static Shape gemmShape(const Sizes &s, Element element, bool isLhsTurned, bool isRhsTurned) {
  int64_t m = s[0], n = s[1], k = s[2], count = s[3];
  Shape shape{{reals(isLhsTurned ? Sizes{k, m, count} : Sizes{m, k, count}, element),
               reals(isRhsTurned ? Sizes{n, k, count} : Sizes{k, n, count}, element)},
              {reals({m, n, count}, element)},
              2.0 * m * n * k * count};
  shape.bytes = double(bytesOf(element)) * count * (m * k + k * n + m * n * (1 + s[4]));
  shape.groups = count;
  return shape;
}

static Shape fusedShape(int64_t count) {
  Shape shape{{reals({16, 8, count}), reals({8, 8}), reals({8, 16})},
              {reals({16, 16, count})},
              2.0 * count * (16 * 8 * 8 + 16 * 16 * 8)};
  shape.bytes = 4.0 * count * (16 * 8 + 2 * 16 * 16);
  shape.groups = count;
  return shape;
}

static Shape chainShape(int64_t count) {
  Operand stiffness = reals({20, 20}), element = reals({20, 9, count});
  Shape shape{{stiffness, element, reals({9, 9}), stiffness},
              {element},
              2.0 * count * (2 * 20 * 9 * 20 + 20 * 9 * 9)};
  shape.bytes = 4.0 * count * 3 * 20 * 9;
  shape.groups = count;
  return shape;
}

/// Inputs with these numbers of modes, then the result; `numPasses`: how often its elements, or
/// those of the largest operand, pass through memory.
static Shape blasShape(const Sizes &s, std::vector<Sizes> operands, int numPasses) {
  int64_t m = s[0], n = s[1], count = s[2];
  Shape shape;
  for (Sizes &sizes : operands) {
    sizes.push_back(count);
    shape.inputs.push_back(reals(sizes));
  }
  shape.results = {shape.inputs.back()};
  shape.inputs.pop_back();
  shape.bytes = 4.0 * m * n * count * numPasses;
  shape.groups = count;
  return shape;
}

static Shape skinnyShape(const Sizes &s) {
  constexpr int64_t block = 128; // As in the program.
  int64_t m = s[0], n = s[1], k = s[2];
  Shape shape{{reals({m, k}), reals({k, n})}, {reals({m, n})}, 2.0 * m * n * k};
  shape.bytes = 4.0 * m * (n + k);
  shape.groups = (m + block - 1) / block;
  return shape;
}

static Shape taskShape(int64_t count) {
  constexpr int64_t numBlocks = 1024;
  Operand tasks{Element::I32, {6, count}, 0, double(numBlocks)};
  tasks.filling = Filling::Tasks;
  Operand blocks = reals({numBlocks * taskBlock}, Element::F64);
  Shape shape{{tasks, blocks, blocks}, {reals({count / 8 * taskBlock}, Element::F64)}};
  shape.groups = count;
  return shape;
}

static Shape elementsShape(const Sizes &s, Operand from, int64_t numResults) {
  from.sizes = {s[0], s[1]};
  Operand to = from;
  to.sizes[0] = numResults;
  Shape shape{{from}, {to}};
  shape.groups = s[1];
  return shape;
}

static Shape coopShape(int64_t size) {
  Operand factor = reals({size, size}, Element::BF16);
  Shape shape{{factor, factor}, {reals({size, size})}, 2.0 * size * size * size};
  shape.groups = size / 64 * (size / 64);
  return shape;
}

Shape tessera::bench::batchShapeOf(const Kernel &kernel) {
  const Sizes &s = kernel.sizes;
  switch (kernel.family) {
  case Family::tiny_nn_f32:
    return gemmShape(s, Element::F32, false, false);
  case Family::tiny_nt_f32:
    return gemmShape(s, Element::F32, false, true);
  case Family::tiny_tn_f32:
    return gemmShape(s, Element::F32, true, false);
  case Family::tiny_tt_f32:
    return gemmShape(s, Element::F32, true, true);
  case Family::tiny_nn_f64:
    return gemmShape(s, Element::F64, false, false);
  case Family::tiny_nt_f64:
    return gemmShape(s, Element::F64, false, true);
  case Family::tiny_tn_f64:
    return gemmShape(s, Element::F64, true, false);
  case Family::tiny_tt_f64:
    return gemmShape(s, Element::F64, true, true);
  case Family::tiny_fused:
    return fusedShape(s[0]);
  case Family::tiny_chain:
    return chainShape(s[0]);
  case Family::tiny_gemv:
    return blasShape(s, {{s[0], s[1]}, {s[1]}, {s[0]}}, 1);
  case Family::tiny_ger:
    return blasShape(s, {{s[0]}, {s[1]}, {s[0], s[1]}}, 2);
  case Family::tiny_axpby:
  case Family::tiny_cumsum:
    return blasShape(s, {{s[0], s[1]}, {s[0], s[1]}}, 3);
  case Family::tiny_hadamard:
    return blasShape(s, {{s[0], s[1]}, {s[0], s[1]}, {s[0], s[1]}}, 4);
  case Family::tiny_sum:
    return blasShape(s, {{s[0], s[1]}, {s[0]}}, 1);
  case Family::tiny_skinny:
    return skinnyShape(s);
  case Family::tiny_tasks:
    return taskShape(s[0]);
  case Family::tiny_branches:
    return elementsShape(s, reals({}), s[0]);
  case Family::tiny_steps:
    return elementsShape(s, {Element::I32, {}, 0, 64}, s[0]);
  case Family::tiny_reduce:
    return elementsShape(s, reals({}), 2);
  case Family::tiny_coop:
    return coopShape(s[0]);
  case Family::tiny_hundred:
    return blasShape({16, 16, s[0]}, {{16, 16}, {16, 16}}, 3);
  default:
    return {};
  }
}

/// The names of a row's first sizes.
static std::vector<std::string> sizeNames(Family family) {
  std::string_view file = factsOf(family).file;
  if (file == "tinytc/gemm.tinytc")
    return {"m", "n", "k"};
  if (file == "tinytc/blas.tinytc")
    return {"m", "n"};
  if (file == "tinytc/skinny.tinytc")
    return {"", "n", "k"};
  if (file == "tinytc/spmd.tinytc")
    return {"n"};
  return {};
}

std::vector<std::string> tessera::bench::definitionsOf(const Kernel &kernel) {
  std::vector<std::string> all;
  auto define = [&](const std::string &name, const std::string &value) {
    all.push_back(name + "=" + value);
  };
  std::vector<std::string> names = sizeNames(kernel.family);
  for (size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty())
      define(names[i], std::to_string(kernel.sizes[i]));
  if (names.size() == 3 && !names[0].empty()) {
    define("real", factsOf(kernel.family).name.ends_with("f64") ? "f64" : "f32");
    define("beta", kernel.sizes[4] ? "1.0" : "0.0");
  }
  if (kernel.family == Family::tiny_coop) {
    for (const char *name : {"m", "n", "k"})
      define(name, std::to_string(kernel.sizes[0]));
    define("real", "bf16");
  }
  return all;
}
