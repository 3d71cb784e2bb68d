#include "Compare.h"
#include "../Apart.h"
#include "../Kind.h"
#include "Invocation.h"
#include "compiler/Session.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <unistd.h>

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

namespace tessera {
extern const Language tinytcLanguage;
} // namespace tessera

namespace {

constexpr unsigned maxSeconds = 60; ///< For compiling.

struct Mode {
  const char *name;
  unsigned optLevel;
  bool isChecked;
  /// Modes of the same turn alternate by seed; -1: always.
  int turn;
};
constexpr Mode modes[] = {
    {"-O2", 2, false, -1},
    {"-O0", 0, false, 0},
    {"-O0 --checked", 0, true, 1},
};

/// A function, its call, and the evaluator's result.
struct Known {
  const Function &function;
  Call call;
  std::vector<Datum> after; ///< The arguments with the final contents of their memory.
  Outcome outcome;

  Known(const Function &function, const Call &call) : function(function), call(call) {
    try {
      after = makeArguments(function, call);
      outcome = evaluate(function, after, call.groups);
    } catch (const Undefined &undefined) {
      outcome = {Outcome::Undefined, undefined.why};
    }
  }
  bool isFinished() const { return outcome.end == Outcome::Finished; }
  std::string name() const { return function.name.text.drop_front().str(); }
};

std::string describe(const Known &known) {
  static constexpr const char *ends[] = {"finishes", "unclear: ", "undefined: ", "too long: "};
  return ends[known.outcome.end] + known.outcome.why;
}

/// Returns "" or the error in the calls of a program.
std::string evaluateAll(const Parsed &parsed, const std::string &text, std::vector<Known> &all) {
  for (const Function *function : parsed.program->functions) {
    std::optional<Call> call = readCall(text, function->name.text);
    if (!call)
      return "the call does not fit";
    all.emplace_back(*function, *call);
    if (all.back().outcome.end == Outcome::Undefined)
      return "undefined: " + all.back().outcome.why;
  }
  return "";
}

/// Whether the order of additions may be visible: then threads may differ in the last bits.
bool addsFloats(const std::string &text) {
  return llvm::StringRef(text).contains("atomic");
}

/// All functions of a program, compiled in a mode.
class Compiled {
public:
  Compiled(const Parsed &parsed, const Mode &mode) {
    CompileOptions options;
    options.target.optLevel = mode.optLevel;
    options.target.cpu = processor;
    options.language.checked = mode.isChecked;
    DiagnosticEngine diagnostics;
    Checked checked = tinytcLanguage.check(parsed.file, options.language, diagnostics);
    Session session(options);
    alarm(maxSeconds);
    auto object = session.compile(tinytcLanguage, checked, Artifact::Object);
    alarm(0);
    if (object)
      loaded = jit::Program::load(std::move(*object), false, error);
    else
      error = "compiler bug: " + session.bug().message;
  }

  /// Returns null and sets `error` on failure.
  const tessera_kernel *find(const std::string &name) {
    return loaded ? loaded->findKernel(name, error) : nullptr;
  }

  std::string error;

private:
  std::unique_ptr<jit::Program> loaded;
};

/// Runs with the call's number of threads, and with another.
std::string compareRuns(const Known &known, const tessera_kernel &kernel, bool mayDiffer) {
  std::string first;
  for (int64_t threads : {known.call.threads, 3 - known.call.threads}) {
    Invocation invocation(known.function, makeArguments(known.function, known.call));
    std::string problem = invocation.run(kernel, known.call.groups, threads);
    if (problem.empty())
      problem = invocation.difference(known.after);
    if (!problem.empty())
      return llvm::formatv("{0} threads: {1}", threads, problem);
    if (!first.empty() && !mayDiffer && invocation.bytes() != first)
      return "one and two threads differ";
    first = invocation.bytes();
  }
  return "";
}

std::string compareModes(const Parsed &parsed, const std::vector<Known> &all, bool mayDiffer) {
  for (const Mode &mode : modes) {
    if (mode.turn >= 0 && uint64_t(mode.turn) != all.front().call.seed % 2)
      continue;
    Compiled compiled(parsed, mode);
    for (const Known &known : all) {
      const tessera_kernel *kernel = compiled.find(known.name());
      std::string problem = kernel
                                ? known.isFinished() ? compareRuns(known, *kernel, mayDiffer) : ""
                                : compiled.error;
      if (!problem.empty())
        return llvm::formatv("{0}: @{1}: {2}", mode.name, known.name(), problem);
    }
  }
  return "";
}

llvm::SmallVector<const Memory *> memoriesOf(llvm::ArrayRef<Datum> arguments) {
  llvm::SmallVector<const Memory *> memories;
  for (const Datum &datum : arguments) {
    if (auto *memref = std::get_if<Memref>(&datum))
      memories.push_back(memref->memory.get());
    else if (auto *group = std::get_if<std::shared_ptr<const Group>>(&datum))
      for (const Memref &member : **group)
        memories.push_back(member.memory.get());
  }
  return memories;
}

/// Compares two results of the evaluator, both of which may be off by their slack.
std::string differenceOf(const Known &known, const Known &other) {
  for (auto [left, right] : llvm::zip_equal(memoriesOf(known.after), memoriesOf(other.after)))
    for (size_t cell = 0; cell < left->size(); ++cell) {
      Quantity expected = (*left)[cell], found = (*right)[cell];
      expected.re.slack += found.re.slack;
      expected.im.slack += found.im.slack;
      if (!agrees(expected, found, left->element))
        return llvm::formatv("element {0}: {1} instead of {2}", cell,
                             random::text(found, left->element),
                             random::text(expected, left->element));
    }
  return "";
}

/// The language's own passes keep the meaning.
std::string comparePasses(const Parsed &parsed, const std::vector<Known> &all) {
  std::string text = optimized(*parsed.program);
  Parsed after(text);
  if (!after.isCorrect)
    return "after the language's passes: " + after.errors();
  if (after.program->functions.size() != all.size())
    return "one of the language's passes fails";
  for (auto [known, function] : llvm::zip_equal(all, after.program->functions)) {
    Known other(*function, known.call);
    bool isComparable = known.isFinished() && other.outcome.end != Outcome::Unclear;
    std::string problem = !isComparable         ? ""
                          : !other.isFinished() ? describe(other)
                                                : differenceOf(known, other);
    if (!problem.empty())
      return llvm::formatv("after the language's passes: @{0}: {1}\n{2}", known.name(), problem,
                           text);
  }
  return "";
}

/// Whether rounding may change some numbers arbitrarily; these are not compared.
bool hasUnknown(const Known &known) {
  for (const Memory *memory : memoriesOf(known.after))
    for (size_t cell = 0; cell < memory->size(); ++cell)
      if (std::isinf((*memory)[cell].re.slack) || std::isinf((*memory)[cell].im.slack))
        return true;
  return false;
}

} // namespace

std::string random::compare(const std::string &text) {
  Parsed parsed(text);
  if (!parsed.isCorrect)
    return "check: " + parsed.errors();
  std::vector<Known> all;
  if (std::string problem = evaluateAll(parsed, text, all); !problem.empty() || all.empty())
    return problem;
  if (std::string problem = comparePrinted(parsed, text); !problem.empty())
    return problem;
  if (std::string problem = comparePasses(parsed, all); !problem.empty())
    return problem;
  return compareModes(parsed, all, addsFloats(text));
}

std::string random::compareApart(const std::string &text) {
  return apart([&] { return compare(text); });
}

std::string random::classify(const std::string &text) {
  Parsed parsed(text);
  if (!parsed.isCorrect)
    return "rejected: " + parsed.errors();
  std::vector<Known> all;
  if (std::string problem = evaluateAll(parsed, text, all); !problem.empty())
    return problem;
  auto open = llvm::find_if(all, [](const Known &known) { return !known.isFinished(); });
  if (open != all.end())
    return describe(*open);
  return llvm::any_of(all, hasUnknown) ? "finishes with numbers that may be any" : "finishes";
}
