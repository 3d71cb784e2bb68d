#include "cli/Results.h"
#include "cli/Arguments.h"
#include "cli/ArrayFile.h"
#include "cli/Elements.h"
#include "cli/OutputFile.h"
#include "cli/Terminal.h"
#include "cli/Values.h"
#include "cli/data/Print.h"
#include "cli/kernels/Launch.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdio>
#include <deque>

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringLiteral;
using llvm::StringRef;

StringRef cli::nameOf(const Parameter &result) {
  return result.name.empty() ? StringRef("result") : StringRef(result.name);
}

namespace {

std::string countOf(StringRef noun, size_t count) {
  std::string number = count == 0 ? "no" : std::to_string(count);
  return number + " " + noun.str() + (count == 1 ? "" : "s");
}

class Planner {
public:
  Planner(const Signature &signature, const Invocation &invocation, Terminal &terminal,
          const kernels::Launch *kernel)
      : signature(signature), invocation(invocation), terminal(terminal), kernel(kernel) {}

  std::optional<ResultPlan> plan() {
    result.files.resize(signature.results.size());
    result.expected.resize(signature.results.size());
    planPrint();
    result.rtol = invocation.real(Opt::Rtol, 0);
    result.atol = invocation.real(Opt::Atol, 0);
    if (signature.isOnData() && !planData())
      return std::nullopt;
    planEach(Opt::Result, "-o", [&](size_t i, StringRef file) { return planFile(i, file); });
    planEach(Opt::Expect, "--expect", [&](size_t i, StringRef v) { return planExpected(i, v); });
    return isCorrect ? std::optional(std::move(result)) : std::nullopt;
  }

private:
  template <typename... Ts> Report error(const DiagnosticKind &kind, Ts &&...values) {
    isCorrect = false;
    return terminal.report(kind, std::forward<Ts>(values)...);
  }

  bool planData() {
    auto options = data::ReadOptions::read(invocation, terminal);
    if (!options)
      return false;
    result.dataOptions = *options;
    if (result.form == PrintForm::Csv)
      checkFits(data::whyNoCsv(*signature.results.front().data), "comma-separated lines");
    return isCorrect;
  }

  void checkFits(const std::string &problem, StringRef place) {
    const Parameter &only = signature.results.front();
    if (!problem.empty())
      error(diag::UnfitResult, nameOf(only), describe(only), place, problem);
  }

  /// `--print=FORM`, or for a kernel `--print=NAME,NAME,FORM`: a name takes precedence over a form.
  void planPrint() {
    if (!kernel)
      for (size_t index = 0; index < signature.results.size(); ++index)
        result.printed.push_back(index);
    llvm::SmallVector<StringRef> words;
    invocation.text(Opt::Print).split(words, ',');
    for (StringRef word : words)
      if (kernel && !kernel->resultsOf(word).empty())
        llvm::append_range(result.printed, kernel->resultsOf(word));
      else if (invocation.has(Opt::Print))
        planForm(word);
    if (invocation.has(Opt::Json))
      result.form = PrintForm::Json;
  }

  void planForm(StringRef word) {
    static constexpr std::pair<StringLiteral, PrintForm> forms[] = {
        {"full", PrintForm::Full}, {"table", PrintForm::Table}, {"csv", PrintForm::Csv}};
    for (auto [name, form] : forms)
      if (name == word) {
        result.form = form;
        return;
      }
    if (!kernel) {
      error(diag::BadChoice, "--print", "`full`, `table` or `csv`",
            inBackticks(invocation.text(Opt::Print)));
      return;
    }
    llvm::SmallVector<StringRef> names;
    for (const Parameter &parameter : signature.parameters)
      names.push_back(parameter.name);
    Report report = error(diag::UnknownPrinted, signature.name, inBackticks(word));
    if (StringRef nearest = nearestName(word, names); !nearest.empty())
      report.hint("did you mean `{0}`?", nearest);
    else if (!names.empty())
      report.hint("its parameters are {0}", listed(names, "and"));
  }

  /// Passes each `[NAME=]VALUE` of an option to `use`, with the result that it refers to.
  void planEach(Opt option, StringRef spelling, llvm::function_ref<void(size_t, StringRef)> use) {
    std::vector<std::optional<StringRef>> seen(signature.results.size());
    for (StringRef word : invocation.texts(option)) {
      auto [name, value] = splitersult(word);
      std::optional<size_t> index = find(name, value, spelling);
      if (!index)
        continue;
      if (seen[*index])
        error(diag::ResultGivenTwice, spelling, nameOf(signature.results[*index]),
              inBackticks(*seen[*index]), inBackticks(value));
      seen[*index] = value;
      use(*index, value);
    }
  }

  /// The names of a kernel's arguments may not be identifiers: `0`, `A[1]`.
  std::pair<StringRef, StringRef> splitersult(StringRef word) const {
    auto [name, value] = word.split('=');
    bool isResult = llvm::any_of(
        signature.results, [&, name = name](const Parameter &each) { return each.name == name; });
    return isResult ? std::pair(name, value) : splitName(word);
  }

  std::optional<size_t> find(StringRef name, StringRef value, StringRef spelling) {
    ArrayRef<Parameter> results = signature.results;
    StringRef noun = kernel ? "argument" : "result"; // A kernel returns its changed arguments.
    if (name.empty() && results.size() == 1)
      return 0;
    for (auto [index, candidate] : llvm::enumerate(results))
      if (nameOf(candidate) == name)
        return index;
    if (name.empty()) {
      error(diag::ResultNameNeeded, signature.name, countOf(noun, results.size()), spelling,
            inBackticks(value));
      return std::nullopt;
    }
    llvm::SmallVector<StringRef> names(llvm::map_range(results, nameOf));
    Report report = error(diag::UnknownResult, signature.name, inBackticks(name), spelling,
                          inBackticks(value), noun);
    if (StringRef nearest = nearestName(name, names); !nearest.empty())
      report.hint("did you mean `{0}`?", nearest);
    else
      report.hint("it has {0}{1}{2}", countOf(noun, names.size()), names.empty() ? "" : ": ",
                  listed(names, "and"));
    return std::nullopt;
  }

  void planDataFile(StringRef file) {
    const DataType &type = *signature.results.front().data;
    if (file.ends_with(".npy") || file == "-")
      checkFits(data::whyNoNpy(type), "a `.npy` file");
    else if (file.ends_with(".csv"))
      checkFits(data::whyNoCsv(type), "a `.csv` file");
    else if (!file.ends_with(".json"))
      error(diag::UnknownResultForm, pathInBackticks(file));
  }

  void planFile(size_t index, StringRef file) {
    for (auto [other, path] : llvm::enumerate(result.files))
      if (other != index && file != "-" && !path.empty() && isSameFile(file, path))
        error(diag::SameResultFile, nameOf(signature.results[other]),
              nameOf(signature.results[index]), pathInBackticks(file));
    result.files[index] = file.str();
    if (signature.isOnData())
      return planDataFile(file);
    if (file != "-" && !file.ends_with(".npy"))
      error(diag::NotNpy, pathInBackticks(file));
  }

  void planExpectedData(StringRef text) {
    const Parameter &only = signature.results.front();
    result.expectedData = std::make_unique<data::Value>(*only.data);
    data::Value &value = *result.expectedData;
    data::Target target{"result", nameOf(only), value.type, value.slot(), value.memory};
    isCorrect &= data::readValue(text, target, result.dataOptions, terminal);
  }

  void planExpected(size_t index, StringRef value) {
    if (signature.isOnData())
      return planExpectedData(value);
    ValueTarget target{signature.results[index], "result", unsigned(index),
                       invocation.integer(Opt::Seed, 0), /*isReference=*/true};
    result.expected[index] = readValue(value, target, terminal);
    isCorrect &= result.expected[index].has_value();
  }

  const Signature &signature;
  const Invocation &invocation;
  Terminal &terminal;
  const kernels::Launch *kernel;
  ResultPlan result;
  bool isCorrect = true;
};

/// Writes nothing if any of them cannot be written.
bool writeResults(ArrayRef<std::string> paths, ArrayRef<tessera_view> results, Terminal &terminal) {
  std::deque<OutputFile> files;
  llvm::SmallVector<const tessera_view *> views;
  for (auto [path, view] : llvm::zip_equal(paths, results)) {
    if (path.empty())
      continue;
    std::optional<OutputFile> file = OutputFile::open(path, terminal);
    if (!file)
      return false;
    files.push_back(std::move(*file));
    views.push_back(&view);
  }
  bool areWritten = true;
  for (auto [file, view] : llvm::zip_equal(files, views)) {
    writeNpy(file.stream(), *view);
    areWritten &= file.commit();
  }
  return areWritten;
}

bool isAsExpected(const Parameter &parameter, const tessera_view &view, Tensor &expected,
                  const ResultPlan &plan, Terminal &terminal) {
  Parts parts(view);
  tessera_view actual = parts.view();
  if (shapeOf(actual) != expected.shape()) {
    terminal.report(diag::ResultShapeDiffers, nameOf(parameter), shapeText(shapeOf(actual)),
                    shapeText(expected.shape()));
    return false;
  }
  Difference difference = compare(actual, expected.view(), plan.rtol, plan.atol);
  if (difference.count == 0)
    return true;
  bool isScalar = actual.ndim == 0;
  std::string where = isScalar ? "" : " at " + shapeText(difference.index);
  std::string total;
  if (!isScalar)
    total = llvm::formatv("; {0} of {1} elements differ", difference.count, expected.numElements());
  terminal.report(diag::ResultDiffers, nameOf(parameter), where, difference.actual,
                  difference.expected, total);
  return false;
}

} // namespace

std::optional<ResultPlan> cli::planResults(const Signature &signature, const Invocation &invocation,
                                           Terminal &terminal, const kernels::Launch *kernel) {
  return Planner(signature, invocation, terminal, kernel).plan();
}

int cli::deliverResults(const Signature &signature, ArrayRef<tessera_view> results,
                        ResultPlan &plan, Terminal &terminal) {
  // Programs print through C's buffer: their output comes first.
  fflush(stdout);
  bool isExpected = true;
  // JSON always contains the name; for a single value, a reader does not need it.
  size_t count = signature.kernel ? plan.printed.size() : results.size();
  bool isNamed = count > 1 || plan.form == PrintForm::Json;
  for (size_t index : plan.printed)
    if (plan.files[index].empty() && plan.prints)
      printResult(terminal.out, isNamed ? nameOf(signature.results[index]) : "", results[index],
                  plan.form);
  bool isWritten = writeResults(plan.files, results, terminal);
  for (auto [index, view] : llvm::enumerate(results))
    if (plan.expected[index])
      isExpected &=
          isAsExpected(signature.results[index], view, *plan.expected[index], plan, terminal);
  return !isWritten ? UsageError : !isExpected ? RuntimeError : Success;
}
