#include "lang/weld/Fixes.h"
#include "lang/weld/Check.h"
#include "lang/weld/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace tessera;
using namespace tessera::weld;

namespace {

/// How much text is checked again before the remaining fixes become questions.
constexpr size_t maxChecked = 4'000'000;

using Errors = std::multiset<std::pair<const DiagnosticKind *, std::string>>;

Errors errorsOf(DiagnosticEngine &diagnostics) {
  Errors errors;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == Severity::Error)
      errors.insert({diagnostic.kind, diagnostic.message});
  return errors;
}

std::string withFixes(const SourceFile &file, std::vector<FixIt> fixes) {
  std::string text = file.text().str();
  llvm::stable_sort(fixes, [](auto &a, auto &b) { return a.range.begin > b.range.begin; });
  for (const FixIt &fix : fixes)
    text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
  return text;
}

/// Whether a program with the diagnostic's fixes has only errors that it had before.
bool works(const Diagnostic &diagnostic, Errors before, const LanguageOptions &options) {
  SourceFile fixed(diagnostic.file->name().str(), withFixes(*diagnostic.file, diagnostic.fixits));
  DiagnosticEngine found;
  std::unique_ptr<Program> program = parse(fixed, found);
  checkTree(*program, options, found);
  // Whether an error was there before; each counts once.
  auto takeOut = [&](const Errors::value_type &error) {
    auto known = before.find(error);
    bool isKnown = known != before.end();
    if (isKnown)
      before.erase(known);
    return isKnown;
  };
  takeOut({diagnostic.kind, diagnostic.message});
  return llvm::all_of(errorsOf(found), takeOut);
}

/// A single replacement is worth a question, unless the message already names it.
void askInstead(Diagnostic &diagnostic) {
  std::vector<FixIt> fixes = std::exchange(diagnostic.fixits, {});
  std::string quoted = "`" + fixes.front().replacement + "`";
  llvm::StringRef word = llvm::StringRef(fixes.front().replacement).trim();
  auto names = [&](llvm::StringRef text) { return text.contains(word); };
  bool isNamed = names(diagnostic.message) ||
                 llvm::any_of(diagnostic.notes, [&](const Note &note) { return names(note.text); });
  if (fixes.size() == 1 && !fixes.front().replacement.empty() && !isNamed)
    diagnostic.notes.push_back({{}, false, "did you mean " + quoted + "?"});
}

} // namespace

void tessera::weld::keepFixesThatWork(const SourceFile &file, const LanguageOptions &options,
                                      DiagnosticEngine &diagnostics) {
  Errors before = errorsOf(diagnostics);
  size_t numChecked = 0;
  diagnostics.revise([&](Diagnostic &diagnostic) {
    if (diagnostic.file != &file || diagnostic.fixits.empty())
      return;
    numChecked += file.text().size();
    if (numChecked > maxChecked || !works(diagnostic, before, options))
      askInstead(diagnostic);
  });
}
