#include "cli/Call.h"
#include "cli/Failure.h"
#include "cli/Results.h"
#include <cstdio>

using namespace tessera;
using namespace tessera::cli;

namespace {

/// A kernel returns nothing, so without options nothing is shown.
void noteSilence(const Invocation &invocation, const Signature &signature, const ResultPlan &plan,
                 Terminal &terminal) {
  if (signature.kernel && plan.printed.empty() && !invocation.has(Opt::Result) &&
      !invocation.has(Opt::Expect))
    terminal.report(diag::NothingPrinted, signature.name)
        .hint("`--print=NAME,...` prints arguments after the call, `-o NAME=FILE.npy` writes one");
}

/// `main` decides the exit status; --call prints what the function returns.
int deliver(const Invocation &invocation, const PlannedCall &planned, const Call &call,
            ResultPlan &plan, Terminal &terminal) {
  fflush(stdout);
  const Signature &signature = planned.signature;
  bool isMain =
      !invocation.has(Opt::Call) && whyNoProgram(signature, *planned.source->language).empty();
  plan.prints = !isMain || invocation.has(Opt::PrintResult) || invocation.has(Opt::Json);
  int status = signature.isOnData() ? deliverData(signature, call.dataResult(), plan, terminal)
                                    : deliverResults(signature, call.results(), plan, terminal);
  noteSilence(invocation, signature, plan, terminal);
  if (status != Success || !isMain || signature.results.empty())
    return status;
  return *static_cast<int32_t *>(call.results().front().data) & 0xff;
}

} // namespace

int tessera::cli::runRun(const Invocation &invocation, Terminal &terminal) {
  int status = Success;
  std::optional<PlannedCall> planned = planCall(invocation, terminal, status);
  if (!planned)
    return status;
  if (invocation.has(Opt::To))
    return emitProgram(*planned->source, planned->options, invocation, terminal);
  const Signature &signature = planned->signature;
  std::optional<ResultPlan> plan =
      planResults(signature, invocation, terminal, planned->kernel.get());
  if (!plan)
    return UsageError;
  std::unique_ptr<Call> call = Call::load(*planned, invocation, terminal, status);
  if (!call)
    return status;
  double begin = now();
  status = call->invoke();
  planned->source->timing.run = now() - begin;
  if (planned->kernel && invocation.has(Opt::Time))
    if (std::optional<Flops> flops = launchFlops(*planned))
      planned->source->timing.flops = flops->total();
  status = status == TESSERA_OK ? deliver(invocation, *planned, *call, *plan, terminal)
                                : reportFailure(runtime::lastFailure(),
                                                planned->source->textOfPositions(), terminal);
  printTiming(*planned->source, invocation, terminal);
  return status;
}
