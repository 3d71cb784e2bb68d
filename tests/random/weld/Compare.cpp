#include "Compare.h"
#include "../Apart.h"
#include "../Kind.h"
#include "Invocation.h"
#include "Printed.h"
#include "compiler/Session.h"
#include "lang/weld/Format.h"
#include "lang/weld/PrintTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <unistd.h>

using namespace tessera;
using namespace tessera::weld;
using namespace tessera::weld::random;

namespace tessera {
extern const Language weldLanguage;
} // namespace tessera

namespace {

constexpr int64_t maxSteps = 4'000'000;
constexpr unsigned maxSeconds = 60; ///< For compiling.
constexpr int threadCounts[] = {1, 2, 7};

struct Mode {
  const char *name;
  unsigned optLevel;
};
constexpr Mode modes[] = {{"-O0", 0}, {"-O2", 2}};

std::string scalarDifference(Scalar type, const Value &expected, const Value &found) {
  bool isSame =
      !isFloat(type) ? expected.integer == found.integer
      : std::isnan(expected.real)
          ? std::isnan(found.real)
          : expected.real == found.real && std::signbit(expected.real) == std::signbit(found.real);
  bool isNear =
      isFloat(type) && expected.slack > 0 &&
      (std::isinf(expected.slack) || std::fabs(expected.real - found.real) <= expected.slack);
  if (isSame || isNear)
    return "";
  Type scalar{Type::Scalar, type, Combine::Add, {}};
  return ": " + random::text(scalar, found) + " instead of " + random::text(scalar, expected);
}

/// Everything known about one program and its arguments.
class Comparison {
public:
  Comparison(const Parsed &parsed, std::vector<Value> arguments, const Outcome &expected)
      : parsed(parsed), arguments(std::move(arguments)), expected(expected) {}

  std::string run() {
    DiagnosticEngine diagnostics;
    checked = language.check(parsed.file, {}, diagnostics);
    for (const Mode &mode : modes)
      if (std::string text = compareMode(mode); !text.empty())
        return llvm::formatv("{0}: {1}", mode.name, text);
    return "";
  }

private:
  const Program &program() const { return *parsed.program; }

  std::string compareMode(const Mode &mode) {
    CompileOptions options;
    options.target.optLevel = mode.optLevel;
    options.target.cpu = processor;
    Session session(options);
    alarm(maxSeconds);
    auto object = session.compile(language, checked, Artifact::Object);
    alarm(0);
    if (!object)
      return "compiler bug: " + session.bug().message;
    std::string error;
    auto loaded = jit::Program::load(std::move(*object), false, error);
    const std::string &name = checked.functions.front().name;
    const tessera_program *entry = loaded ? loaded->findProgram(name, error) : nullptr;
    if (!entry)
      return "cannot load: " + error;
    return compareRuns(*entry);
  }

  std::string compareRuns(const tessera_program &entry) {
    llvm::SmallVector<const Type *> types;
    for (const Variable *parameter : program().parameters)
      types.push_back(parameter->type);
    Type whole{Type::Struct, Scalar::I32, Combine::Add, types};
    Invocation invocation(entry, whole, arguments);
    Run first = invocation.run(threadCounts[0]);
    for (int threads : llvm::drop_begin(threadCounts)) {
      Run run = invocation.run(threads);
      if (run.status != first.status || run.bytes != first.bytes || run.error != first.error)
        return llvm::formatv("one thread and {0} threads differ: status {1} and {2}\n{3}\n{4}",
                             threads, first.status, run.status, first.error, run.error);
    }
    return judge(first);
  }

  std::string judge(const Run &run) {
    if (expected.end == Outcome::Failed)
      return judgeFailure(run);
    if (run.status != TESSERA_OK)
      return "failed, but the evaluator finishes: " + run.error;
    const Type &type = *program().value->type;
    std::optional<Value> found = valueOf(type, run.bytes);
    if (!found)
      return "the result is not a value";
    std::string text = difference(type, expected.value, *found);
    return text.empty() ? "" : "result" + text;
  }

  std::string judgeFailure(const Run &run) {
    std::string wanted = llvm::formatv("{0}:{1}:{2}: error: {3}", parsed.file.name(),
                                       expected.place.line, expected.place.column, expected.error);
    if (run.status == TESSERA_OK)
      return "finished instead of: " + wanted;
    if (run.status == TESSERA_RUNTIME_ERROR && llvm::StringRef(run.error).starts_with(wanted))
      return "";
    return "failed with `" + run.error + "` instead of `" + wanted + "`";
  }

  const Parsed &parsed;
  std::vector<Value> arguments;
  const Outcome &expected;
  const Language &language = weldLanguage;
  Checked checked;
};

struct Known {
  Parsed parsed;
  std::optional<std::vector<Value>> arguments;
  Outcome outcome;

  explicit Known(const std::string &text) : parsed(text) {
    if (parsed.isCorrect)
      arguments = readArguments(*parsed.program, argumentsOf(text));
    if (arguments)
      outcome = evaluate(*parsed.program, *arguments, {.maxSteps = maxSteps});
  }
};

/// Results must not depend on the number of lanes.
std::string compareLanes(const Known &known) {
  const Program &program = *known.parsed.program;
  Outcome other = evaluate(program, *known.arguments, {.lanes = 4, .maxSteps = 2 * maxSteps});
  std::string expected = known.outcome.text(program), found = other.text(program);
  if (other.end == Outcome::Unclear || expected == found)
    return "";
  bool isNear = known.outcome.end == Outcome::Finished && other.end == Outcome::Finished &&
                difference(*program.value->type, known.outcome.value, other.value).empty();
  return isNear ? "" : "8 and 4 lanes differ: " + expected + " and " + found;
}

/// The compiler prints a program of the same meaning; positions differ.
std::string comparePrinted(const Known &known, const std::string &text) {
  Parsed printed(text);
  if (!printed.isCorrect)
    return printed.errors();
  Outcome other = evaluate(*printed.program, *known.arguments, {.maxSteps = 8 * maxSteps});
  if (other.end == Outcome::TooLong || other.end == Outcome::Unclear)
    return "";
  const Program &program = *known.parsed.program;
  if (other.end != known.outcome.end || other.error != known.outcome.error)
    return other.text(*printed.program) + " instead of " + known.outcome.text(program);
  return other.end == Outcome::Failed
             ? ""
             : difference(*program.value->type, known.outcome.value, other.value);
}

std::string comparePasses(const Known &known) {
  std::string problem;
  forEachPrinted(*known.parsed.program, [&](llvm::StringRef pass, const std::string &text) {
    if (problem.empty())
      if (std::string found = comparePrinted(known, text); !found.empty())
        problem = llvm::formatv("printed after `{0}`: {1}\n{2}", pass, found, text);
  });
  return problem;
}

std::string treeOf(const std::string &text) {
  Parsed parsed(text);
  std::string tree;
  llvm::raw_string_ostream out(tree);
  if (parsed.isCorrect)
    printTree(*parsed.program, out);
  return tree;
}

std::string formatted(const std::string &text) {
  SourceFile file("program.weld", text);
  DiagnosticEngine diagnostics;
  return format(file, diagnostics).value_or("");
}

/// Formatting keeps the meaning, and is idempotent.
std::string compareFormatted(const std::string &text) {
  std::string once = formatted(text), twice = formatted(once);
  if (once != twice)
    return "formatting again changes\n" + once + "to\n" + twice;
  return treeOf(once) == treeOf(text) ? "" : "formatting changes the meaning\n" + once;
}

} // namespace

std::string random::difference(const Type &type, const Value &expected, const Value &found) {
  if (type.kind == Type::Scalar)
    return scalarDifference(type.scalar, expected, found);
  if (expected.elements().size() != found.elements().size())
    return ": " + std::to_string(found.elements().size()) + " elements instead of " +
           std::to_string(expected.elements().size());
  Type entry{Type::Struct, Scalar::I32, Combine::Add, type.parts};
  for (size_t i = 0; i < expected.elements().size(); ++i) {
    const Type &part = type.kind == Type::Struct ? *type.parts[i]
                       : type.kind == Type::Dict ? entry
                                                 : *type.parts[0];
    std::string inner = difference(part, expected.field(i), found.field(i));
    if (!inner.empty())
      return (type.kind == Type::Struct ? ".$" + std::to_string(i)
                                        : "[" + std::to_string(i) + "]") +
             inner;
  }
  return "";
}

std::string random::compare(const std::string &text) {
  Known known(text);
  if (!known.parsed.isCorrect)
    return "check: " + known.parsed.errors();
  if (!known.arguments)
    return "the arguments do not fit";
  if (std::string layout = compareFormatted(text); !layout.empty())
    return layout;
  // An unclear program was not evaluated to its end, and may take long, too.
  if (known.outcome.end == Outcome::TooLong || known.outcome.end == Outcome::Unclear)
    return "";
  if (std::string printed = comparePasses(known); !printed.empty())
    return printed;
  if (llvm::StringRef(text).contains("simditer"))
    if (std::string lanes = compareLanes(known); !lanes.empty())
      return lanes;
  return Comparison(known.parsed, *known.arguments, known.outcome).run();
}

std::string random::compareApart(const std::string &text) {
  return apart([&] { return compare(text); });
}

std::string random::classify(const std::string &text) {
  Known known(text);
  if (!known.parsed.isCorrect)
    return "rejected: " + known.parsed.errors();
  if (!known.arguments)
    return "the arguments do not fit";
  switch (known.outcome.end) {
  case Outcome::Finished:
    return "finishes";
  case Outcome::TooLong:
    return "too long";
  default:
    return known.outcome.error;
  }
}
