#include "cli/Trials.h"
#include "cli/Results.h"
#include "cli/data/Compare.h"
#include <algorithm>
#include <map>

using namespace tessera;
using namespace tessera::cli;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using schedule::Measurement;
using schedule::Program;
using Outcome = Measurement::Outcome;

namespace {

/// A shorter sample would measure the clock.
constexpr double shortestSample = 20e-6;
/// The seconds for a candidate after its first call, and the number of samples that is enough.
constexpr double wantedSeconds = 0.01;
constexpr size_t wantedSamples = 20;
/// How long a call may continue after the deadline.
constexpr double grace = 0.2;
/// How much longer a race may take: after a crash, programs are compiled again.
constexpr double raceGrace = 20;

double medianOf(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double leastOf(const std::vector<double> &values) {
  return *llvm::min_element(values);
}

/// Times measured in the same rounds. Both the median over rounds and the minima must show a gain.
double ratio(const std::vector<double> &times, const std::vector<double> &base) {
  std::vector<double> ratios;
  for (auto [time, other] : llvm::zip_equal(times, base))
    ratios.push_back(time / other);
  return std::max(medianOf(ratios), leastOf(times) / leastOf(base));
}

Value valueOf(const Program &program) {
  Array array;
  for (const schedule::Contraction &each : program)
    array.push_back(each.toJson());
  return array;
}

Program programOf(const Value &value) {
  Program program;
  std::string error;
  for (const Value &each : *value.getAsArray())
    program.push_back(*schedule::Contraction::fromJson(*each.getAsObject(), error));
  return program;
}

std::string textOf(Object object) {
  return llvm::formatv("{0}", Value(std::move(object)));
}

std::string keyOf(const Value &schedules) {
  return llvm::formatv("{0}", schedules);
}

} // namespace

/// The work of the child. Programs stay loaded to be measured again.
struct Trials::Child {
  Child(PlannedCall &plan, Session &session, const Invocation &invocation)
      : plan(plan), session(session), invocation(invocation),
        initial(plan.kernel ? plan.kernel->contents() : "") {}

  std::string serve(llvm::StringRef request) {
    Value parsed = llvm::cantFail(llvm::json::parse(request));
    const Object &object = *parsed.getAsObject();
    if (!reference && !(reference = load(*object.get("reference"))))
      return textOf(Object{{"failed", failure}, {"status", status}});
    const Array &programs = *object.getArray("programs");
    double seconds = object.getNumber("seconds").value_or(0);
    return textOf(seconds > 0 ? race(programs, seconds)
                              : measure(programs.front(), *object.getNumber("limit")));
  }

private:
  /// Null if it cannot be compiled, fails, or has different results than the reference.
  Call *load(const Value &schedules) {
    std::unique_ptr<Call> &call = calls[keyOf(schedules)];
    if (call)
      return call.get();
    failure.clear();
    std::optional<std::string> object = session.compileWith(programOf(schedules));
    if (!object)
      failure = session.bug().message;
    else
      call = Call::load(plan, std::move(*object), invocation, failure);
    if (call && failure.empty())
      verify(*call);
    if (!failure.empty())
      call.reset();
    return call.get();
  }

  void verify(Call &call) {
    if (plan.kernel)
      plan.kernel->restore(initial);
    if (status = call.invoke(); status != TESSERA_OK) {
      failure = tessera_last_error();
      return;
    }
    if (plan.kernel)
      return verifyKernel();
    if (!reference)
      return;
    if (plan.data)
      return verifyData(call);
    for (auto [actual, expected, result] :
         llvm::zip_equal(call.results(), reference->results(), plan.signature.results))
      if (Difference difference = compare(actual, expected, 0, 0); difference.count)
        failure = llvm::formatv("result `{0}` differs: {1} instead of {2}", result.name,
                                difference.actual, difference.expected);
  }

  /// Compares what the kernel has changed. All candidates work on the same memory.
  void verifyKernel() {
    if (!reference)
      changed = plan.kernel->contents();
    else if (changed != plan.kernel->contents())
      failure = "the arguments differ after the call";
  }

  void verifyData(Call &call) {
    const Parameter &result = plan.signature.results.front();
    auto difference = data::compare(*result.data, call.dataResult(), reference->dataResult(), 0, 0);
    if (difference)
      failure = llvm::formatv("result `{0}{1}` differs: {2} instead of {3}", nameOf(result),
                              difference->path, difference->actual, difference->expected);
  }

  double sample(Call &call, int64_t batch) {
    double begin = now();
    for (int64_t i = 0; i < batch; ++i)
      call.invoke();
    return (now() - begin) / double(batch);
  }

  Object measure(const Value &program, double limit) {
    Call *call = load(program);
    if (!call)
      return Object{{"failed", failure}};
    double first = sample(*call, 1), least = std::min(first, sample(*call, 1));
    if (least > limit && least > shortestSample) {
      calls.erase(keyOf(program));
      return Object{{"slow", least}};
    }
    int64_t batch = std::max<int64_t>(1, shortestSample / std::max(least, 1e-9));
    double end = now() + wantedSeconds;
    for (size_t count = 0; count < wantedSamples && (count < 3 || now() < end); ++count)
      least = std::min(least, sample(*call, batch));
    if (call != reference)
      call->freeResults();
    return Object{{"seconds", least}};
  }

  Object race(const Array &programs, double seconds) {
    std::vector<Call *> entrants;
    for (const Value &program : programs)
      if (Call *call = load(program))
        entrants.push_back(call);
      else
        return Object{{"failed", failure}};
    double each = sample(*entrants.front(), 1), end = now() + seconds;
    int64_t batch = std::max<int64_t>(1, 10 * shortestSample / std::max(each, 1e-9));
    std::vector<std::vector<double>> times(entrants.size());
    // Each round begins with a different program, so that other activity of the machine does not
    // always affect the same one.
    for (size_t round = 0; round < 3 || now() < end; ++round)
      for (size_t i = 0; i < entrants.size(); ++i) {
        size_t entrant = (round + i) % entrants.size();
        times[entrant].push_back(sample(*entrants[entrant], batch));
      }
    Array results;
    for (const std::vector<double> &list : times)
      results.push_back(leastOf(times.front()) * ratio(list, times.front()));
    return Object{{"times", std::move(results)}};
  }

  PlannedCall &plan;
  Session &session;
  const Invocation &invocation;
  std::string initial, changed; ///< The contents of a kernel's arguments before and after a call.
  std::map<std::string, std::unique_ptr<Call>> calls;
  Call *reference = nullptr;
  std::string failure;
  int status = TESSERA_RUNTIME_ERROR;
};

Trials::Trials(PlannedCall &plan, Session &session, const Invocation &invocation)
    : state(std::make_unique<Child>(plan, session, invocation)),
      worker([this](llvm::StringRef request) { return state->serve(request); }) {}

Trials::~Trials() = default;

Measurement Trials::measure(const Program &program, double limit, double deadline) {
  if (reference.empty())
    reference = program;
  Array programs{valueOf(program)};
  Worker::Answer answer = worker.ask(textOf(Object{{"reference", valueOf(reference)},
                                                   {"programs", std::move(programs)},
                                                   {"limit", std::min(limit, 1e9)}}),
                                     deadline - now() + grace);
  if (answer.kind == Worker::Answer::Kind::Died)
    return {Outcome::Rejected, 0, "it crashed: " + answer.text};
  if (answer.kind != Worker::Answer::Kind::Given)
    return {Outcome::Stopped};
  Value parsed = llvm::cantFail(llvm::json::parse(answer.text));
  const Object &object = *parsed.getAsObject();
  lastFailure = object.getInteger("status").value_or(TESSERA_RUNTIME_ERROR);
  if (auto failed = object.getString("failed"))
    return {Outcome::Rejected, 0, failed->str()};
  if (auto seconds = object.getNumber("slow"))
    return {Outcome::Slow, *seconds};
  return {Outcome::Good, *object.getNumber("seconds")};
}

std::vector<double> Trials::race(llvm::ArrayRef<Program> programs, double seconds) {
  Array list;
  for (const Program &program : programs)
    list.push_back(valueOf(program));
  Worker::Answer answer = worker.ask(textOf(Object{{"reference", valueOf(reference)},
                                                   {"programs", std::move(list)},
                                                   {"seconds", seconds}}),
                                     seconds + raceGrace);
  std::vector<double> times;
  if (answer.kind != Worker::Answer::Kind::Given)
    return times;
  Value parsed = llvm::cantFail(llvm::json::parse(answer.text));
  if (const Array *found = parsed.getAsObject()->getArray("times"))
    for (const Value &time : *found)
      times.push_back(*time.getAsNumber());
  return times;
}
