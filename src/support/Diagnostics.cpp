#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace tessera;
using llvm::StringRef;

StringRef tessera::name(Severity severity) {
  static constexpr const char *names[] = {"error", "warning", "note"};
  return names[static_cast<int>(severity)];
}

Report DiagnosticEngine::add(const SourceFile *file, SourceRange range, const DiagnosticKind &kind,
                             std::string message) {
  Severity severity = kind.severity;
  if (severity == Severity::Warning && warningsAreErrors)
    severity = Severity::Error;
  if (severity == Severity::Error && ++numErrors > maxErrors) {
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

StringRef tessera::nearestName(StringRef name, llvm::ArrayRef<StringRef> candidates) {
  unsigned best = name.size() < 3 ? 1 : (name.size() + 2) / 3;
  StringRef nearest;
  for (StringRef candidate : candidates) {
    unsigned distance = name.edit_distance_insensitive(candidate, true, best + 1);
    if (distance < best || (distance == best && nearest.empty()))
      best = distance, nearest = candidate;
  }
  // A one-letter name at distance one has nothing in common with the candidate.
  return name.size() <= best ? StringRef() : nearest;
}
