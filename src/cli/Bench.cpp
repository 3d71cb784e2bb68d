/// `tessera bench`: how long a call takes, and how close that is to the limits of the machine.
#include "cli/Call.h"
#include "cli/Failure.h"
#include "cli/MachineLimits.h"
#include "cli/data/Print.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;

namespace {

/// While it exists, output of the program is discarded, which would appear once per call.
class Silence {
public:
  explicit Silence(Terminal &terminal) {
    terminal.out.flush();
    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    if (int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
      dup2(nowhere, STDOUT_FILENO);
      close(nowhere);
    }
  }
  ~Silence() {
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
  }

private:
  int saved;
};

struct Samples {
  std::vector<double> seconds; ///< Means of batches, of one call, in the order of measuring.
  int64_t batch = 1;

  int64_t numCalls() const { return seconds.size() * batch; }
  double quantile(double part) const {
    std::vector<double> sorted = seconds;
    llvm::sort(sorted);
    return sorted[std::min(sorted.size() - 1, size_t(part * sorted.size()))];
  }
};

/// A shorter sample would measure the clock.
constexpr double shortestSample = 20e-6;
/// Warming up for this long fills caches, maps pages and starts threads; at least one call.
constexpr double warmUpSeconds = 0.1;
constexpr double defaultSeconds = 1;

class Stopwatch {
public:
  Stopwatch(Call &call, const Invocation &invocation) : call(call), invocation(invocation) {}

  /// Returns nullopt and sets `failure` if a call fails.
  std::optional<Samples> measure(int &failure) {
    double each = warmUp();
    bool isCounted = invocation.has(Opt::Repeat);
    samples.batch = isCounted ? 1 : std::max<int64_t>(1, shortestSample / std::max(each, 1e-9));
    uint64_t wanted = invocation.integer(Opt::Repeat, 0);
    double end = now() + invocation.real(Opt::MinTime, defaultSeconds);
    do
      sample();
    while (status == TESSERA_OK && (isCounted ? samples.seconds.size() < wanted : now() < end));
    failure = status;
    return status == TESSERA_OK ? std::optional(samples) : std::nullopt;
  }

private:
  /// Returns the time of the last call.
  double warmUp() {
    double end = now() + warmUpSeconds, begin, after;
    do {
      begin = now();
      status = call.invoke();
      after = now();
    } while (status == TESSERA_OK && after < end);
    return after - begin;
  }

  void sample() {
    double begin = now();
    for (int64_t i = 0; i < samples.batch && status == TESSERA_OK; ++i)
      status = call.invoke();
    samples.seconds.push_back((now() - begin) / samples.batch);
  }

  Call &call;
  const Invocation &invocation;
  Samples samples;
  int status = TESSERA_OK;
};

/// The work of one call: see the help of `bench` for how it is counted.
struct Work {
  std::optional<Flops> flops;
  double bytes = 0;
};

/// Whether there is anything to compute. Scalars count, and so do the effects of a program without
/// results.
bool hasEffect(const Call &call) {
  return call.results().empty() || llvm::any_of(call.results(), [](const tessera_view &view) {
           return *countElements({view.shape, size_t(view.ndim)}) > 0;
         });
}

Work countWork(const PlannedCall &plan, const Call &call) {
  Work work;
  if (plan.data) {
    const DataType &result = *plan.signature.results.front().data;
    work.bytes = double(data::countBytes(plan.data->type, plan.data->slot())) +
                 data::countBytes(result, call.dataResult());
    return work;
  }
  if (plan.kernel) {
    work.bytes = double(plan.kernel->numBytes());
    work.flops = launchFlops(plan);
    return work;
  }
  if (!hasEffect(call)) // Nothing needs to be moved.
    return work;
  std::vector<llvm::ArrayRef<int64_t>> shapes;
  for (const Tensor &tensor : plan.arguments) {
    shapes.push_back(tensor.shape());
    work.bytes += tensor.shape().empty() ? 0 : tensor.numBytes();
  }
  for (const tessera_view &view : call.results())
    if (view.ndim)
      work.bytes += double(*countElements({view.shape, size_t(view.ndim)})) * view.dtype.bits / 8;
  work.flops = countFlops(*plan.source->language, plan.source->program, plan.options, shapes);
  if (work.flops && work.flops->total() == 0)
    work.flops.reset();
  return work;
}

struct Outcome {
  const PlannedCall &plan;
  const Samples &samples;
  const Work &work;
  const MachineLimits &limits;

  /// From text to callable code.
  double compileSeconds() const {
    const Timing &timing = plan.source->timing;
    return timing.check + timing.compile + timing.load;
  }
  double median() const { return samples.quantile(0.5); }
  /// The limit for this mixture of types: float64 takes longer.
  double arithmeticLimit() const {
    const Flops &flops = *work.flops;
    return flops.total() / (flops.single / limits.flops + flops.wide / limits.wideFlops);
  }
  double memoryLimit() const { return std::max(limits.bytesRead, limits.bytesCopied); }
};

/// A line such as "arithmetic  12.34 GFLOP/s  45.0% of the 27.4 measured here".
struct Rate {
  llvm::StringRef name, unit;
  double amount, limit; ///< Per second.

  void print(llvm::raw_ostream &out) const {
    out << llvm::formatv("  {0,-12}{1,11} {2,-8}", name,
                         llvm::formatv("{0:f2}", amount / 1e9).str(), unit)
        << llvm::formatv(" {0:f1}% of the {1:f1} measured here{2}\n", 100 * amount / limit,
                         limit / 1e9, beyond());
  }

private:
  /// Data in a cache is faster than memory.
  const char *beyond() const { return name == "memory" && amount > limit ? ": in cache" : ""; }
};

void printText(llvm::raw_ostream &out, const Outcome &outcome) {
  const Samples &samples = outcome.samples;
  out << llvm::formatv("{0}: {1} call{4} on {2} thread{3}\n", outcome.plan.signature.name,
                       samples.numCalls(), tessera_num_threads(),
                       tessera_num_threads() == 1 ? "" : "s", samples.numCalls() == 1 ? "" : "s");
  auto row = [&](const char *name, double seconds) {
    out << llvm::formatv("  {0,-12}{1,14}\n", name, timeText(seconds));
  };
  out << llvm::formatv("  {0,-12}{1,14}{2}\n", "compile", timeText(outcome.compileSeconds()),
                       outcome.plan.source->timing.isCached ? "  from the cache" : "");
  row("min", samples.quantile(0));
  row("median", outcome.median());
  row("p90", samples.quantile(0.9));
  if (outcome.work.flops)
    Rate{"arithmetic", "GFLOP/s", outcome.work.flops->total() / outcome.median(),
         outcome.arithmeticLimit()}
        .print(out);
  if (outcome.work.bytes)
    Rate{"memory", "GB/s", outcome.work.bytes / outcome.median(), outcome.memoryLimit()}.print(out);
}

void printJson(llvm::raw_ostream &out, const Outcome &outcome) {
  const Samples &samples = outcome.samples;
  llvm::json::Object line{{"function", outcome.plan.signature.name},
                          {"threads", tessera_num_threads()},
                          {"calls", samples.numCalls()},
                          {"compile", outcome.compileSeconds()},
                          {"cached", outcome.plan.source->timing.isCached},
                          {"min", samples.quantile(0)},
                          {"median", outcome.median()},
                          {"p90", samples.quantile(0.9)},
                          {"bytes", outcome.work.bytes},
                          {"bytesPerSecond", outcome.work.bytes / outcome.median()}};
  line["limits"] = llvm::json::Object{{"flopsPerSecond", outcome.limits.flops},
                                      {"float64FlopsPerSecond", outcome.limits.wideFlops},
                                      {"bytesReadPerSecond", outcome.limits.bytesRead},
                                      {"bytesCopiedPerSecond", outcome.limits.bytesCopied}};
  if (outcome.work.flops) {
    line["flops"] = outcome.work.flops->total();
    line["flopsPerSecond"] = outcome.work.flops->total() / outcome.median();
  }
  out << llvm::json::Value(std::move(line)) << '\n';
}

} // namespace

int tessera::cli::runBench(const Invocation &invocation, Terminal &terminal) {
  int status = Success;
  std::optional<PlannedCall> plan = planCall(invocation, terminal, status);
  if (!plan)
    return status;
  if (invocation.has(Opt::To))
    return emitProgram(*plan->source, plan->options, invocation, terminal);
  std::unique_ptr<Call> call = Call::load(*plan, invocation, terminal, status);
  if (!call)
    return status;
  MachineLimits limits = measureLimits();
  std::optional<Samples> samples;
  double begin = now();
  {
    Silence silence(terminal);
    samples = Stopwatch(*call, invocation).measure(status);
  }
  if (!samples)
    return reportFailure(runtime::lastFailure(), plan->source->textOfPositions(), terminal);
  plan->source->timing.run = now() - begin;
  Work work = countWork(*plan, *call);
  (invocation.has(Opt::Json) ? printJson : printText)(terminal.out,
                                                      {*plan, *samples, work, limits});
  printTiming(*plan->source, invocation, terminal);
  return Success;
}
