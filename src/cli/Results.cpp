#include "cli/Results.h"
#include "cli/Arguments.h"
#include "cli/ArrayFile.h"
#include "cli/Elements.h"
#include "cli/OutputFile.h"
#include "cli/Terminal.h"
#include "cli/Values.h"
#include "cli/data/Print.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstdio>

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

StringRef cli::nameOf(const Parameter &result) {
  return result.name.empty() ? StringRef("result") : StringRef(result.name);
}

namespace {

std::string countResults(size_t count) {
  return count == 0 ? "no results" : count == 1 ? "1 result" : std::to_string(count) + " results";
}

class Planner {
public:
  Planner(const Signature &signature, const Invocation &invocation, Terminal &terminal)
      : signature(signature), invocation(invocation), terminal(terminal) {}

  std::optional<ResultPlan> plan() {
    result.files.resize(signature.results.size());
    result.expected.resize(signature.results.size());
    result.form = form();
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

  PrintForm form() const {
    if (invocation.has(Opt::Json))
      return PrintForm::Json;
    return llvm::StringSwitch<PrintForm>(invocation.text(Opt::Print))
        .Case("full", PrintForm::Full)
        .Case("table", PrintForm::Table)
        .Case("csv", PrintForm::Csv)
        .Default(PrintForm::Short);
  }

  /// Hands each `[NAME=]VALUE` of an option to `use`, with the result that it is about.
  void planEach(Opt option, StringRef spelling, llvm::function_ref<void(size_t, StringRef)> use) {
    std::vector<std::optional<StringRef>> seen(signature.results.size());
    for (StringRef word : invocation.texts(option)) {
      auto [name, value] = splitName(word);
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

  std::optional<size_t> find(StringRef name, StringRef value, StringRef spelling) {
    ArrayRef<Parameter> results = signature.results;
    if (name.empty() && results.size() == 1)
      return 0;
    for (auto [index, candidate] : llvm::enumerate(results))
      if (nameOf(candidate) == name)
        return index;
    if (name.empty()) {
      error(diag::ResultNameNeeded, signature.name, countResults(results.size()), spelling,
            inBackticks(value));
      return std::nullopt;
    }
    llvm::SmallVector<StringRef> names(llvm::map_range(results, nameOf));
    Report report =
        error(diag::UnknownResult, signature.name, inBackticks(name), spelling, inBackticks(value));
    if (StringRef nearest = nearestName(name, names); !nearest.empty())
      report.hint("did you mean `{0}`?", nearest);
    else
      report.hint("it has {0}{1}{2}", countResults(names.size()), names.empty() ? "" : ": ",
                  alternatives(names));
    return std::nullopt;
  }

  void planDataFile(StringRef file) {
    const DataType &type = *signature.results.front().data;
    if (file.ends_with(".npy") || file == "-")
      checkFits(data::whyNoNpy(type), "a `.npy` file");
    else if (file.ends_with(".csv"))
      checkFits(data::whyNoCsv(type), "a `.csv` file");
    else if (!file.ends_with(".json"))
      error(diag::UnknownResultForm, inBackticks(file));
  }

  void planFile(size_t index, StringRef file) {
    result.files[index] = file.str();
    if (signature.isOnData())
      return planDataFile(file);
    if (file != "-" && !file.ends_with(".npy"))
      error(diag::NotNpy, inBackticks(file));
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
                       invocation.integer(Opt::Seed, 0)};
    result.expected[index] = readValue(value, target, terminal);
    isCorrect &= result.expected[index].has_value();
  }

  const Signature &signature;
  const Invocation &invocation;
  Terminal &terminal;
  ResultPlan result;
  bool isCorrect = true;
};

bool writeResult(StringRef path, const tessera_view &view, Terminal &terminal) {
  std::optional<OutputFile> file = OutputFile::open(path, terminal);
  if (!file)
    return false;
  writeNpy(file->stream(), view);
  return file->commit();
}

bool isAsExpected(const Parameter &parameter, const tessera_view &actual, Tensor &expected,
                  const ResultPlan &plan, Terminal &terminal) {
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
                                           Terminal &terminal) {
  return Planner(signature, invocation, terminal).plan();
}

int cli::deliverResults(const Signature &signature, ArrayRef<tessera_view> results,
                        ResultPlan &plan, Terminal &terminal) {
  // Programs print through C's own buffer: what they printed comes first.
  fflush(stdout);
  bool isWritten = true, isExpected = true;
  // JSON always says the name; a reader of a single value has no use for it.
  bool isNamed = results.size() > 1 || plan.form == PrintForm::Json;
  for (auto [index, view] : llvm::enumerate(results)) {
    const Parameter &parameter = signature.results[index];
    if (!plan.files[index].empty())
      isWritten &= writeResult(plan.files[index], view, terminal);
    else if (plan.prints)
      printResult(terminal.out, isNamed ? nameOf(parameter) : "", view, plan.form);
    if (plan.expected[index])
      isExpected &= isAsExpected(parameter, view, *plan.expected[index], plan, terminal);
  }
  return !isWritten ? UsageError : !isExpected ? RuntimeError : Success;
}
