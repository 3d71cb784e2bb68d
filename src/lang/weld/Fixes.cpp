#include "lang/weld/Fixes.h"
#include "lang/weld/Check.h"
#include "lang/weld/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace tessera;
using namespace tessera::weld;
using llvm::ArrayRef;

namespace {

/// How much text is checked again before the remaining fixes become questions.
constexpr size_t maxChecked = 4'000'000;

using Errors = std::multiset<std::pair<const DiagnosticKind *, std::string>>;
using Candidates = ArrayRef<const Diagnostic *>;

/// A program in which fixes have been applied.
struct FixedText {
  std::string text;
  std::vector<SourceRange> changes; ///< Where the replacements are.
};

/// Nothing if two of them change the same text.
std::optional<FixedText> apply(const SourceFile &file, std::vector<FixIt> fixes) {
  llvm::stable_sort(fixes, [](auto &a, auto &b) { return a.range.begin < b.range.begin; });
  FixedText fixed;
  uint32_t end = 0;
  for (const FixIt &fix : fixes) {
    if (fix.range.begin < end)
      return std::nullopt;
    fixed.text += file.text({end, fix.range.begin});
    uint32_t begin = fixed.text.size();
    fixed.text += fix.replacement;
    fixed.changes.push_back({begin, uint32_t(fixed.text.size())});
    end = fix.range.end;
  }
  fixed.text += file.text({end, uint32_t(file.text().size())});
  return fixed;
}

/// The errors of a program: those of the parser, and those of the checker, which runs only if there
/// are none of the parser.
struct Found {
  Found(const SourceFile &file, const LanguageOptions &options) {
    std::unique_ptr<Program> program = parse(file, diagnostics);
    isSyntax = program->hasSyntaxErrors;
    checkTree(*program, options, diagnostics);
    for (const Diagnostic &diagnostic : diagnostics.sorted())
      if (diagnostic.severity == Severity::Error)
        errors.push_back(&diagnostic);
  }

  DiagnosticEngine diagnostics{/*warningsAreErrors=*/false, /*keepsAll=*/true};
  std::vector<const Diagnostic *> errors;
  bool isSyntax;
};

class FixTrial {
public:
  FixTrial(const SourceFile &file, const LanguageOptions &options) : file(file), options(options) {
    Found found(file, options);
    isSyntax = found.isSyntax;
    for (const Diagnostic *error : found.errors)
      before.insert({error->kind, error->message});
  }

  /// All at once, because most work; then halves of them, together with those that are kept.
  void run(Candidates candidates) {
    if (keep(candidates))
      return;
    if (candidates.size() == 1) {
      rejected.insert(candidates.front());
      return;
    }
    size_t half = candidates.size() / 2;
    run(candidates.take_front(half));
    run(candidates.drop_front(half));
  }

  bool isRejected(const Diagnostic &diagnostic) const { return rejected.contains(&diagnostic); }

private:
  bool keep(Candidates candidates) {
    numChecked += file.text().size();
    std::vector<const Diagnostic *> all = kept;
    llvm::append_range(all, candidates);
    if (numChecked > maxChecked || !fixesWork(all))
      return false;
    kept = std::move(all);
    return true;
  }

  /// Whether these leave only errors that there were before.
  bool fixesWork(Candidates diagnostics) const {
    std::vector<FixIt> fixes;
    Errors known = before;
    for (const Diagnostic *diagnostic : diagnostics) {
      llvm::append_range(fixes, diagnostic->fixits);
      if (auto mended = known.find({diagnostic->kind, diagnostic->message}); mended != known.end())
        known.erase(mended);
    }
    std::optional<FixedText> fixed = apply(file, std::move(fixes));
    return fixed && isBetter(*fixed, std::move(known));
  }

  bool isBetter(const FixedText &fixed, Errors known) const {
    SourceFile changed(file.name().str(), fixed.text);
    Found found(changed, options);
    bool isUncovered = isSyntax && !found.isSyntax;
    return llvm::all_of(found.errors, [&](const Diagnostic *error) {
      if (isUncovered)
        return !isCausedBy(fixed.changes, *error);
      auto same = known.find({error->kind, error->message});
      bool isKnown = same != known.end();
      if (isKnown) // Each counts once.
        known.erase(same);
      return isKnown;
    });
  }

  /// Whether an error that the checker finds, now that there are none of the parser, is about the
  /// text that fixes changed: it was not hidden, but is new.
  static bool isCausedBy(ArrayRef<SourceRange> changes, const Diagnostic &error) {
    return llvm::any_of(changes, [&](SourceRange change) {
      return error.range.begin < change.end && change.begin < error.range.end;
    });
  }

  const SourceFile &file;
  const LanguageOptions &options;
  Errors before;
  bool isSyntax; ///< The parser has found errors, so that nothing was checked.
  std::vector<const Diagnostic *> kept;
  std::set<const Diagnostic *> rejected;
  size_t numChecked = 0;
};

/// What the fixes of a diagnostic write, with the text between them.
std::string meantText(const SourceFile &file, ArrayRef<FixIt> fixes) {
  std::string text = fixes.front().replacement;
  uint32_t end = fixes.front().range.end;
  for (const FixIt &fix : fixes.drop_front()) {
    if (fix.range.begin < end)
      return "";
    text += file.text({end, fix.range.begin});
    text += fix.replacement;
    end = fix.range.end;
  }
  return text;
}

/// A short replacement is worth a question, unless the message already names it. A function that
/// calls a macro is none: the macro does not have the value that is needed.
void askInstead(Diagnostic &diagnostic) {
  constexpr size_t maxAsked = 60;
  std::vector<FixIt> fixes = std::exchange(diagnostic.fixits, {});
  std::string meant = meantText(*diagnostic.file, fixes);
  llvm::StringRef word = llvm::StringRef(meant).trim();
  auto names = [&](llvm::StringRef text) { return text.contains(word); };
  bool isNamed = names(diagnostic.message) ||
                 llvm::any_of(diagnostic.notes, [&](const Note &note) { return names(note.text); });
  bool isShort = fixes.size() == 1 || (word.size() <= maxAsked && !word.contains('\n'));
  if (!word.empty() && isShort && !isNamed && diagnostic.kind != &diag::MacroValue)
    diagnostic.notes.push_back({{}, false, "did you mean `" + meant + "`?"});
}

} // namespace

void tessera::weld::keepFixesThatWork(const SourceFile &file, const LanguageOptions &options,
                                      DiagnosticEngine &diagnostics) {
  std::vector<const Diagnostic *> candidates;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.file == &file && !diagnostic.fixits.empty())
      candidates.push_back(&diagnostic);
  if (candidates.empty())
    return;
  FixTrial trial(file, options);
  trial.run(candidates);
  diagnostics.revise([&](Diagnostic &diagnostic) {
    if (trial.isRejected(diagnostic))
      askInstead(diagnostic);
  });
}
