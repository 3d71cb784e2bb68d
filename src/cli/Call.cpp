#include "cli/Call.h"
#include "cli/Values.h"
#include <cstdio>

using namespace tessera;
using namespace tessera::cli;

std::optional<PlannedCall> tessera::cli::planCall(const Invocation &invocation, Terminal &terminal,
                                                  int &status) {
  PlannedCall plan;
  status = UsageError;
  plan.source = Source::open(invocation.file(), invocation, terminal);
  if (!plan.source)
    return std::nullopt;
  auto options = compileOptions(*plan.source->language, invocation, terminal, status);
  if (!options)
    return std::nullopt;
  plan.options = std::move(*options);
  double begin = now();
  status = ProgramError;
  if (!plan.source->check(plan.options.language, invocation, terminal))
    return std::nullopt;
  plan.timing.check = now() - begin;
  status = UsageError;
  plan.signature = calledFunction(*plan.source, plan.options, terminal);
  if (!plan.signature)
    return std::nullopt;
  auto arguments = readArguments(*plan.signature, invocation.arguments(),
                                 invocation.integer(Opt::Seed, 0), terminal);
  if (!arguments)
    return std::nullopt;
  plan.arguments = std::move(*arguments);
  return plan;
}

Call::Call(PlannedCall &plan) : resultViews(plan.signature->results.size()) {
  for (Tensor &tensor : plan.arguments)
    argumentViews.push_back(tensor.view());
}

std::unique_ptr<Call> Call::load(PlannedCall &plan, const Invocation &invocation,
                                 Terminal &terminal) {
  std::unique_ptr<Call> call(new Call(plan));
  call->program = loadProgram(*plan.source, plan.options, terminal, plan.timing);
  if (!call->program)
    return nullptr;
  std::string error;
  call->entry = call->program->find(plan.signature->name, error);
  if (!call->entry)
    return reportBug({error, ""}, *plan.source, terminal), nullptr;
  tessera_set_threads(invocation.integer(Opt::Threads, 0));
  tessera_rt_set_memory_limit(invocation.integer(Opt::MaxMemory, 0));
  tessera_rt_install_stack_guard();
  return call;
}

int Call::invoke() {
  freeResults();
  return tessera_rt_invoke(entry, argumentViews.data(), resultViews.data());
}

void Call::freeResults() {
  for (tessera_view &view : resultViews)
    tessera_free(&view);
}

/// The message of the runtime has the program's position in front, or, about arguments, none.
int tessera::cli::reportFailure(int status, Terminal &terminal) {
  fflush(stdout);
  terminal.out.flush();
  if (status == TESSERA_INVALID_ARGUMENT)
    terminal.err << "tessera: error: ";
  terminal.err << tessera_last_error() << '\n';
  return status == TESSERA_INVALID_ARGUMENT ? UsageError
         : status == TESSERA_WRONG_CPU      ? NotPossibleHere
                                            : RuntimeError;
}
