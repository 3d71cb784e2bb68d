/// `tessera tune`: measures schedules and saves the best.
#include "cli/Bug.h"
#include "cli/Failure.h"
#include "cli/Trials.h"
#include "cli/TuneRecords.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using schedule::Findings;
using schedule::Kernel;
using schedule::Record;

namespace {

constexpr double defaultBudget = 3, forever = 1e9;

std::string candidatesText(const Findings &findings) {
  return llvm::formatv("{0} candidate{1}", findings.numTried, findings.numTried == 1 ? "" : "s");
}

/// One line on a terminal, redrawn after each candidate.
class Progress {
public:
  Progress(bool isDrawn, double budget, llvm::raw_ostream &err)
      : isDrawn(isDrawn), budget(budget), end(now() + budget), err(err) {}
  ~Progress() {
    if (isDrawn)
      err << "\r\x1b[K";
  }

  void draw(const Findings &findings) {
    if (!isDrawn)
      return;
    constexpr int width = 20;
    double left = std::max(end - now(), 0.0);
    int done = std::clamp<int>(width * (1 - left / std::max(budget, 1e-9)), 0, width);
    err << llvm::formatv("\r\x1b[K[{0}{1}] {2}, best {3}, {4:f2}x, {5:f1} s left",
                         std::string(done, '#'), std::string(width - done, '.'),
                         candidatesText(findings), timeText(findings.seconds), findings.speedUp(),
                         left);
  }

private:
  bool isDrawn;
  double budget, end;
  llvm::raw_ostream &err;
};

schedule::SearchTask taskOf(const PlannedCall &plan, std::vector<Kernel> kernels,
                            const Invocation &invocation) {
  schedule::SearchTask task;
  task.machine = plan.options.backend->machine(plan.options.target);
  task.budget = invocation.real(Opt::Budget, defaultBudget);
  task.seed = invocation.integer(Opt::Seed, 0);
  for (const Kernel &kernel : kernels) {
    schedule::Choice choice = plan.source->schedules->records().choose(kernel);
    bool isModeled = choice.origin == schedule::Origin::Modeled;
    task.remembered.push_back(isModeled ? std::nullopt : std::optional(choice.schedule));
  }
  task.kernels = std::move(kernels);
  task.now = now;
  return task;
}

/// The records to save: one for each kind of operation, if several are alike. Earlier records are
/// kept until a race is over.
std::vector<Record> recordsOf(const schedule::SearchTask &task, const Findings &findings,
                              const schedule::Book &book) {
  std::vector<Record> records;
  for (auto [kernel, schedule, isKept] :
       llvm::zip_equal(task.kernels, findings.best, findings.keepsRecord)) {
    if (isKept)
      continue;
    Record record{book.processor,   book.threads,     kernel.hasKnownSizes() ? "" : kernel.function,
                  kernel.kind,      kernel.sizes,     schedule,
                  findings.seconds, findings.untuned, task.seed};
    if (llvm::none_of(records, [&](const Record &each) { return each.isAbout(record); }))
      records.push_back(std::move(record));
  }
  return records;
}

std::string lineOf(Object object) {
  return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
}

/// What the search found, for the user.
struct Outcome {
  const PlannedCall &plan;
  const schedule::SearchTask &task;
  const Findings &findings;
  std::vector<std::string> files; ///< The files that were written.
  double seconds;                 ///< The time that the search took.
};

void printText(const Outcome &outcome, Terminal &terminal) {
  const Findings &found = outcome.findings;
  for (const Findings::Rejected &each : found.rejected)
    terminal.err << llvm::formatv("tessera: note: a candidate was skipped: {0} with {1}: {2}\n",
                                  each.kernel, lineOf(each.schedule.toJson()), each.why);
  terminal.out << outcome.plan.signature.name << ": " << timeText(found.untuned);
  if (found.numTried == 0)
    terminal.out << "; nothing was tried";
  else if (found.speedUp() > 1)
    terminal.out << llvm::formatv(" before, {0} now: {1:f2} times as fast", timeText(found.seconds),
                                  found.speedUp());
  else
    terminal.out << "; nothing was faster than "
                 << (outcome.files.empty() ? "the schedule found before" : "the model's schedule");
  terminal.out << llvm::formatv(" ({0} in {1:f1} s)\n", candidatesText(found), outcome.seconds);
  for (auto [kernel, schedule] : llvm::zip_equal(outcome.task.kernels, found.best))
    terminal.out << "  " << kernel.describe() << ": " << lineOf(schedule.toJson()) << '\n';
  if (found.numTried == 0)
    terminal.out << "  nothing was written: no candidate was tried\n";
  else if (outcome.files.empty())
    terminal.out << "  found before and kept: the final comparison did not finish\n";
  else
    terminal.out << "  written to " << llvm::join(outcome.files, " and ") << '\n';
}

void printJson(const Outcome &outcome, Terminal &terminal) {
  const Findings &found = outcome.findings;
  Array schedules, rejected, files;
  for (auto [kernel, schedule] : llvm::zip_equal(outcome.task.kernels, found.best)) {
    Object object = kernel.toJson();
    object["schedule"] = schedule.toJson();
    schedules.push_back(std::move(object));
  }
  for (const Findings::Rejected &each : found.rejected)
    rejected.push_back(
        Object{{"kernel", each.kernel}, {"schedule", each.schedule.toJson()}, {"why", each.why}});
  for (const std::string &file : outcome.files)
    files.push_back(file);
  terminal.out << lineOf(Object{{"function", outcome.plan.signature.name},
                                {"untuned", found.untuned},
                                {"seconds", found.seconds},
                                {"speedup", found.speedUp()},
                                {"candidates", found.numTried},
                                {"schedules", std::move(schedules)},
                                {"rejected", std::move(rejected)},
                                {"files", std::move(files)}})
               << '\n';
}

int printNothing(StringRef function, const Invocation &invocation, Terminal &terminal) {
  if (invocation.has(Opt::Json))
    terminal.out << lineOf(
        Object{{"function", function}, {"candidates", 0}, {"schedules", Array()}});
  else
    terminal.out << "nothing to tune: `" << function << "` has no operation with a schedule";
  terminal.out << '\n';
  return Success;
}

/// The search itself. The best schedule is written as soon as it is known.
int tune(PlannedCall &plan, Session &session, std::vector<Kernel> kernels,
         const Invocation &invocation, Terminal &terminal) {
  std::optional<TuneRecords> records = TuneRecords::open(invocation.file(), terminal);
  if (!records)
    return UsageError;
  schedule::SearchTask task = taskOf(plan, std::move(kernels), invocation);
  const schedule::Book &book = plan.source->schedules->records();
  InterruptFlag flag;
  Trials trials(plan, session, invocation);
  double begin = now(), deadline = forever; // The unchanged program may take any time.
  task.measure = [&](const schedule::Program &program, double limit) {
    schedule::Measurement result = trials.measure(program, limit, deadline);
    deadline = std::min(deadline, now() + task.budget);
    return result;
  };
  task.race = [&](llvm::ArrayRef<schedule::Program> programs, double seconds) {
    return trials.race(programs, seconds);
  };
  Findings findings;
  {
    bool isDrawn = terminal.isInteractive && !invocation.has(Opt::Json);
    Progress progress(isDrawn, task.budget, terminal.err);
    findings = search(task, [&](const Findings &sofar, bool isBetter) {
      if (isBetter)
        records->write(recordsOf(task, sofar, book), terminal);
      progress.draw(sofar);
    });
  }
  if (!findings.failure.empty())
    return reportFailure(trials.failure(), findings.failure, terminal);
  if (findings.untuned > 0) {
    std::vector<Record> found;
    if (findings.numTried > 0)
      found = recordsOf(task, findings, book);
    records->write(found, terminal);
    std::vector<std::string> files = found.empty() ? std::vector<std::string>() : records->files();
    Outcome outcome{plan, task, findings, std::move(files), now() - begin};
    (invocation.has(Opt::Json) ? printJson : printText)(outcome, terminal);
  }
  return InterruptFlag::isSet() ? Interrupted : Success;
}

} // namespace

int tessera::cli::runTune(const Invocation &invocation, Terminal &terminal) {
  int status = Success;
  std::optional<PlannedCall> plan = planCall(invocation, terminal, status);
  if (!plan)
    return status;
  CompileOptions options = plan->options;
  options.reschedule = nullptr; // Candidates are compared with the model's schedule.
  CrashGuard guard(plan->source->file);
  Session session(options);
  double begin = now();
  auto kernels = session.schedule(*plan->source->language, plan->source->program);
  if (!kernels)
    return reportBug(session.bug(), *plan->source, terminal);
  plan->source->timing.compile = now() - begin;
  if (kernels->empty())
    return printNothing(plan->signature.name, invocation, terminal);
  status = tune(*plan, session, std::move(*kernels), invocation, terminal);
  plan->source->timing.run = now() - begin;
  printTiming(*plan->source, invocation, terminal);
  return status;
}
