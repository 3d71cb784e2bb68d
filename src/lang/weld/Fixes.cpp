#include "lang/weld/Fixes.h"
#include "lang/weld/Check.h"
#include "lang/weld/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace tessera;
using namespace tessera::weld;

namespace {

/// How much text is checked again before the remaining fixes become questions.
constexpr size_t maxChecked = 2'000'000;

using Errors = std::multiset<std::pair<const DiagnosticKind *, std::string>>;

Errors errorsOf(DiagnosticEngine &diagnostics) {
  Errors errors;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == Severity::Error)
      errors.insert({diagnostic.kind, diagnostic.message});
  return errors;
}

/// Nothing if two of them change the same text.
std::optional<std::string> withFixes(const SourceFile &file, std::vector<FixIt> fixes) {
  std::string text = file.text().str();
  llvm::stable_sort(fixes, [](auto &a, auto &b) { return a.range.begin > b.range.begin; });
  size_t end = text.size();
  for (const FixIt &fix : fixes) {
    if (fix.range.end > end)
      return std::nullopt;
    text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
    end = fix.range.begin;
  }
  return text;
}

/// Whether all errors are among those that were known; each counts once.
bool areAmong(const Errors &errors, Errors known) {
  return llvm::all_of(errors, [&](const Errors::value_type &error) {
    auto found = known.find(error);
    bool isKnown = found != known.end();
    if (isKnown)
      known.erase(found);
    return isKnown;
  });
}

/// Whether the fixes of these diagnostics leave only errors that there were before.
bool work(llvm::ArrayRef<Diagnostic *> diagnostics, Errors before, const LanguageOptions &options) {
  std::vector<FixIt> fixes;
  for (const Diagnostic *diagnostic : diagnostics) {
    llvm::append_range(fixes, diagnostic->fixits);
    if (auto mended = before.find({diagnostic->kind, diagnostic->message}); mended != before.end())
      before.erase(mended);
  }
  const SourceFile &file = *diagnostics.front()->file;
  std::optional<std::string> text = withFixes(file, fixes);
  if (!text)
    return false;
  SourceFile fixed(file.name().str(), *text);
  DiagnosticEngine found;
  std::unique_ptr<Program> program = parse(fixed, found);
  checkTree(*program, options, found);
  return areAmong(errorsOf(found), before);
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

/// All at once, because most work; then one by one.
void tessera::weld::keepFixesThatWork(const SourceFile &file, const LanguageOptions &options,
                                      DiagnosticEngine &diagnostics) {
  Errors before = errorsOf(diagnostics); // Sorts them: pointers are taken afterwards.
  std::vector<Diagnostic *> withFixes;
  diagnostics.revise([&](Diagnostic &diagnostic) {
    if (diagnostic.file == &file && !diagnostic.fixits.empty())
      withFixes.push_back(&diagnostic);
  });
  if (withFixes.empty() || work(withFixes, before, options))
    return;
  size_t numChecked = 0;
  for (Diagnostic *diagnostic : withFixes) {
    numChecked += file.text().size();
    if (numChecked > maxChecked || !work(diagnostic, before, options))
      askInstead(*diagnostic);
  }
}
