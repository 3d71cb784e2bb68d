#include "lang/Language.h"
#include "lang/tc/Check.h"
#include "lang/tc/Format.h"
#include "lang/tc/Parser.h"
#include "lang/tc/PrintTree.h"

using namespace tessera;
using namespace tessera::tc;

static tessera::Parameter parameterOf(const tc::Parameter &declared) {
  tessera::Parameter parameter;
  parameter.name = declared.name.text.str();
  parameter.element = declared.type.element;
  parameter.isTensor = !declared.type.dimensions.empty();
  for (const Dimension &dimension : declared.type.dimensions) {
    parameter.shape.push_back(dimension.name.empty() ? dimension.size : dynamicSize);
    parameter.sizeNames.push_back(dimension.name.str());
  }
  return parameter;
}

static std::string declarationOf(const Def &def) {
  std::string text = "def " + def.name.text.str() + "(";
  for (const tc::Parameter &parameter : def.parameters)
    text += (&parameter == &*def.parameters.begin() ? "" : ", ") + spelling(parameter.type) + " " +
            parameter.name.text.str();
  text += ") -> (";
  for (const Return &result : def.returns)
    text += (&result == &*def.returns.begin() ? "" : ", ") +
            (result.type ? spelling(*result.type) + " " : "") + result.name.text.str();
  return text + ")";
}

/// What the checker knows of a result; its sizes are inferred later.
static tessera::Parameter resultOf(const Return &result) {
  tessera::Parameter parameter;
  parameter.name = result.name.text.str();
  parameter.element = result.tensor->element;
  parameter.isTensor = result.tensor->rank > 0;
  parameter.shape.assign(result.tensor->rank, dynamicSize);
  parameter.sizeNames.assign(result.tensor->rank, "");
  return parameter;
}

static Signature signatureOf(const Def &def) {
  Signature signature{
      def.name.text.str(), ("entry." + def.name.text).str(), {}, {}, declarationOf(def)};
  for (const tc::Parameter &parameter : def.parameters)
    signature.parameters.push_back(parameterOf(parameter));
  for (const Return &result : def.returns) {
    signature.results.push_back(resultOf(result));
    if (!result.tensor->isInOut)
      continue;
    signature.parameters.push_back(signature.results.back());
    signature.parameters.back().isInitial = true;
  }
  return signature;
}

static Checked checkProgram(const SourceFile &file, const LanguageOptions &options,
                            DiagnosticEngine &diagnostics) {
  std::shared_ptr<Program> program = parse(file, diagnostics);
  Checker(*program, options, diagnostics).checkProgram();
  // Here the inference of ranges follows.
  Checked checked;
  checked.isCorrect = !diagnostics.hasErrors();
  if (checked.isCorrect)
    for (const Def *def : program->defs)
      checked.functions.push_back(signatureOf(*def));
  checked.program = std::move(program);
  return checked;
}

static void printProgram(const Checked &checked, llvm::raw_ostream &out) {
  printTree(*static_cast<const Program *>(checked.program.get()), out);
}

static const DiagnosticKind diagnosticTable[] = {
#define TC_DIAGNOSTIC(name, severity, rule, text) {#name, rule, Severity::severity, text},
#include "lang/tc/Diagnostics.def"
};

static const llvm::StringRef standards[] = {"seed"};

#include "lang/tc/Rules.inc" // tcRules: docs/languages/tc.md

namespace tessera {
extern const Language tcLanguage;
const Language tcLanguage = {
    .name = "tc",
    .extension = ".tc",
    .summary = "Tensor Comprehensions: kernels as formulas, with inferred ranges and reductions",
    .standards = standards,
    .diagnostics = diagnosticTable,
    .rules = llvm::StringRef(reinterpret_cast<const char *>(tcRules), sizeof(tcRules)),
    .registerDialects = [](mlir::DialectRegistry &) {},
    .check = checkProgram,
    .lower = nullptr, // Until it is there, Languages.def has no row.
    .printTree = printProgram,
    .format = tc::format,
};
} // namespace tessera
