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

  /// A Weld program.
  bool isQuery() const { return file.ends_with(".weld"); }
  /// A kernel of tinytc.
  bool isBatch() const { return file.ends_with(".tinytc"); }
  /// About AMX: of no interest where there is none.
  bool needsTiles() const { return limit == "tile"; }
};
const FamilyFacts &factsOf(Family family);

enum class Element { F32, F64, I8, I32, I64, BF16 };
int64_t bytesOf(Element element);

/// What an operand is filled with: numbers of a range, all as likely or the small ones more (Zipf),
/// the beginnings of steps, postal codes in ten bytes each, of which some are none, or tasks: sizes
/// m, n and k of a product and the offsets of its blocks.
enum class Filling { Range, Zipf, Steps, Codes, Tasks };
/// Elements from one block to the next, enough for the largest; and the sizes that blocks have.
constexpr int64_t taskBlock = 23 * 23, taskSizes[] = {5, 13, 23};

struct Operand {
  Element element = Element::F32;
  std::vector<int64_t> sizes;
  double low = -1, high = 1; ///< Of what it is filled with.
  Filling filling = Filling::Range;
  bool isScattered = false; ///< Keys are far apart.
  int after = -1; ///< The input to whose numbers these are added, each as often as it takes.

  int64_t count() const;
  int64_t bytes() const { return count() * bytesOf(element); }
};

struct Kernel {
  std::string_view name;
  Family family;
  std::vector<int64_t> sizes;

  std::string sizeText() const;
  /// Needs several GB for each peer, and runs only when asked for.
  bool isLarge() const { return name.ends_with("-1g") || name.ends_with("-1e8"); }
};
const std::vector<Kernel> &kernels();
const Kernel *kernelNamed(std::string_view name);

/// A convolution without padding; channels are those of one group.
struct Convolution {
  int64_t batch, groups, in, out;
  int64_t size;   ///< Of the result, in both directions.
  int64_t kernel; ///< Likewise.
  int64_t stride;

  explicit Convolution(const Kernel &kernel);
  int64_t inputSize() const { return (size - 1) * stride + kernel; }
};

/// Operands in the order of the TC function's parameters and results; only the first result is
/// looked at.
struct Shape {
  std::vector<Operand> inputs, results;
  double flops = 0;
  double bytes = 0;   ///< That must be read and written once; 0 where memory is not the limit.
  int64_t groups = 0; ///< Of a kernel of tinytc: how many it is launched with.
};
Shape shapeOf(const Kernel &kernel);

/// Of kernels of tinytc: the same, and what the preprocessor is told, `NAME=VALUE`.
Shape batchShapeOf(const Kernel &kernel);
std::vector<std::string> definitionsOf(const Kernel &kernel);

} // namespace tessera::bench

#endif
