/// Measures the errors of mathematical functions and compares them with what Functions.def allows.
///   tessera-math [--exhaustive] [--only NAME] [--cpu NAME]
/// Samples 2^24 32-bit floats evenly over their bit patterns, or all 2^32 with --exhaustive, and
/// random 64-bit floats of several kinds. Also compares -O0 with -O2, bit for bit. Prints the table
/// of docs/math.md.
#include "Inputs.h"
#include "Kernel.h"
#include "Reference.h"
#include "tessera/runtime.h"
#include <cstring>
#include <thread>

using namespace tessera;
using namespace tessera::math_test;

namespace {

struct Options {
  bool isExhaustive = false;
  std::string only, cpu = "native";
};

/// The largest error, and its operands.
struct Worst {
  double error = -1, x = 0, y = 0, result = 0;

  void take(const Worst &other) {
    if (!(other.error <= error))
      *this = other;
  }
};

template <typename Float> using Exact = Wider<Float> (*)(const Float *operands);

template <typename Float> struct Subject {
  Operation operation;
  Exact<Float> exact;
  double allowed;
};

template <typename Float>
Worst measure(const Subject<Float> &subject, const Operands<Float> &operands,
              const std::vector<Float> &results, size_t begin, size_t end) {
  Worst worst;
  for (size_t i = begin; i < end; ++i) {
    Float x[2] = {operands[0][i], operands.back()[i]};
    double error = errorOf<Float>(results[i], subject.exact(x));
    if (!(error <= worst.error))
      worst = {error, x[0], x[1], results[i]};
  }
  return worst;
}

template <typename Float>
Worst measure(const Subject<Float> &subject, Kernel<Float> &kernel,
              const Operands<Float> &operands) {
  std::vector<Float> results = kernel.run(operands);
  Worst halves[2];
  size_t middle = results.size() / 2;
  std::thread other(
      [&] { halves[1] = measure(subject, operands, results, middle, results.size()); });
  halves[0] = measure(subject, operands, results, 0, middle);
  other.join();
  halves[0].take(halves[1]);
  return halves[0];
}

/// Whether the results are equal bit for bit; NaN may have any bits.
template <typename Float> bool isSame(const std::vector<Float> &a, const std::vector<Float> &b) {
  auto isEqual = [](Float x, Float y) {
    return memcmp(&x, &y, sizeof(Float)) == 0 || (std::isnan(x) && std::isnan(y));
  };
  return std::equal(a.begin(), a.end(), b.begin(), isEqual);
}

/// Without it, each step of a formula is rounded twice.
bool hasFma(const Target &target) {
  return backendNamed("cpu")->hasFma(target);
}

template <typename Float> bool check(const Subject<Float> &subject, const Options &options) {
  Target target;
  target.cpu = options.cpu;
  Kernel<Float> kernel(subject.operation, target);
  target.optLevel = 0;
  Kernel<Float> plain(subject.operation, target);
  Worst worst;
  Inputs<Float> inputs(subject.operation.operands, options.isExhaustive);
  Operands<Float> operands;
  bool isEqual = true;
  for (bool isFirst = true; inputs.next(operands); isFirst = false) {
    worst.take(measure(subject, kernel, operands));
    if (isFirst)
      isEqual = isSame(kernel.run(operands), plain.run(operands));
  }
  double allowed = subject.allowed + (hasFma(target) ? 0 : 1);
  bool isGood = worst.error <= allowed && isEqual;
  printf("| %-6s | %3zu | %6.3f | %.17g", subject.operation.name.c_str(), 8 * sizeof(Float),
         worst.error, worst.x);
  if (subject.operation.operands == 2)
    printf(", %.17g", worst.y);
  printf(" |%s%s\n", worst.error <= allowed ? "" : " too large",
         isEqual ? "" : " -O0 and -O2 differ");
  if (!(worst.error < 1e6))
    printf("  gave %.17g\n", worst.result);
  fflush(stdout);
  return isGood;
}

const Subject<float> singles[] = {
#define MATH_UNARY(name, single, wide)                                                             \
  {{#name, 1}, [](const float *x) { return double(reference::name(double(x[0]))); }, single},
#define MATH_BINARY(name, single, wide)                                                            \
  {{#name, 2},                                                                                     \
   [](const float *x) { return double(reference::name(double(x[0]), double(x[1]))); },             \
   single},
#include "Functions.def"
};

const Subject<double> doubles[] = {
#define MATH_UNARY(name, single, wide)                                                             \
  {{#name, 1}, [](const double *x) { return reference::name((long double)(x[0])); }, wide},
#define MATH_BINARY(name, single, wide)                                                            \
  {{#name, 2},                                                                                     \
   [](const double *x) { return reference::name((long double)(x[0]), (long double)(x[1])); },      \
   wide},
#include "Functions.def"
};

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--exhaustive")
      options.isExhaustive = true;
    else if (argument == "--only" && i + 1 < argc)
      options.only = argv[++i];
    else if (argument == "--cpu" && i + 1 < argc)
      options.cpu = argv[++i];
    else
      return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    fprintf(stderr, "usage: tessera-math [--exhaustive] [--only NAME] [--cpu NAME]\n");
    return 2;
  }
  bool isGood = true;
  auto isChosen = [&](const auto &subject) {
    return options.only.empty() || subject.operation.name == options.only;
  };
  for (const auto &subject : singles)
    if (isChosen(subject))
      isGood &= check(subject, options);
  for (const auto &subject : doubles)
    if (isChosen(subject))
      isGood &= check(subject, options);
  return isGood ? 0 : 1;
}
