#include "cli/Call.h"
#include "cli/Bug.h"
#include "cli/CallArguments.h"
#include "cli/Failure.h"
#include "cli/Foreign.h"
#include "cli/Interrupt.h"
#include "runtime/Format.h"
#include "runtime/Print.h"

using namespace tessera;
using namespace tessera::cli;

/// For functions on data: they have no sizes and update nothing.
static bool planOnData(PlannedCall &plan, const Signature &function, const Invocation &invocation,
                       Terminal &terminal) {
  Sizes sizes(function);
  ArgumentValues none(function.parameters.size());
  llvm::SmallVector<llvm::StringRef> initial = invocation.texts(Opt::Initial);
  bool isCorrect = sizes.readOptions(invocation, terminal);
  isCorrect &= readInitialValues({function, {}, initial}, sizes, none, terminal);
  auto options = data::ReadOptions::read(invocation, terminal);
  if (!options || !isCorrect)
    return false;
  plan.data = readDataArguments({function, invocation.arguments()}, *options, terminal);
  plan.signature = function;
  return plan.data != nullptr;
}

/// For kernels: no sizes have names, and they update their arguments.
static bool planKernel(PlannedCall &plan, const Signature &kernel, const Invocation &invocation,
                       Terminal &terminal) {
  Sizes sizes(kernel);
  ArgumentValues none(kernel.parameters.size());
  llvm::SmallVector<llvm::StringRef> initial = invocation.texts(Opt::Initial);
  bool isCorrect = sizes.readOptions(invocation, terminal);
  isCorrect &= readInitialValues({kernel, {}, initial}, sizes, none, terminal);
  plan.kernel = kernels::Launch::read(kernel, invocation, terminal);
  if (!plan.kernel || !isCorrect)
    return false;
  plan.signature = plan.kernel->signature();
  return true;
}

/// The function with its arguments from the command line, and its program for these sizes.
static bool planFunction(PlannedCall &plan, const Invocation &invocation, Terminal &terminal) {
  const Signature *function = calledFunction(*plan.source, plan.options, terminal);
  if (!function)
    return false;
  if (function->kernel)
    return planKernel(plan, *function, invocation, terminal);
  if (invocation.has(Opt::Groups))
    return terminal.report(diag::GroupsElsewhere, function->name), false;
  if (function->isOnData())
    return planOnData(plan, *function, invocation, terminal);
  llvm::SmallVector<llvm::StringRef> initial = invocation.texts(Opt::Initial);
  uint64_t seed = invocation.integer(Opt::Seed, 0);
  Sizes sizes(*function);
  bool hasSizes = sizes.readOptions(invocation, terminal);
  auto values = readArguments({*function, invocation.arguments(), initial, seed}, sizes, terminal);
  if (!hasSizes || !values ||
      !plan.source->specialize(sizes.bindings(), plan.options, invocation, terminal))
    return false;
  plan.signature = *plan.source->program.find(plan.options.language.entry);
  for (Parameter &result : plan.signature.results)
    result = sizes.known(result);
  if (!readInitialValues({plan.signature, {}, initial, seed}, sizes, *values, terminal))
    return false;
  for (std::optional<Tensor> &value : *values)
    plan.arguments.push_back(std::move(*value));
  return true;
}

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
  if (!plan.source->check(plan.options.language, invocation, terminal)) {
    status = plan.source->failure();
    return std::nullopt;
  }
  auto foreign = findForeign(*plan.source, invocation, terminal, status);
  if (!foreign)
    return std::nullopt;
  plan.foreign = std::move(*foreign);
  double begin = now(), checked = plan.source->timing.check;
  bool isPlanned = planFunction(plan, invocation, terminal);
  plan.source->timing.read = now() - begin - (plan.source->timing.check - checked);
  if (!isPlanned || !plan.source->readSchedules(plan.options, invocation, terminal)) {
    status = plan.source->refusal();
    return std::nullopt;
  }
  return plan;
}

std::optional<Flops> tessera::cli::launchFlops(const PlannedCall &plan) {
  std::vector<llvm::StringRef> memory = plan.kernel->numberMemory();
  KernelLaunch launch{plan.kernel->arguments(), &plan.kernel->size(), memory};
  auto flops = countKernelFlops(*plan.source->language, plan.source->program, plan.options, launch);
  return flops && flops->total() > 0 ? flops : std::nullopt;
}

Call::Call(PlannedCall &plan) : launch(plan.kernel.get()) {
  if (plan.kernel) {
    resultViews = plan.kernel->results();
    return;
  }
  if (plan.data) {
    argumentData = plan.data->slot();
    resultData.resize(plan.signature.results.front().data->size() / sizeof(uint64_t) + 1);
    return;
  }
  resultViews.resize(plan.signature.results.size());
  for (Tensor &tensor : plan.arguments)
    argumentViews.push_back(tensor.view());
}

std::unique_ptr<Call> Call::load(PlannedCall &plan, const Invocation &invocation,
                                 Terminal &terminal, int &status) {
  std::unique_ptr<Call> call(new Call(plan));
  call->program = loadProgram(*plan.source, plan.options, plan.foreign, terminal, status);
  if (!call->program)
    return nullptr;
  std::string error;
  if (!call->start(plan, invocation, error)) {
    status = reportBug({error, ""}, *plan.source, terminal);
    return nullptr;
  }
  call->expectFaults(plan, terminal.style);
  return call;
}

std::unique_ptr<Call> Call::load(PlannedCall &plan, std::string object,
                                 const Invocation &invocation, std::string &error) {
  std::unique_ptr<Call> call(new Call(plan));
  call->program =
      jit::Program::load(std::move(object), plan.options.target.debugInfo, error, plan.foreign);
  return call->program && call->start(plan, invocation, error) ? std::move(call) : nullptr;
}

bool Call::find(const PlannedCall &plan, std::string &error) {
  entry = program->find(plan.signature.name, error);
  place = entry ? entry->place : nullptr;
  return entry;
}

bool Call::findKernel(const PlannedCall &plan, std::string &error) {
  kernelEntry = program->findKernel(plan.signature.name, error);
  place = kernelEntry ? kernelEntry->place : nullptr;
  return kernelEntry;
}

bool Call::findOnData(const PlannedCall &plan, std::string &error) {
  dataEntry = program->findProgram(plan.signature.name, error);
  if (!dataEntry)
    return false;
  place = dataEntry->place;
  if (data::describes(dataEntry->arguments, plan.data->type) &&
      data::describes(dataEntry->result, *plan.signature.results.front().data))
    return true;
  error = "the types of the code differ from those of the program";
  return false;
}

bool Call::start(const PlannedCall &plan, const Invocation &invocation, std::string &error) {
  bool isFound = plan.kernel ? findKernel(plan, error)
                 : plan.data ? findOnData(plan, error)
                             : find(plan, error);
  if (!isFound)
    return false;
  tessera_set_threads(invocation.integer(Opt::Threads, 0));
  tessera_rt_set_memory_limit(invocation.integer(Opt::MaxMemory, 0));
  runtime::setPrintsJson(invocation.has(Opt::Json));
  return true;
}

/// Signal handlers can write a text but not build one.
void Call::expectFaults(const PlannedCall &plan, PrintStyle style) {
  const SourceFile &source = plan.source->textOfPositions();
  overflowText = faultText(place, source,
                           kernelEntry ? "stack overflow (local memory is on the stack)"
                                       : "stack overflow (recursion too deep)",
                           "", style);
  bool isChecked = plan.options.language.checked;
  outsideText =
      dataEntry ? faultText(place, source,
                            "a function that the program calls accessed invalid memory", "", style)
                : faultText(place, source, "the program accessed memory outside its tensors",
                            isChecked ? "" : "`--checked` says where", style);
  runtime::setStackOverflowText(overflowText.c_str());
  tessera_rt_install_stack_guard();
}

int Call::invoke() {
  freeResults();
  LastWords words{outsideText.c_str(), RuntimeError};
  FaultGuard guard(words);
  if (kernelEntry)
    return tessera_rt_launch(kernelEntry, launch->arguments(), &launch->size());
  if (dataEntry)
    return tessera_rt_run(dataEntry, argumentData, resultData.data(), &run);
  return tessera_rt_invoke(entry, argumentViews.data(), resultViews.data());
}

void Call::freeResults() {
  if (launch) // The plan owns them.
    return;
  for (tessera_view &view : resultViews)
    tessera_free(&view);
  tessera_run_free(run);
  run = nullptr;
}
