#include "lang/tinytc/Reporter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::tinytc;

Standard tessera::tinytc::standardOf(const LanguageOptions &options) {
  if (options.strict || options.standard == "seed")
    return Standard::Seed;
  return options.standard == "legacy" ? Standard::Legacy : Standard::Union;
}

Report tessera::tinytc::ignoredReport() {
  static thread_local Diagnostic ignored;
  ignored = {};
  return Report(ignored);
}

void Reporter::later(SourceRange range, const llvm::Twine &what) {
  if (standard == Standard::Seed)
    report(range, diag::LaterForm, what.str());
}

void Reporter::fossil(SourceRange range, const llvm::Twine &what) {
  if (standard == Standard::Seed)
    report(range, diag::OldForm, what.str());
  else if (standard == Standard::Union && !isLeftOut())
    explained(diagnostics.warn(file, range, diag::OldForm, what.str()), range)
        .hint("`--std=legacy` accepts it without a warning");
}

/// The value of a definition: "`64`", a type or an attribute.
static std::string valueOf(const Definition &definition) {
  if (auto *literal = std::get_if<Literal>(&definition.value))
    return spelling(*literal);
  if (auto *attr = std::get_if<Attr>(&definition.value))
    return spelling(*attr);
  if (auto *type = std::get_if<const Type *>(&definition.value))
    return spelling(**type);
  return "";
}

Report Reporter::explained(Report report, SourceRange range) const {
  constexpr unsigned maxNotes = 4;
  llvm::SmallVector<const Definition *> said;
  for (const Expansion &use : program.expansions) {
    if (file != program.file)
      break; // Expansions have ranges in the program.
    bool isInside = use.range.begin >= range.begin && use.range.end <= range.end;
    std::string value = valueOf(*use.definition);
    if (!isInside || value.empty() || llvm::is_contained(said, use.definition) ||
        said.size() == maxNotes)
      continue;
    said.push_back(use.definition);
    const Definition &definition = *use.definition;
    if (definition.file == file)
      report.note(definition.range, "`{0}` is `{1}`", definition.name.text, value);
    else
      report.hint("`{0}` is `{1}`, from the command line", definition.name.text, value);
  }
  return report;
}
