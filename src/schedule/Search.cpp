#include "schedule/Search.h"
#include "schedule/Candidates.h"
#include <deque>
#include <limits>

using namespace mlir;
using namespace tessera::schedule;
using Outcome = Measurement::Outcome;

namespace {

/// The part of the time that candidates take; the rest goes to the best of them.
constexpr double partForCandidates = 0.7;
/// Smaller gains are noise.
constexpr double leastGain = 0.02;
/// A candidate that is slower than the best by this factor is abandoned.
constexpr double patience = 1.3;
constexpr size_t numFinalists = 4;
constexpr double shortestRace = 0.02;

/// Kernels that share one record: they are computed alike.
struct KernelGroup {
  std::vector<size_t> members; ///< Indices of the kernels.
  Candidates candidates;
  struct Finalist {
    Contraction schedule;
    double seconds;
  };
  std::vector<Finalist> finalists = {}; ///< Fastest first.
  double seconds = 0;                   ///< The time of the fastest so far.
  bool isExhausted = false;
};

bool areAlike(const Kernel &first, const Kernel &second) {
  return first.kind == second.kind && first.sizes == second.sizes && first.model == second.model &&
         (first.hasKnownSizes() || first.function == second.function);
}

class Searcher {
public:
  Searcher(const SearchTask &task, function_ref<void(const Findings &, bool)> report)
      : task(task), report(report), remembered(task.remembered) {
    keepRemembered();
    for (auto [index, kernel] : llvm::enumerate(task.kernels)) {
      auto group = llvm::find_if(groups, [&, &kernel = kernel](const KernelGroup &each) {
        return areAlike(task.kernels[each.members.front()], kernel);
      });
      if (group != groups.end())
        group->members.push_back(index);
      else
        groups.push_back({{index}, Candidates(kernel, task.machine, task.seed)});
    }
  }

  Findings run() {
    Program model = modeled();
    Measurement first = task.measure(model, std::numeric_limits<double>::infinity());
    if (first.outcome != Outcome::Good) {
      findings.isStopped = first.outcome == Outcome::Stopped;
      findings.failure = first.why;
      return findings;
    }
    findings.seconds = findings.untuned = earlierSeconds = first.seconds;
    begin = task.now();
    for (KernelGroup &group : groups) {
      group.candidates.next(); // The model's choice.
      group.seconds = first.seconds;
    }
    measureRemembered(model);
    tryCandidates();
    if (findings.numTried == 0) // Nothing has beaten the remembered schedule or the model's.
      return findings;
    for (KernelGroup &group : groups)
      if (!findings.isStopped)
        chooseBest(group);
    if (!findings.isStopped)
      confirm(model);
    return findings;
  }

private:
  double timeLeft() const { return begin + task.budget - task.now(); }

  Program modeled() const {
    Program program;
    for (const Kernel &kernel : task.kernels)
      program.push_back(kernel.model);
    return program;
  }

  /// A schedule from earlier tuning stays the best until it loses a race.
  void keepRemembered() {
    findings.best = modeled();
    findings.keepsRecord.assign(task.kernels.size(), false);
    for (auto [index, earlier] : llvm::enumerate(remembered))
      if (earlier) {
        findings.best[index] = *earlier;
        findings.keepsRecord[index] = true;
      }
  }

  /// Schedules that no longer work are discarded.
  void measureRemembered(const Program &model) {
    if (findings.best == model)
      return;
    Measurement result = task.measure(findings.best, std::numeric_limits<double>::infinity());
    findings.isStopped = result.outcome == Outcome::Stopped;
    if (result.outcome == Outcome::Good)
      findings.seconds = earlierSeconds = result.seconds;
    if (result.outcome != Outcome::Rejected)
      return;
    remembered.assign(remembered.size(), std::nullopt);
    keepRemembered();
  }

  void tryCandidates() {
    double end = begin + partForCandidates * task.budget;
    while (!findings.isStopped && task.now() < end) {
      bool isDone = true;
      for (KernelGroup &group : groups)
        if (!group.isExhausted && !findings.isStopped && task.now() < end) {
          tryNext(group);
          isDone = false;
        }
      if (isDone)
        return;
    }
  }

  /// The model's choice for all groups but this one.
  Program with(const KernelGroup &group, const Contraction &schedule) const {
    Program program = modeled();
    for (size_t member : group.members)
      program[member] = schedule;
    return program;
  }

  void tryNext(KernelGroup &group) {
    std::optional<Contraction> candidate = group.candidates.next();
    group.isExhausted = !candidate;
    if (!candidate)
      return;
    Measurement result = task.measure(with(group, *candidate), patience * group.seconds);
    findings.isStopped = result.outcome == Outcome::Stopped;
    findings.numTried += !findings.isStopped;
    if (result.outcome == Outcome::Rejected)
      findings.rejected.push_back(
          {task.kernels[group.members.front()].describe(), *candidate, result.why});
    bool isBetter = result.outcome == Outcome::Good && enlist(group, {*candidate, result.seconds});
    if (!findings.isStopped)
      report(findings, isBetter);
  }

  /// Returns true if it is the best so far.
  bool enlist(KernelGroup &group, KernelGroup::Finalist finalist) {
    auto place = llvm::find_if(group.finalists,
                               [&](const auto &each) { return each.seconds > finalist.seconds; });
    group.finalists.insert(place, finalist);
    if (group.finalists.size() > numFinalists)
      group.finalists.pop_back();
    if (finalist.seconds > (1 - leastGain) * group.seconds)
      return false;
    group.seconds = finalist.seconds;
    if (findings.keepsRecord[group.members.front()])
      return false;
    accept(group, finalist.schedule);
    findings.seconds = std::min(findings.seconds, finalist.seconds);
    return true;
  }

  void accept(const KernelGroup &group, const Contraction &schedule) {
    for (size_t member : group.members) {
      findings.best[member] = schedule;
      findings.keepsRecord[member] = false;
    }
  }

  double raceTime() const { return std::max(timeLeft() / double(groups.size() + 1), shortestRace); }

  /// Single measurements depend on what else the machine does, so the best candidates run in turns.
  void chooseBest(KernelGroup &group) {
    const Contraction &model = task.kernels[group.members.front()].model;
    std::vector<Contraction> schedules{model};
    auto add = [&](const Contraction &schedule) {
      if (!llvm::is_contained(schedules, schedule))
        schedules.push_back(schedule);
    };
    if (std::optional<Contraction> earlier = remembered[group.members.front()])
      add(*earlier);
    for (const KernelGroup::Finalist &finalist : group.finalists)
      add(finalist.schedule);
    if (schedules.size() == 1)
      return accept(group, model);
    std::vector<Program> programs;
    for (const Contraction &schedule : schedules)
      programs.push_back(with(group, schedule));
    std::vector<double> times = task.race(programs, raceTime());
    if (times.empty())
      return;
    size_t fastest = llvm::min_element(times) - times.begin();
    bool isGain = times[fastest] < (1 - leastGain) * times.front();
    size_t winner = isGain ? fastest : 0;
    accept(group, schedules[winner]);
    if (groups.size() == 1) {
      findings.untuned = times.front();
      findings.seconds = times[winner];
    }
  }

  /// The best schedule for each kernel need not be the best combination.
  void confirm(const Program &model) {
    if (groups.size() == 1)
      return;
    std::vector<double> times;
    if (findings.best != model)
      times = task.race({model, findings.best}, raceTime());
    if (times.size() == 2 && times[1] < (1 - leastGain) * times[0]) {
      findings.untuned = times[0];
      findings.seconds = times[1];
      return;
    }
    if (times.empty() && findings.best != model)
      return restoreRemembered();
    findings.best = model;
    findings.keepsRecord.assign(model.size(), false);
    findings.seconds = findings.untuned;
  }

  void restoreRemembered() {
    keepRemembered();
    findings.seconds = earlierSeconds;
  }

  const SearchTask &task;
  function_ref<void(const Findings &, bool)> report;
  std::vector<std::optional<Contraction>> remembered;
  double begin = 0, earlierSeconds = 0;
  std::deque<KernelGroup> groups;
  Findings findings;
};

} // namespace

Findings tessera::schedule::search(const SearchTask &task,
                                   function_ref<void(const Findings &, bool isBetter)> report) {
  return Searcher(task, report).run();
}
