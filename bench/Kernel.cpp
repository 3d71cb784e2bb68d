#include "Kernel.h"

using namespace tessera::bench;
using Sizes = std::vector<int64_t>;

static const FamilyFacts families[] = {
#define FAMILY(id, file, function, against, each, untuned, tuned, limit, share)                    \
  {#id, file, function, against, each, untuned, tuned, limit, share},
#include "Families.def"
};

const FamilyFacts &tessera::bench::factsOf(Family family) {
  return families[int(family)];
}

const std::vector<Kernel> &tessera::bench::kernels() {
  static const std::vector<Kernel> all = {
#define KERNEL(name, family, ...) {name, Family::family, {__VA_ARGS__}},
#include "Kernels.def"
#define KERNEL(name, family, ...) {name, Family::family, {__VA_ARGS__}},
#include "Queries.def"
#define KERNEL(name, family, ...) {name, Family::family, {__VA_ARGS__}},
#include "Batches.def"
  };
  return all;
}

const Kernel *tessera::bench::kernelNamed(std::string_view name) {
  for (const Kernel &kernel : kernels())
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

std::string Kernel::sizeText() const {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

int64_t tessera::bench::bytesOf(Element element) {
  switch (element) {
  case Element::I8:
    return 1;
  case Element::BF16:
    return 2;
  case Element::F32:
  case Element::I32:
    return 4;
  case Element::F64:
  case Element::I64:
    return 8;
  }
  return 0;
}

int64_t Operand::count() const {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

Convolution::Convolution(const Kernel &k)
    : batch(k.sizes[0]), groups(k.sizes[1]), in(k.sizes[2]), out(k.sizes[3]), size(k.sizes[4]),
      kernel(k.sizes[5]), stride(k.sizes[6]) {}

static Operand floats(Sizes sizes, double low = -1, double high = 1) {
  return {Element::F32, std::move(sizes), low, high};
}

static Shape productShape(const Sizes &s, Element element, bool isLhsTurned, bool isRhsTurned) {
  int64_t m = s[0], n = s[1], k = s[2];
  return {{{element, isLhsTurned ? Sizes{k, m} : Sizes{m, k}},
           {element, isRhsTurned ? Sizes{n, k} : Sizes{k, n}}},
          {{element, {m, n}}},
          2.0 * m * n * k};
}

static Shape bfloatShape(const Sizes &s) {
  Shape shape = productShape(s, Element::BF16, false, false);
  shape.results[0].element = Element::F32;
  return shape;
}

static Shape prepackedShape(const Sizes &s) {
  constexpr int64_t side = 16, group = 2;
  int64_t m = s[0] / side, n = s[1] / side, k = s[2] / (side * group);
  return {{{Element::BF16, {m, k, side, side, group}}, {Element::BF16, {n, k, side, side, group}}},
          {floats({m, n, side, side})},
          2.0 * s[0] * s[1] * s[2]};
}

static Shape batchShape(const Sizes &s) {
  int64_t m = s[0], n = s[1], k = s[2], batch = s[3];
  return {{floats({batch, m, k}), floats({batch, k, n})},
          {floats({batch, m, n})},
          2.0 * m * n * k * batch};
}

static Shape convolutionShape(const Kernel &kernel) {
  Convolution c(kernel);
  int64_t side = c.inputSize();
  Shape shape;
  if (kernel.family == Family::grouped || kernel.family == Family::depthwise)
    shape = {{floats({c.batch, c.groups, c.in, side, side}),
              floats({c.groups, c.out, c.in, c.kernel, c.kernel})},
             {floats({c.batch, c.groups, c.out, c.size, c.size})}};
  else
    shape = {{floats({c.batch, c.in, side, side}), floats({c.out, c.in, c.kernel, c.kernel})},
             {floats({c.batch, c.out, c.size, c.size})}};
  if (kernel.family == Family::conv_relu)
    shape.inputs.push_back(floats({c.out}));
  shape.flops = 2.0 * shape.results[0].count() * c.in * c.kernel * c.kernel;
  return shape;
}

/// Layers of these widths, each with its weights and its bias.
static Shape layersShape(const Sizes &s) {
  Shape shape{{floats({s[0], s[1]})}, {floats({s[0], s.back()})}};
  for (size_t i = 1; i + 1 < s.size(); ++i) {
    shape.inputs.push_back(floats({s[i + 1], s[i]}));
    shape.inputs.push_back(floats({s[i + 1]}));
    shape.flops += 2.0 * s[0] * s[i] * s[i + 1];
  }
  return shape;
}

static Shape kroneckerShape(const Sizes &s) {
  int64_t m = s[0], d = s[1], n = s[2];
  Operand factor = floats({d, n});
  return {{factor, factor, factor, floats({m, n, n, n})},
          {floats({m, d, d, d})},
          2.0 * m * (n * n * n * d + n * n * d * d + n * d * d * d)};
}

static Shape rowsShape(const Kernel &kernel) {
  const Sizes &s = kernel.sizes;
  Shape shape{{floats(s)}, {floats(s)}, 0, 8.0 * floats(s).count()};
  if (kernel.family == Family::softmax)
    shape.inputs = {floats(s, -5, 5)};
  if (kernel.family == Family::layer_norm)
    shape.inputs.insert(shape.inputs.end(), 2, floats({s[1]}, 0, 1));
  if (kernel.family == Family::moments)
    shape = {{floats(s, 0, 1)}, {floats({s[0]}), floats({s[0]})}, 0, 4.0 * floats(s).count()};
  if (kernel.family == Family::transpose || kernel.family == Family::permute)
    shape.results[0].sizes.assign(s.rbegin(), s.rend());
  return shape;
}

/// Planes are square, as the TC function requires.
static Shape groupNormShape(const Sizes &s) {
  int64_t side = 1;
  while (side * side < s[3])
    ++side;
  Operand x = floats({s[0], s[1], s[2], side, side});
  return {{x, floats({s[1], s[2]}, 0, 1), floats({s[1], s[2]}, 0, 1)}, {x}, 0, 8.0 * x.count()};
}

static Shape lookupShape(const Sizes &s, int numTables) {
  Shape shape;
  for (int i = 0; i < numTables; ++i) {
    shape.inputs.push_back(floats({s[3], s[1]}));
    shape.inputs.push_back({Element::I32, {s[0], s[2]}, 0, double(s[3])});
    shape.results.push_back(floats({s[0], s[1]}));
  }
  return shape;
}

static Shape functionShape(Element element, const Sizes &s, double low, double high) {
  return {{{element, s, low, high}}, {{element, s}}};
}

static Operand column(Element element, int64_t count, double low = 0, double high = 1) {
  return {element, {count}, low, high};
}

/// A scalar parameter.
static Operand scalar(Element element, double value) {
  return {element, {}, value, value};
}

/// `numReads` columns of this element type, and one result of `count` elements.
static Shape streamShape(const Sizes &s, int numReads, bool isReduction, double low = -1,
                         Element element = Element::F64) {
  Shape shape;
  shape.inputs.assign(numReads, column(element, s[0], low));
  shape.results = {column(element, isReduction ? 1 : s[0])};
  shape.bytes = double(s[0]) * bytesOf(element) * (numReads + !isReduction);
  return shape;
}

static Shape optionShape(const Sizes &s, Element element) {
  return {{column(element, s[0], 5, 30), column(element, s[0], 1, 100),
           column(element, s[0], 0.25, 10)},
          {column(element, s[0])}};
}

static Shape placeShape(const Sizes &s, Element element) {
  return {{column(element, s[0], -1.5, 1.5), column(element, s[0], -3, 3)},
          {column(element, s[0])}};
}

static Shape filterShape(const Sizes &s, bool isSum) {
  Shape shape{{column(Element::I32, s[0], 0, 100), column(Element::F64, s[0])},
              {column(Element::F64, s[0])}};
  if (isSum) {
    shape.inputs.push_back(column(Element::F64, s[0]));
    shape.results = {column(Element::F64, 1)};
  }
  shape.inputs.push_back(scalar(Element::I32, s[1]));
  return shape;
}

/// TPC-H's ranges: days of seven years, 50 pieces, discounts and taxes.
static Shape itemShape(const Sizes &s, bool isFirst) {
  Operand date = column(Element::I32, s[0], 0, 2526), quantity = column(Element::F64, s[0], 1, 50),
          discount = column(Element::F64, s[0], 0, 0.1),
          price = column(Element::F64, s[0], 900, 100000);
  if (!isFirst)
    return {{date, quantity, discount, price}, {column(Element::F64, 1)}};
  return {{date, column(Element::I8, s[0], 0, 3), column(Element::I8, s[0], 0, 2), quantity, price,
           discount, column(Element::F64, s[0], 0, 0.08)},
          {column(Element::F64, 48)}};
}

static Shape groupShape(const Sizes &s, Filling filling, bool isScattered) {
  Operand key = column(Element::I64, s[0], 0, s[1]);
  key.filling = filling;
  key.isScattered = isScattered;
  return {{key, column(Element::F64, s[0])}, {column(Element::F64, 2 * s[1])}};
}

static Shape histogramShape(const Sizes &s) {
  Shape shape = groupShape(s, Filling::Range, false);
  shape.inputs.push_back(column(Element::F64, s[1], 0, 0));
  shape.results = {column(Element::F64, s[1])};
  return shape;
}

/// 0, step, 2 step, ..., as integers.
static Operand steps(int64_t count, double step) {
  Operand operand = column(Element::I64, count, 0, step);
  operand.filling = Filling::Steps;
  return operand;
}

/// Days that are `low` to `high` days after those of another column.
static Operand daysAfter(int64_t count, int other, double low, double high) {
  Operand operand = column(Element::I32, count, low, high);
  operand.after = other;
  return operand;
}

/// Ten orders for each customer, four items for each order. Columns: key and segment of customers;
/// key, customer and date of orders; order, ship date, price and discount of items.
static Shape segmentShape(const Sizes &s) {
  int64_t orders = s[0], customers = orders / 10, items = 4 * orders;
  return {{steps(customers, 1), column(Element::I8, customers, 0, 5), steps(orders, 1),
           column(Element::I64, orders, 0, double(customers)),
           column(Element::I32, orders, 0, 2406), steps(items, 0.25), daysAfter(items, 4, 1, 122),
           column(Element::F64, items, 900, 100000), column(Element::F64, items, 0, 0.1)},
          {column(Element::F64, 30)}};
}

/// Columns: key and priority of orders; order, ship mode, commit date, ship date and receipt date
/// of items.
static Shape modeShape(const Sizes &s) {
  int64_t orders = s[0], items = 4 * orders;
  return {{steps(orders, 1), column(Element::I8, orders, 0, 5), steps(items, 0.25),
           column(Element::I8, items, 0, 7), column(Element::I32, items, 0, 2500),
           daysAfter(items, 4, -89, 92), daysAfter(items, 5, 1, 31)},
          {column(Element::F64, 4)}};
}

static Shape bodyShape(const Sizes &s, Element element) {
  Shape shape;
  shape.inputs.assign(6, column(element, s[0], -1, 1));
  shape.inputs.push_back(column(element, s[0], 0.1, 1));
  shape.results = {{element, {s[0], 6}}};
  return shape;
}

static Shape regressionShape(const Sizes &s) {
  return {{column(Element::F64, s[0] * s[1], -1, 1), column(Element::I8, s[0], 0, 2),
           column(Element::F64, s[1], -1, 1)},
          {column(Element::F64, s[1])}};
}

/// Population, adults and robberies of towns.
static Shape townShape(const Sizes &s) {
  return {{column(Element::F64, s[0], 1e5, 1e6), column(Element::F64, s[0], 1e5, 5e5),
           column(Element::F64, s[0], 0, 1000)},
          {column(Element::F64, 1)}};
}

static Shape codeShape(const Sizes &s) {
  Operand text{Element::I8, {s[0], 10}};
  text.filling = Filling::Codes;
  return {{text}, {column(Element::I32, s[0])}};
}

static Shape sortShape(const Sizes &s, Element element, int64_t fields) {
  Operand data{element, {s[0]}, 0, 1e9};
  if (fields > 1)
    data.sizes.push_back(fields);
  return {{data}, {data}};
}

static Shape graphShape(const Sizes &s) {
  return {{steps(s[0] + 1, double(s[1])), column(Element::I32, s[0] * s[1], 0, s[0]),
           column(Element::F64, s[0])},
          {column(Element::F64, s[0])}};
}

static Shape clusterShape(const Sizes &s) {
  Operand points = column(Element::F64, s[0]), centers = column(Element::F64, s[1]);
  return {{points, points, centers, centers}, {column(Element::I64, s[0])}};
}

Shape tessera::bench::shapeOf(const Kernel &kernel) {
  const Sizes &s = kernel.sizes;
  switch (kernel.family) {
  case Family::matmul:
  case Family::ttl_matmul:
  case Family::skinny:
    return productShape(s, Element::F32, false, false);
  case Family::f64_matmul:
    return productShape(s, Element::F64, false, false);
  case Family::bfloat_matmul:
    return bfloatShape(s);
  case Family::prepacked:
    return prepackedShape(s);
  case Family::tmm:
  case Family::c3:
    return productShape(s, Element::F32, false, true);
  case Family::amm:
    return productShape(s, Element::F32, true, false);
  case Family::tbmm:
    return batchShape(s);
  case Family::grouped:
  case Family::depthwise:
  case Family::conv:
  case Family::strided:
  case Family::conv_relu:
    return convolutionShape(kernel);
  case Family::mlp1:
  case Family::mlp3:
    return layersShape(s);
  case Family::kronecker3:
    return kroneckerShape(s);
  case Family::softmax:
  case Family::layer_norm:
  case Family::moments:
  case Family::transpose:
  case Family::permute:
    return rowsShape(kernel);
  case Family::group_norm:
    return groupNormShape(s);
  case Family::attention:
    return {{floats({s[0], s[2]}), floats({s[1], s[2]}), floats({s[1], s[2]})},
            {floats({s[0], s[2]})},
            4.0 * s[0] * s[1] * s[2]};
  case Family::lut1:
    return lookupShape(s, 1);
  case Family::lut2:
    return lookupShape(s, 2);
  case Family::kmeans:
    return {{floats({s[0], s[2]}), floats({s[1], s[2]})}, {floats({s[1], s[2]})}};
  case Family::weld_sum:
    return streamShape(s, 1, true);
  case Family::weld_dot:
    return streamShape(s, 2, true);
  case Family::weld_axpy:
  case Family::weld_chain:
    return streamShape(s, 2, false);
  case Family::weld_aggregates: {
    Shape shape = streamShape(s, 1, true);
    shape.results[0].sizes = {5};
    return shape;
  }
  case Family::weld_black_scholes_f64:
    return optionShape(s, Element::F64);
  case Family::weld_black_scholes_f32:
    return optionShape(s, Element::F32);
  case Family::weld_haversine_f64:
    return placeShape(s, Element::F64);
  case Family::weld_haversine_f32:
    return placeShape(s, Element::F32);
  case Family::weld_bodies_f64:
    return bodyShape(s, Element::F64);
  case Family::weld_bodies_f32:
    return bodyShape(s, Element::F32);
  case Family::weld_regression:
    return regressionShape(s);
  case Family::weld_crime:
    return townShape(s);
  case Family::weld_codes:
    return codeShape(s);
  case Family::weld_q3:
    return segmentShape(s);
  case Family::weld_q12:
    return modeShape(s);
  case Family::weld_filter_sum:
  case Family::weld_filter_append:
    return filterShape(s, kernel.family == Family::weld_filter_sum);
  case Family::weld_q6:
  case Family::weld_q1:
    return itemShape(s, kernel.family == Family::weld_q1);
  case Family::weld_group_dense:
  case Family::weld_many_dense:
    return groupShape(s, Filling::Range, false);
  case Family::weld_group_hashed:
  case Family::weld_many_hashed:
    return groupShape(s, Filling::Range, true);
  case Family::weld_zipf_dense:
    return groupShape(s, Filling::Zipf, false);
  case Family::weld_zipf_hashed:
    return groupShape(s, Filling::Zipf, true);
  case Family::weld_histogram:
    return histogramShape(s);
  case Family::weld_sort_i64:
    return sortShape(s, Element::I64, 1);
  case Family::weld_sort_f64:
    return sortShape(s, Element::F64, 1);
  case Family::weld_sort_pairs:
    return sortShape(s, Element::I64, 2);
  case Family::weld_pagerank:
    return graphShape(s);
  case Family::weld_kmeans:
    return clusterShape(s);
#define BATCH_FAMILY(id, ...) case Family::id:
#include "BatchFamilies.def"
    return batchShapeOf(kernel);
#define BENCH_FUNCTION(name, low, high)                                                            \
  case Family::name##_f32:                                                                         \
    return functionShape(Element::F32, s, low, high);                                              \
  case Family::name##_f64:                                                                         \
    return functionShape(Element::F64, s, low, high);
#include "Functions.def"
  }
  return {};
}
