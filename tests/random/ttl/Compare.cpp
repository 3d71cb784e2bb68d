#include "Compare.h"
#include "../Apart.h"
#include "../Kind.h"
#include "Evaluator.h"
#include "compiler/Session.h"
#include "jit/Jit.h"
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::ttl;
using namespace tessera::ttl::random;

namespace {

constexpr int64_t maxSteps = 8000000;
/// Anything slower counts as a hang.
constexpr unsigned maxSecondsToCompile = 60;
unsigned maxSecondsToRun = 5;

struct Mode {
  const char *name;
  unsigned optLevel;
  bool checked;
};
constexpr Mode modes[] = {{"-O0", 0, false}, {"-O2", 2, false}, {"-O2 --checked", 2, true}};

/// Redirects standard output to a file in memory.
class Capture {
public:
  Capture() : file(memfd_create("output", 0)) { dup2(file, STDOUT_FILENO); }
  void clear() {
    ftruncate(file, 0);
    lseek(STDOUT_FILENO, 0, SEEK_SET);
  }
  std::string text() {
    fflush(stdout);
    std::string text(lseek(file, 0, SEEK_END), 0);
    if (pread(file, text.data(), text.size(), 0) != ssize_t(text.size()))
      abort();
    return text;
  }

private:
  int file;
};

struct Run {
  int status = 0;
  int32_t result = 0;
  std::string output, error;
};

Run invoke(const tessera_signature &entry, int threads) {
  static Capture capture;
  capture.clear();
  tessera_set_threads(threads);
  tessera_view result{};
  Run run;
  alarm(maxSecondsToRun);
  run.status = tessera_rt_invoke(&entry, nullptr, &result);
  alarm(0);
  run.output = capture.text();
  if (run.status != TESSERA_OK)
    run.error = tessera_last_error();
  else if (entry.num_results)
    run.result = *static_cast<int32_t *>(result.data);
  tessera_free(&result);
  return run;
}

std::string described(const Fault &fault) {
  return llvm::formatv("error at {0}:{1} [{2}]", fault.at.line, fault.at.column, fault.rule).str();
}

/// Converts "FILE:LINE:COLUMN: error: TEXT [RULE]", and the calls on further lines, to the form of
/// `described`.
std::string describedError(llvm::StringRef error) {
  auto [line, calls] = error.split('\n');
  auto [file, rest] = line.split(':');
  auto [row, afterRow] = rest.split(':');
  llvm::StringRef column = afterRow.split(':').first;
  size_t bracket = line.rfind('[');
  llvm::StringRef rule =
      bracket == llvm::StringRef::npos ? "" : line.substr(bracket + 1).drop_back();
  return llvm::formatv("error at {0}:{1} [{2}]", row, column, rule).str();
}

/// The position where two texts differ, with some context.
std::string firstDifference(llvm::StringRef expected, llvm::StringRef actual) {
  size_t at = 0;
  while (at < std::min(expected.size(), actual.size()) && expected[at] == actual[at])
    ++at;
  size_t begin = at > 60 ? at - 60 : 0;
  return llvm::formatv("output differs at byte {0}\n  expected ...{1}\n  actual   ...{2}", at,
                       expected.substr(begin, 160), actual.substr(begin, 160))
      .str();
}

/// Compares a run with the outcome expected in this mode.
std::string difference(const Outcome &expected, const Run &run, bool checked) {
  const std::optional<Fault> &fault =
      checked && expected.undefined ? expected.undefined : expected.division;
  llvm::StringRef output = expected.output;
  if (fault)
    output = output.take_front(fault->printed);
  std::string ending = run.status == TESSERA_OK ? "no error" : describedError(run.error);
  std::string wanted = fault ? described(*fault) : "no error";
  if (ending != wanted)
    return llvm::formatv("expected {0}\nactual {1}\n{2}", wanted, ending, run.error).str();
  if (run.output != output)
    return firstDifference(output, run.output);
  if (!fault && run.result != expected.result)
    return llvm::formatv("result: expected {0}, actual {1}", expected.result, run.result).str();
  return "";
}

std::string compareMode(const Checked &program, const Outcome &expected, const Mode &mode) {
  CompileOptions options;
  options.language.checked = mode.checked;
  options.language.standard = "seed";
  options.language.entry = "main";
  options.target.optLevel = mode.optLevel;
  options.target.cpu = processor;
  Session session(options);
  alarm(maxSecondsToCompile);
  auto object = session.compile(*languageNamed("ttl"), program, Artifact::Object);
  alarm(0);
  if (!object)
    return "compiler bug: " + session.bug().message;
  std::string error;
  auto loaded = jit::Program::load(std::move(*object), false, error);
  const tessera_signature *entry = loaded ? loaded->find("main", error) : nullptr;
  if (!entry)
    return "cannot load: " + error;
  if (expected.end == End::Undefined && !mode.checked)
    return ""; // Once it compiles, it may do anything.
  for (int threads : {1, 3})
    if (std::string text = difference(expected, invoke(*entry, threads), mode.checked);
        !text.empty())
      return llvm::formatv("{0} threads: {1}", threads, text).str();
  return "";
}

std::string rejection(DiagnosticEngine &diagnostics) {
  std::string text = "rejected\n";
  llvm::raw_string_ostream out(text);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == Severity::Error)
      print(out, diagnostic, {});
  return text;
}

} // namespace

static const Program &treeOf(const Checked &checked) {
  return *static_cast<const Program *>(checked.program.get());
}

bool tessera::ttl::random::endsInTime(const std::string &text) {
  SourceFile file("random.ttl", text);
  DiagnosticEngine diagnostics;
  Checked checked = languageNamed("ttl")->check(file, {}, diagnostics);
  return !checked.isCorrect || evaluate(treeOf(checked), maxSteps).end != End::TooLong;
}

std::string tessera::ttl::random::classify(const std::string &text) {
  static constexpr const char *names[] = {"finished", "divides by zero", "undefined", "too long"};
  SourceFile file("random.ttl", text);
  DiagnosticEngine diagnostics;
  Checked checked = languageNamed("ttl")->check(file, {}, diagnostics);
  return checked.isCorrect ? names[int(evaluate(treeOf(checked), maxSteps).end)] : "rejected";
}

std::string tessera::ttl::random::compare(const std::string &text) {
  SourceFile file("random.ttl", text);
  DiagnosticEngine diagnostics;
  Checked checked = languageNamed("ttl")->check(file, {}, diagnostics);
  if (!checked.isCorrect)
    return rejection(diagnostics);
  Outcome expected = evaluate(treeOf(checked), maxSteps);
  if (expected.end == End::TooLong)
    return "";
  for (const Mode &mode : modes)
    if (std::string text = compareMode(checked, expected, mode); !text.empty())
      return llvm::formatv("{0}: {1}", mode.name, text).str();
  return "";
}

std::string tessera::ttl::random::compareApart(const std::string &text, unsigned seconds) {
  return apart([&] {
    maxSecondsToRun = seconds;
    return compare(text);
  });
}
