#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>

using namespace tessera;
using llvm::StringRef;

std::string tessera::counted(int64_t count, StringRef one, StringRef many) {
  return llvm::formatv("{0} {1}", count, count == 1 ? one : many).str();
}

StringRef tessera::name(Severity severity) {
  static constexpr const char *names[] = {"error", "warning", "note"};
  return names[static_cast<int>(severity)];
}

Report DiagnosticEngine::add(const SourceFile *file, SourceRange range, const DiagnosticKind &kind,
                             std::string message, Severity severity) {
  if (severity == Severity::Warning && warningsAreErrors)
    severity = Severity::Error;
  if (severity == Severity::Error && ++numErrors > maxErrors && !keepsAll) {
    overflow = {};
    return Report(overflow);
  }
  isSorted = false;
  diagnostics.push_back({&kind, file, range, severity, std::move(message), {}, {}, {}});
  return Report(diagnostics.back());
}

const std::deque<Diagnostic> &DiagnosticEngine::sorted() {
  auto position = [](const Diagnostic &d) { return std::pair(d.range.begin, d.range.end); };
  if (isSorted)
    return diagnostics;
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](auto &a, auto &b) { return position(a) < position(b); });
  separateFixes();
  isSorted = true;
  return diagnostics;
}

void DiagnosticEngine::revise(llvm::function_ref<void(Diagnostic &)> change) {
  for (Diagnostic &diagnostic : diagnostics)
    change(diagnostic);
}

namespace {
/// What the fixes so far replace. The ranges do not overlap.
class FixedRanges {
public:
  /// Whether a tool could not apply the fix after those. At the same position, the order would
  /// matter.
  bool overlaps(const SourceFile *file, SourceRange range) const {
    auto next = ends.lower_bound({file, range.begin});
    bool meetsNext = next != ends.end() && next->first.first == file &&
                     (next->first.second == range.begin || next->first.second < range.end);
    auto before = next == ends.begin() ? ends.end() : std::prev(next);
    bool meetsBefore =
        before != ends.end() && before->first.first == file && before->second > range.begin;
    return meetsNext || meetsBefore;
  }
  void add(const SourceFile *file, SourceRange range) {
    uint32_t &end = ends[{file, range.begin}]; // An insertion may stand before a replacement.
    end = std::max(end, range.end);
  }

private:
  std::map<std::pair<const SourceFile *, uint32_t>, uint32_t> ends; ///< By file and begin.
};
} // namespace

/// What the text from the first fix to the last one is after all of them; "" if the file is not
/// known or the text is too long for a hint.
static std::string textAfter(const SourceFile *file, std::vector<FixIt> fixes) {
  if (fixes.size() == 1)
    return fixes[0].replacement;
  if (!file)
    return "";
  llvm::stable_sort(fixes,
                    [](const FixIt &a, const FixIt &b) { return a.range.begin < b.range.begin; });
  std::string text;
  uint32_t end = fixes.front().range.begin;
  for (const FixIt &fix : fixes) {
    text += file->text({end, std::max(end, fix.range.begin)}).str() + fix.replacement;
    end = std::max(end, fix.range.end);
  }
  constexpr size_t maxHint = 60;
  return text.size() > maxHint || StringRef(text).contains('\n') ? "" : text;
}

static void keepSeparateFixes(Diagnostic &diagnostic, FixedRanges &fixed) {
  auto overlaps = [&](const FixIt &fix) { return fixed.overlaps(diagnostic.file, fix.range); };
  std::vector<FixIt> &fixes = diagnostic.fixits;
  if (llvm::none_of(fixes, overlaps)) {
    for (const FixIt &fix : fixes)
      fixed.add(diagnostic.file, fix.range);
    return;
  }
  if (std::string text = textAfter(diagnostic.file, fixes); !text.empty())
    Report(diagnostic).hint("write `{0}`", text);
  fixes.clear();
}

/// The fixes of a diagnostic belong together: all of them are kept or none. Those of errors come
/// first: they are needed.
void DiagnosticEngine::separateFixes() {
  FixedRanges fixed;
  for (bool isError : {true, false})
    for (Diagnostic &diagnostic : diagnostics)
      if ((diagnostic.severity == Severity::Error) == isError)
        keepSeparateFixes(diagnostic, fixed);
}

void DiagnosticEngine::clear() {
  diagnostics.clear();
  numErrors = 0;
}

void DiagnosticEngine::keepErrors() {
  std::erase_if(diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.severity != Severity::Error;
  });
}

/// The number of letters that may be wrong in a name. In very short names any change makes another
/// name.
static unsigned tolerance(StringRef name) {
  return name.size() < 3 ? 0 : name.size() < 6 ? 1 : name.size() < 9 ? 2 : 3;
}

/// Two swapped letters count as one mistake.
static bool isSwapped(StringRef a, StringRef b) {
  size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at])
    ++at;
  return a.size() == b.size() && at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.substr(at + 2) == b.substr(at + 2);
}

StringRef tessera::nearestName(StringRef name, llvm::ArrayRef<StringRef> candidates) {
  unsigned best = tolerance(name) + 1;
  StringRef nearest;
  for (StringRef candidate : candidates) {
    unsigned distance =
        isSwapped(name, candidate) ? 1 : name.edit_distance_insensitive(candidate, true, best + 1);
    if (distance < best)
      best = distance, nearest = candidate;
  }
  return nearest;
}

/// Whether the words differ in one letter, and not at their ends: `sort` and `sorted`, `log` and
/// `log2`, `height` and `weight` are different names. So are short ones of the same length: `cosh`
/// and `coth`.
static bool differsInside(StringRef name, StringRef meant) {
  constexpr size_t minReplaced = 6;
  bool isReplaced = name.size() == meant.size();
  return name.front() == meant.front() && name.back() == meant.back() &&
         (!isReplaced || name.size() >= minReplaced) && name.edit_distance(meant) == 1;
}

/// Whether `name` can only be a typo of `meant`. `exp` and `exp2`, `%b1` and `%b2`,
/// `sqr` and `sqrt` are different names.
static bool isTypo(StringRef name, StringRef meant) {
  if (name.equals_insensitive(meant))
    return true;
  bool hasDigit = llvm::any_of(name, llvm::isDigit) || llvm::any_of(meant, llvm::isDigit);
  return !hasDigit && name.size() >= 4 && meant.size() >= 4 &&
         (isSwapped(name, meant) || differsInside(name, meant));
}

/// The words of `cooperative_matrix_load` and `arith.add`.
static llvm::SmallVector<StringRef> wordsOf(StringRef name) {
  llvm::SmallVector<StringRef> words;
  while (!name.empty()) {
    words.push_back(name.take_until([](char c) { return c == '_' || c == '.'; }));
    name = name.drop_front(std::min(words.back().size() + 1, name.size()));
  }
  return words;
}

static bool isSimilar(StringRef word, StringRef meant) {
  return word == meant || !nearestName(word, meant).empty();
}

/// Whether two names have the same number of words, and `holds` is true of each pair.
static bool wordsMatch(StringRef name, StringRef other, bool (*holds)(StringRef, StringRef)) {
  auto words = wordsOf(name), others = wordsOf(other);
  return words.size() == others.size() && llvm::all_of(llvm::zip(words, others), [&](auto pair) {
           return holds(std::get<0>(pair), std::get<1>(pair));
         });
}

void tessera::suggestName(Report report, SourceRange range, StringRef name,
                          llvm::ArrayRef<StringRef> known) {
  StringRef near = nearestName(name, known);
  if (near.empty())
    return;
  // A typo that is near two names may mean either.
  bool isOnly = llvm::none_of(
      known, [&](StringRef other) { return other != near && wordsMatch(name, other, isTypo); });
  if (isOnly && wordsMatch(name, near, isTypo))
    report.fix(range, near);
  else if (wordsOf(name).size() != wordsOf(near).size() || wordsOf(name).size() == 1 ||
           wordsMatch(name, near, isSimilar))
    report.hint("did you mean `{0}`?", near);
}
