/// What happens to the results of a call: they are printed, written to files, compared.
#ifndef TESSERA_CLI_RESULTS_H
#define TESSERA_CLI_RESULTS_H

#include "cli/Tensor.h"

namespace tessera::cli {

class Terminal;
struct Invocation;

enum class PrintForm { Short, Full, Table, Csv, Json };

/// Decided before anything is computed, so that a mistake in an option costs no time.
struct ResultPlan {
  PrintForm form = PrintForm::Short;
  bool prints = true;                          ///< Results that go to no file are printed.
  std::vector<std::string> files;              ///< One a result; "": none.
  std::vector<std::optional<Tensor>> expected; ///< One a result.
  double rtol = 0, atol = 0;
};

/// Reads -o, --expect, --print, --json and the tolerances. Reports what does not fit the signature;
/// nothing is returned then (UsageError).
std::optional<ResultPlan> planResults(const Signature &signature, const Invocation &invocation,
                                      Terminal &terminal);

/// Returns Success; RuntimeError when a result is not the expected one; UsageError when a file
/// could not be written.
int deliverResults(const Signature &signature, llvm::ArrayRef<tessera_view> results,
                   ResultPlan &plan, Terminal &terminal);

/// One result. Forms other than JSON leave out an empty name.
void printResult(llvm::raw_ostream &out, llvm::StringRef name, const tessera_view &view,
                 PrintForm form);

/// Where and how two tensors of one shape differ.
struct Difference {
  llvm::SmallVector<int64_t, 4> index; ///< Of the first different element.
  std::string actual, expected;
  int64_t count = 0; ///< 0: they are equal.
};
/// Elements agree when |a - e| <= atol + rtol * |e|; NaN agrees with NaN, infinities with
/// themselves.
Difference compare(const tessera_view &actual, const tessera_view &expected, double rtol,
                   double atol);

} // namespace tessera::cli

#endif
