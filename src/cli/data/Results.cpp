/// The result of a function on data: printed, written to a file, compared.
#include "cli/Results.h"
#include "cli/OutputFile.h"
#include "cli/data/Compare.h"
#include "cli/data/Print.h"
#include "llvm/Support/JSON.h"
#include <cstdio>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// The same limit as for tensors.
constexpr int64_t longest = 1000;

class Delivery {
public:
  Delivery(const Parameter &parameter, const void *result, const ResultPlan &plan,
           Terminal &terminal)
      : parameter(parameter), type(*parameter.data), result(result), plan(plan),
        terminal(terminal) {}

  bool print() {
    raw_ostream &out = terminal.out;
    switch (plan.form) {
    case PrintForm::Json:
      return printObject(out);
    case PrintForm::Table:
      printTable(out, tabulateTexts(type, result), TableStyle::ofTerminal());
      return true;
    case PrintForm::Csv:
      return writeCsv(out, "comma-separated lines");
    default:
      bool isShort =
          plan.form == PrintForm::Short && countScalars(type, result, longest + 1) > longest;
      printJson(out, type, result, {.isAbbreviated = isShort});
      out << '\n';
      return true;
    }
  }

  bool write(StringRef path) {
    std::optional<OutputFile> file = OutputFile::open(path, terminal);
    return file && writeAs(path, file->stream()) && file->commit();
  }

  bool isAsExpected() {
    auto difference = compare(type, result, plan.expectedData->slot(), plan.rtol, plan.atol);
    if (difference)
      terminal.report(diag::DataDiffers, nameOf(parameter),
                      nameOf(parameter).str() + difference->path, difference->actual,
                      difference->expected);
    return !difference;
  }

private:
  bool unfit(StringRef place, const std::string &problem) {
    terminal.report(diag::UnfitResult, nameOf(parameter), type.text(), place, problem);
    return false;
  }

  bool writeCsv(raw_ostream &out, StringRef place) {
    std::string problem;
    return printCsv(out, type, result, plan.dataOptions.csv, problem) || unfit(place, problem);
  }

  bool writeAs(StringRef path, raw_ostream &out) {
    if (path.ends_with(".csv"))
      return writeCsv(out, "a `.csv` file");
    if (path.ends_with(".json")) {
      printJson(out, type, result, {.quotesNonFinite = true});
      out << '\n';
      return true;
    }
    std::string problem;
    return writeNpy(out, type, result, problem) || unfit("a `.npy` file", problem);
  }

  bool printObject(raw_ostream &out) {
    out << "{\"name\":" << llvm::json::Value(nameOf(parameter)) << ",\"type\":\"" << type.text()
        << '"';
    std::string whyNoShape;
    if (auto shape = data::shapeOf(type, result, whyNoShape))
      out << ",\"shape\":" << shapeText(*shape);
    out << ",\"value\":";
    printJson(out, type, result, {.quotesNonFinite = true});
    out << "}\n";
    return true;
  }

  const Parameter &parameter;
  const DataType &type;
  const void *result;
  const ResultPlan &plan;
  Terminal &terminal;
};

} // namespace

int cli::deliverData(const Signature &signature, const void *result, const ResultPlan &plan,
                     Terminal &terminal) {
  fflush(stdout); // The output of C functions comes first.
  Delivery delivery(signature.results.front(), result, plan, terminal);
  const std::string &file = plan.files.front();
  bool isWritten = file.empty() ? !plan.prints || delivery.print() : delivery.write(file);
  bool isExpected = !plan.expectedData || delivery.isAsExpected();
  return !isWritten ? UsageError : !isExpected ? RuntimeError : Success;
}
