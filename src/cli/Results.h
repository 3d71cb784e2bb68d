/// Prints the results of a call, writes them to files, and compares them.
#ifndef TESSERA_CLI_RESULTS_H
#define TESSERA_CLI_RESULTS_H

#include "cli/Tensor.h"
#include "cli/data/Values.h"

namespace tessera::cli {

class Terminal;
struct Invocation;
namespace kernels {
class Launch;
}

enum class PrintForm { Short, Full, Table, Csv, Json };

/// Read before anything is computed, so that a mistake in an option costs no time.
struct ResultPlan {
  PrintForm form = PrintForm::Short;
  bool prints = true;                          ///< Results that go to no file are printed.
  std::vector<size_t> printed;                 ///< The printed ones, in order, if any are named.
  std::vector<std::string> files;              ///< One per result; "": none.
  std::vector<std::optional<Tensor>> expected; ///< One per result.
  double rtol = 0, atol = 0;
  std::unique_ptr<data::Value> expectedData; ///< For a result that is not a tensor.
  data::ReadOptions dataOptions;
};

/// Reads -o, --expect, --print, --json and the tolerances. Reports what does not fit the signature;
/// then it returns nullopt (UsageError). For a kernel, with its launch, prints only what --print
/// names.
std::optional<ResultPlan> planResults(const Signature &signature, const Invocation &invocation,
                                      Terminal &terminal, const kernels::Launch *kernel = nullptr);

/// Returns Success; RuntimeError if a result is not the expected one; UsageError if a file could
/// not be written.
int deliverResults(const Signature &signature, llvm::ArrayRef<tessera_view> results,
                   ResultPlan &plan, Terminal &terminal);

/// The same for a function on data.
int deliverData(const Signature &signature, const void *result, const ResultPlan &plan,
                Terminal &terminal);

/// "result" if a language leaves its single result without a name.
llvm::StringRef nameOf(const Parameter &result);

/// Prints one result. Forms other than JSON leave out an empty name.
void printResult(llvm::raw_ostream &out, llvm::StringRef name, const tessera_view &view,
                 PrintForm form);

/// Whether |actual - expected| <= atol + rtol * |expected|. NaN equals NaN, and infinities equal
/// themselves. A long double represents every int64, uint64 and float64.
bool agree(long double actual, long double expected, double rtol, double atol);
template <typename T> long double wide(const T &element) {
  if constexpr (std::is_arithmetic_v<T>)
    return element;
  else
    return double(element);
}

/// Where and how two tensors of the same shape differ.
struct Difference {
  llvm::SmallVector<int64_t, 4> index; ///< The position of the first different element.
  std::string actual, expected;
  int64_t count = 0; ///< 0 if they are equal.
};
Difference compare(const tessera_view &actual, const tessera_view &expected, double rtol,
                   double atol);

} // namespace tessera::cli

#endif
