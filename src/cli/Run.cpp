#include "cli/Compilation.h"
#include "cli/Results.h"
#include "cli/Values.h"
#include "llvm/Support/JSON.h"
#include <cstdio>

using namespace tessera;
using namespace tessera::cli;

namespace {

/// The views of a call, and what must be freed after it.
struct Call {
  std::vector<Tensor> arguments;
  std::vector<tessera_view> argumentViews, resultViews;

  Call(std::vector<Tensor> tensors, size_t numResults) : arguments(std::move(tensors)), resultViews(numResults) {
    for (Tensor &tensor : arguments)
      argumentViews.push_back(tensor.view());
  }
  ~Call() {
    for (tessera_view &view : resultViews)
      tessera_free(&view);
  }
};

void printTiming(const Timing &timing, Terminal &terminal) {
  llvm::json::Object line;
  line["check"] = timing.check;
  line["compile"] = timing.compile;
  line["load"] = timing.load;
  line["run"] = timing.run;
  line["cached"] = timing.isCached;
  terminal.err << llvm::json::Value(std::move(line)) << '\n';
}

/// The message of the runtime has the program's position in front, or, about arguments, none.
int reportFailure(int status, Terminal &terminal) {
  fflush(stdout);
  terminal.out.flush();
  llvm::StringRef message = tessera_last_error();
  if (status == TESSERA_INVALID_ARGUMENT)
    terminal.err << "tessera: error: ";
  terminal.err << message << '\n';
  return status == TESSERA_INVALID_ARGUMENT ? UsageError : status == TESSERA_WRONG_CPU ? NotPossibleHere : RuntimeError;
}

/// `main` says how the process ends; --call prints what the function returns.
int deliver(const Invocation &invocation, const Signature &signature, Call &call, ResultPlan &plan, Terminal &terminal) {
  fflush(stdout);
  bool isMain = !invocation.has(Opt::Call);
  plan.prints = !isMain || invocation.has(Opt::PrintResult) || invocation.has(Opt::Json);
  int status = deliverResults(signature, call.resultViews, plan, terminal);
  if (status != Success || !isMain || signature.results.empty())
    return status;
  return *static_cast<int32_t *>(call.resultViews.front().data) & 0xff;
}

} // namespace

int tessera::cli::runRun(const Invocation &invocation, Terminal &terminal) {
  std::unique_ptr<Source> source = Source::open(invocation.file(), invocation, terminal);
  if (!source)
    return UsageError;
  int status = Success;
  std::optional<CompileOptions> options = compileOptions(*source->language, invocation, terminal, status);
  if (!options)
    return status;
  Timing timing;
  double begin = now();
  if (!source->check(options->language, invocation, terminal))
    return ProgramError;
  timing.check = now() - begin;
  const Signature *signature = calledFunction(*source, *options, terminal);
  if (!signature)
    return UsageError;
  auto plan = planResults(*signature, invocation, terminal);
  auto arguments = readArguments(*signature, invocation.arguments(), invocation.integer(Opt::Seed, 0), terminal);
  if (!plan || !arguments)
    return UsageError;
  std::unique_ptr<jit::Program> program = loadProgram(*source, *options, terminal, timing);
  std::string error;
  const tessera_signature *entry = program ? program->find(signature->name, error) : nullptr;
  if (!entry)
    return program ? reportBug({error, ""}, *source, terminal) : Bug;
  Call call(std::move(*arguments), signature->results.size());
  tessera_set_threads(invocation.integer(Opt::Threads, 0));
  tessera_rt_set_memory_limit(invocation.integer(Opt::MaxMemory, 0));
  tessera_rt_install_stack_guard();
  begin = now();
  status = tessera_rt_invoke(entry, call.argumentViews.data(), call.resultViews.data());
  timing.run = now() - begin;
  status = status == TESSERA_OK ? deliver(invocation, *signature, call, *plan, terminal) : reportFailure(status, terminal);
  terminal.out.flush();
  if (invocation.has(Opt::Time))
    printTiming(timing, terminal);
  return status;
}
