/// A call of a function with its arguments, for `run` and `bench`.
#ifndef TESSERA_CLI_CALL_H
#define TESSERA_CLI_CALL_H

#include "cli/Compilation.h"
#include "cli/Tensor.h"
#include "cli/data/Memory.h"
#include "cli/kernels/Launch.h"
#include "compiler/CountFlops.h"

namespace tessera::cli {

/// What the command line requests, after all checks; nothing is compiled yet.
struct PlannedCall {
  std::unique_ptr<Source> source;
  CompileOptions options;
  Signature signature; ///< The function, with the sizes known so far.
  std::vector<Tensor> arguments;
  std::vector<jit::Foreign> foreign;       ///< Functions that it calls.
  std::unique_ptr<data::Value> data;       ///< A struct of the arguments, unless they are tensors.
  std::unique_ptr<kernels::Launch> kernel; ///< For a kernel: its arguments are also its results.
};

/// Opens and checks the program, finds the function and reads its arguments. Reports mistakes; then
/// it returns nullopt and sets `status`.
std::optional<PlannedCall> planCall(const Invocation &invocation, Terminal &terminal, int &status);

/// The floating-point operations of a planned launch; nullopt if they cannot be counted.
std::optional<Flops> launchFlops(const PlannedCall &plan);

/// A call with its code. Results remain until the next call.
class Call {
public:
  /// Null on failure, which is reported, with `status` set. Sets threads and limits of the whole
  /// process. The plan must outlive the call: its arguments are passed as they are.
  static std::unique_ptr<Call> load(PlannedCall &plan, const Invocation &invocation,
                                    Terminal &terminal, int &status);
  /// Calls an object that was compiled for the plan. Null on failure; `error` says why.
  static std::unique_ptr<Call> load(PlannedCall &plan, std::string object,
                                    const Invocation &invocation, std::string &error);
  ~Call() { freeResults(); }

  /// Returns TESSERA_OK, or why it failed.
  int invoke();
  llvm::ArrayRef<tessera_view> results() const { return resultViews; }
  /// The result of a function on data.
  const void *dataResult() const { return resultData.data(); }

  /// Results may be large.
  void freeResults();

private:
  explicit Call(PlannedCall &plan);
  /// Finds the entry point and sets up the process.
  bool start(const PlannedCall &plan, const Invocation &invocation, std::string &error);
  bool find(const PlannedCall &plan, std::string &error);
  bool findOnData(const PlannedCall &plan, std::string &error);
  bool findKernel(const PlannedCall &plan, std::string &error);
  void expectFaults(const PlannedCall &plan, PrintStyle style);

  std::unique_ptr<jit::Program> program;
  const tessera_signature *entry = nullptr;
  const tessera_program *dataEntry = nullptr;
  const tessera_kernel *kernelEntry = nullptr; ///< One of the three is set.
  const tessera_site *place = nullptr;
  const kernels::Launch *launch = nullptr;
  std::vector<tessera_view> argumentViews, resultViews;
  const void *argumentData = nullptr;
  std::vector<uint64_t> resultData;
  tessera_run *run = nullptr; ///< What the result points to.
  std::string overflowText, outsideText;
};

} // namespace tessera::cli

#endif
