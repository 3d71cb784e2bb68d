#include "lang/Language.h"
#include "lang/tc/Check.h"
#include "lang/tc/Format.h"
#include "lang/tc/Lower.h"
#include "lang/tc/Parser.h"
#include "lang/tc/PrintTree.h"
#include "lang/tc/Ranges.h"
#include "lang/tc/SizeFormula.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ProgramStack.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace {

constexpr llvm::StringLiteral languageName = "tc";

/// What Checked::program points to: the tree, and the ranges of each def that can be called.
struct Analysis {
  std::shared_ptr<Program> program;
  std::vector<std::shared_ptr<Inferred>> entries;
  std::vector<Diagnostic> warnings; ///< Those that hold for all sizes.
};

const Analysis &analysisOf(const Checked &checked) {
  return *static_cast<const Analysis *>(checked.program.get());
}

/// Every phase recurses over expressions. A chain of thousands of operators needs more stack than
/// the caller may have, so its phases run on a stack of their own.
void onStackFor(const Program &program, llvm::function_ref<void()> phase) {
  constexpr unsigned usualDepth = 1000, bytesPerLevel = 16 << 10;
  if (program.depth <= usualDepth)
    phase();
  else
    llvm::runOnNewStack(program.depth * bytesPerLevel, phase);
}

tessera::Parameter describe(const Tensor &tensor, Inferred &inferred) {
  tessera::Parameter parameter{tensor.name.text.str(), tensor.element, tensor.rank > 0, {}};
  parameter.decidesSizes = inferred.scalars.contains(&tensor);
  for (const Range &range : inferred.entry().tensors.find(&tensor)->second) {
    Size extent = inferred.sizes.max(inferred.sizes.sub(range.upper, range.lower),
                                     inferred.sizes.constant(0));
    parameter.shape.push_back(extent.constant().value_or(dynamicSize));
    bool isNamed = extent.kind() == Size::Symbol;
    parameter.sizeNames.push_back(isNamed ? extent.str() : "");
    parameter.sizeFormulas.push_back(formulaOf(extent));
  }
  if (tensor.kind == Tensor::Input)
    for (auto [index, dimension] : llvm::enumerate(tensor.declared->dimensions))
      parameter.sizeNames[index] = dimension.name.str();
  return parameter;
}

std::string declarationOf(const Def &def) {
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

Signature signatureOf(Inferred &inferred) {
  const Def &def = *inferred.entry().def;
  Signature signature{
      def.name.text.str(), ("entry." + def.name.text).str(), {}, {}, declarationOf(def),
      languageName.str()};
  for (const tc::Parameter &parameter : def.parameters)
    signature.parameters.push_back(describe(*parameter.tensor, inferred));
  for (const Return &result : def.returns) {
    signature.results.push_back(describe(*result.tensor, inferred));
    if (!result.tensor->isInOut)
      continue;
    signature.parameters.push_back(signature.results.back());
    signature.parameters.back().isInitial = true;
  }
  return signature;
}

/// --zero-based: element 0 of a result must be the one with index 0.
void checkZeroBased(const Program &program, Inferred &inferred, bool sizesFollow,
                    DiagnosticEngine &diagnostics) {
  for (const Return &result : inferred.entry().def->returns)
    for (auto [index, range] :
         llvm::enumerate(inferred.entry().tensors.find(result.tensor)->second))
      if (range.lower.constant() != 0 && (range.lower.constant() || !sizesFollow))
        diagnostics
            .report(program.file, result.tensor->name.range, diag::NotZeroBased, result.name.text,
                    index, range.lower.str())
            .hint("give its index a range: `where ... in 0:...`, with a condition around the read");
}

/// --strict: reports scalar arguments on whose values a range depends; those in bounds have been
/// reported. The diagnostics of this inference are discarded.
bool dependsOnScalars(const Program &program, const Def &def, DiagnosticEngine &diagnostics) {
  DiagnosticEngine ignored;
  std::unique_ptr<Inferred> inferred = inferRanges(program, def, {}, ignored);
  for (auto &[scalar, size] : inferred->scalars)
    diagnostics.report(program.file, scalar->name.range, diag::ScalarInIndex, scalar->name.text);
  return !inferred->scalars.empty();
}

Checked gather(std::shared_ptr<Analysis> analysis, bool isCorrect) {
  Checked checked;
  checked.isCorrect = isCorrect;
  if (isCorrect)
    for (const std::shared_ptr<Inferred> &entry : analysis->entries)
      checked.functions.push_back(signatureOf(*entry));
  checked.program = std::move(analysis);
  return checked;
}

void infer(Analysis &analysis, const Def &def, const Bindings &bindings,
           const LanguageOptions &options, DiagnosticEngine &diagnostics) {
  if (options.strict && dependsOnScalars(*analysis.program, def, diagnostics))
    return;
  std::shared_ptr<Inferred> inferred =
      inferRanges(*analysis.program, def, bindings, diagnostics, options.checked);
  if (inferred->isCorrect && options.zeroBased)
    checkZeroBased(*analysis.program, *inferred, options.sizesFollow, diagnostics);
  if (inferred->isCorrect)
    analysis.entries.push_back(std::move(inferred));
}

std::vector<Diagnostic> warningsAmong(DiagnosticEngine &diagnostics) {
  std::vector<Diagnostic> warnings;
  llvm::copy_if(diagnostics.sorted(), std::back_inserter(warnings),
                [](const Diagnostic &each) { return each.severity == Severity::Warning; });
  return warnings;
}

void repeat(const Diagnostic &warning, DiagnosticEngine &diagnostics) {
  Report report = diagnostics.add(warning.file, warning.range, *warning.kind, warning.message);
  for (const Label &label : warning.labels)
    report.label(label.range, "{0}", label.text);
  for (const Note &note : warning.notes)
    if (note.hasRange)
      report.note(note.range, "{0}", note.text);
    else
      report.hint("{0}", note.text);
  for (const FixIt &fix : warning.fixits)
    report.fix(fix.range, fix.replacement);
}

/// Whether the diagnostic is about the entry, or about a def that its calls reach.
bool isAbout(const Inferred &entry, const Diagnostic &diagnostic) {
  SourceRange range = diagnostic.range;
  return llvm::any_of(entry.frames, [&](const std::unique_ptr<Frame> &frame) {
    return frame->def->range.begin <= range.begin && range.end <= frame->def->range.end;
  });
}

/// Repeats the warnings about the defs that a call reaches.
void repeatWarnings(const Analysis &analysis, llvm::ArrayRef<Diagnostic> warnings,
                    DiagnosticEngine &diagnostics) {
  for (const Diagnostic &warning : warnings)
    if (llvm::any_of(analysis.entries, [&](const std::shared_ptr<Inferred> &entry) {
          return isAbout(*entry, warning);
        }))
      repeat(warning, diagnostics);
}

/// Drops warnings about defs that are not compiled.
void leaveOutOthers(const Analysis &analysis, StringRef compiled, DiagnosticEngine &diagnostics) {
  auto isCompiled = [&](const std::shared_ptr<Inferred> &entry) {
    return entry->entry().def->name.text == compiled;
  };
  auto entry = llvm::find_if(analysis.entries, isCompiled);
  if (entry == analysis.entries.end() || diagnostics.hasErrors())
    return;
  std::deque<Diagnostic> all = diagnostics.sorted();
  diagnostics.clear();
  for (const Diagnostic &each : all)
    if (isAbout(**entry, each))
      repeat(each, diagnostics);
}

Checked checkProgram(const SourceFile &file, const LanguageOptions &options,
                     DiagnosticEngine &diagnostics) {
  auto analysis = std::make_shared<Analysis>();
  analysis->program = parse(file, diagnostics);
  onStackFor(*analysis->program, [&] {
    Checker(*analysis->program, options, diagnostics).checkProgram();
    analysis->warnings = warningsAmong(diagnostics);
    if (!diagnostics.hasErrors())
      for (const Def *def : analysis->program->defs)
        infer(*analysis, *def, {}, options, diagnostics);
  });
  leaveOutOthers(*analysis, options.entry, diagnostics);
  return gather(std::move(analysis), !diagnostics.hasErrors());
}

Checked specializeProgram(const Checked &checked, StringRef function, const SizeBindings &sizes,
                          const LanguageOptions &options, DiagnosticEngine &diagnostics) {
  auto analysis = std::make_shared<Analysis>();
  analysis->program = analysisOf(checked).program;
  Bindings bindings;
  for (auto &[name, size] : sizes)
    bindings[name] = size;
  onStackFor(*analysis->program, [&] {
    for (const Def *def : analysis->program->defs)
      if (def->name.text == function)
        infer(*analysis, *def, bindings, options, diagnostics);
  });
  repeatWarnings(*analysis, analysisOf(checked).warnings, diagnostics);
  return gather(std::move(analysis), !diagnostics.hasErrors());
}

mlir::OwningOpRef<mlir::ModuleOp>
lowerProgram(const Checked &checked, const LanguageOptions &options, mlir::MLIRContext &context) {
  const Analysis &analysis = analysisOf(checked);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(
      mlir::FileLineColLoc::get(&context, analysis.program->file->name(), 1, 1));
  core::Sites sites(*module);
  onStackFor(*analysis.program, [&] {
    for (const std::shared_ptr<Inferred> &entry : analysis.entries) {
      StringRef name = entry->entry().def->name.text;
      if (options.entry.empty() || options.entry == "*" || options.entry == name)
        lowerDef(*analysis.program, *entry, options, *module, sites);
    }
  });
  sites.attach();
  return module;
}

void printProgram(const Checked &checked, llvm::raw_ostream &out) {
  const Program &program = *analysisOf(checked).program;
  onStackFor(program, [&] { printTree(program, out); });
}

void printAllRanges(const Checked &checked, bool asJson, llvm::raw_ostream &out) {
  const Analysis &analysis = analysisOf(checked);
  for (const std::shared_ptr<Inferred> &entry : analysis.entries) {
    if (!asJson) {
      printRanges(*entry, out);
      continue;
    }
    llvm::json::Object object = rangesToJson(*entry);
    object["file"] = analysis.program->file->name();
    out << llvm::json::Value(std::move(object)) << '\n';
  }
}

const DiagnosticKind diagnosticTable[] = {
#define TC_DIAGNOSTIC(name, severity, rule, text) {#name, rule, Severity::severity, text},
#include "lang/tc/Diagnostics.def"
};

const StringRef standards[] = {"seed"};

#include "lang/tc/Rules.inc" // tcRules: docs/languages/tc.md

} // namespace

namespace tessera {
extern const Language tcLanguage;
const Language tcLanguage = {
    .name = languageName,
    .extension = ".tc",
    .summary = "Tensor Comprehensions: one statement per tensor, loops and ranges inferred",
    .standards = standards,
    .diagnostics = diagnosticTable,
    .rules = StringRef(reinterpret_cast<const char *>(tcRules), sizeof(tcRules)),
    .registerDialects = [](mlir::DialectRegistry &) {},
    .check = checkProgram,
    .lower = lowerProgram,
    .printTree = printProgram,
    .specialize = specializeProgram,
    .printRanges = printAllRanges,
    .format = tc::format,
};
} // namespace tessera
