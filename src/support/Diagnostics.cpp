#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

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
  if (!isSorted)
    std::stable_sort(diagnostics.begin(), diagnostics.end(),
                     [&](auto &a, auto &b) { return position(a) < position(b); });
  isSorted = true;
  return diagnostics;
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

/// The number of letters that may be wrong in a word; in short words any change gives another word.
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
