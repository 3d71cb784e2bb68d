/// What is measured: a row of Kernels.def, with its operands.
#ifndef TESSERA_BENCH_KERNEL_H
#define TESSERA_BENCH_KERNEL_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::bench {

enum class Family {
#define FAMILY(id, ...) id,
#include "Families.def"
};

struct FamilyFacts {
  std::string_view name, file, function, against;
  double each, untuned, tuned; ///< Goals.
  std::string_view limit;
  double share;

  /// Whether it is a Weld program.
  bool isQuery() const { return file.ends_with(".weld"); }
  /// Whether it is a tinytc kernel.
  bool isBatch() const { return file.ends_with(".tinytc"); }
  /// Measures AMX, and is skipped on machines without it.
  bool needsTiles() const { return limit == "tile"; }
};
const FamilyFacts &factsOf(Family family);

enum class Element { F32, F64, I8, I32, I64, BF16 };
int64_t bytesOf(Element element);

/// What an operand is filled with: numbers of a range, uniform or by Zipf's law, multiples of a
/// step, postal codes of ten bytes, some of them invalid, or tasks: sizes m, n and k of a product
/// and the offsets of its blocks.
enum class Filling { Range, Zipf, Steps, Codes, Tasks };
/// The distance of blocks in elements, enough for the largest, and the sizes of blocks.
constexpr int64_t taskBlock = 23 * 23, taskSizes[] = {5, 13, 23};

struct Operand {
  Element element = Element::F32;
  std::vector<int64_t> sizes;
  double low = -1, high = 1; ///< The range of its numbers.
  Filling filling = Filling::Range;
  bool isScattered = false; ///< Keys are far apart.
  int after = -1;           ///< The input to whose numbers these are added, repeated as necessary.

  int64_t count() const;
  int64_t bytes() const { return count() * bytesOf(element); }
};

struct Kernel {
  std::string_view name;
  Family family;
  std::vector<int64_t> sizes;

  std::string sizeText() const;
  /// Whether each peer needs several GB; such kernels run only on request.
  bool isLarge() const { return name.ends_with("-1g") || name.ends_with("-1e8"); }
};
const std::vector<Kernel> &kernels();
const Kernel *kernelNamed(std::string_view name);

/// A convolution without padding; channels are counted per group.
struct Convolution {
  int64_t batch, groups, in, out;
  int64_t size;   ///< The size of the result, in both dimensions.
  int64_t kernel; ///< The size of the window, in both dimensions.
  int64_t stride;

  explicit Convolution(const Kernel &kernel);
  int64_t inputSize() const { return (size - 1) * stride + kernel; }
};

/// Operands in the order of the TC function's parameters and results; only the first result is
/// compared.
struct Shape {
  std::vector<Operand> inputs, results;
  double flops = 0;
  double bytes = 0;   ///< Read and written at least once; 0 if memory is not the limit.
  int64_t groups = 0; ///< The number of groups with which a tinytc kernel is launched.
};
Shape shapeOf(const Kernel &kernel);

/// The same for tinytc kernels, and definitions for the preprocessor, `NAME=VALUE`.
Shape batchShapeOf(const Kernel &kernel);
std::vector<std::string> definitionsOf(const Kernel &kernel);

} // namespace tessera::bench

#endif
