/// One engine for all diagnostics, from every language and from the command line; printed with
/// carets, as JSON, or collected for tests and editors.
#ifndef TESSERA_SUPPORT_DIAGNOSTICS_H
#define TESSERA_SUPPORT_DIAGNOSTICS_H

#include "support/Source.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>
#include <vector>

namespace tessera {

enum class Severity { Error, Warning, Note };
llvm::StringRef name(Severity);

/// A row of a Diagnostics.def table: the rule it enforces and the text, with {0}, {1}... for
/// values.
struct DiagnosticKind {
  const char *name, *rule;
  Severity severity;
  const char *format;
  bool isDeviceLimit = false; ///< An error on this device; another one might accept the program.
};

/// A marked range with a short text: "3 columns".
struct Label {
  SourceRange range;
  std::string text;
};

/// "1 index", "3 indices".
std::string counted(int64_t count, llvm::StringRef one, llvm::StringRef many);

/// An additional remark, with or without a position.
struct Note {
  SourceRange range;
  bool hasRange = false;
  std::string text;
};

/// A replacement that would fix the program; an empty range inserts.
struct FixIt {
  SourceRange range;
  std::string replacement;
};

struct Diagnostic {
  const DiagnosticKind *kind = nullptr;
  const SourceFile *file = nullptr; ///< Null for the command line.
  SourceRange range;
  Severity severity = Severity::Error;
  std::string message;
  std::vector<Label> labels;
  std::vector<Note> notes;
  std::vector<FixIt> fixits;
};

/// A diagnostic under construction; each call adds to it and returns it.
class Report {
public:
  explicit Report(Diagnostic &diagnostic) : diagnostic(&diagnostic) {}

  template <typename... Ts> Report label(SourceRange range, const char *format, Ts &&...values) {
    diagnostic->labels.push_back({range, llvm::formatv(format, std::forward<Ts>(values)...).str()});
    return *this;
  }
  template <typename... Ts> Report note(SourceRange range, const char *format, Ts &&...values) {
    diagnostic->notes.push_back(
        {range, true, llvm::formatv(format, std::forward<Ts>(values)...).str()});
    return *this;
  }
  template <typename... Ts> Report hint(const char *format, Ts &&...values) {
    diagnostic->notes.push_back(
        {{}, false, llvm::formatv(format, std::forward<Ts>(values)...).str()});
    return *this;
  }
  Report fix(SourceRange range, llvm::StringRef replacement) {
    diagnostic->fixits.push_back({range, replacement.str()});
    return *this;
  }

private:
  Diagnostic *diagnostic;
};

/// Collects diagnostics. `flush` passes them on in the order of their positions, so that the same
/// file yields the same text in whatever order its checks ran.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(bool warningsAreErrors = false, bool keepsAll = false)
      : warningsAreErrors(warningsAreErrors), keepsAll(keepsAll) {}

  template <typename... Ts>
  Report report(const SourceFile *file, SourceRange range, const DiagnosticKind &kind,
                Ts &&...values) {
    return add(file, range, kind, llvm::formatv(kind.format, std::forward<Ts>(values)...).str());
  }
  /// Reports an error kind as a warning.
  template <typename... Ts>
  Report warn(const SourceFile *file, SourceRange range, const DiagnosticKind &kind,
              Ts &&...values) {
    return add(file, range, kind, llvm::formatv(kind.format, std::forward<Ts>(values)...).str(),
               Severity::Warning);
  }

  Report add(const SourceFile *file, SourceRange range, const DiagnosticKind &kind,
             std::string message) {
    return add(file, range, kind, std::move(message), kind.severity);
  }
  bool hasErrors() const { return numErrors != 0; }
  /// The errors beyond the limit, which are counted but not kept unless all were requested.
  unsigned numDropped() const {
    return numErrors > maxErrors && !keepsAll ? numErrors - maxErrors : 0;
  }
  /// Sorted by position. No two fixes overlap, so that all of them can be applied at once: where
  /// one overlaps that of an error or an earlier diagnostic, what it would write becomes a hint.
  const std::deque<Diagnostic> &sorted();
  /// Lets each diagnostic be changed, except for its position.
  void revise(llvm::function_ref<void(Diagnostic &)> change);
  void clear();
  /// Discards warnings and notes.
  void keepErrors();

  /// Enough to see the pattern; more would scroll the first one, which matters most, off the
  /// screen.
  static constexpr unsigned maxErrors = 100;

private:
  Report add(const SourceFile *file, SourceRange range, const DiagnosticKind &kind,
             std::string message, Severity severity);
  void separateFixes();

  std::deque<Diagnostic> diagnostics; ///< A deque: reports point into it while they are built.
  Diagnostic overflow;
  unsigned numErrors = 0;
  bool warningsAreErrors, keepsAll, isSorted = true;
};

/// How diagnostics are printed.
struct PrintStyle {
  bool color = false, json = false;
};
void print(llvm::raw_ostream &out, const Diagnostic &diagnostic, PrintStyle style);

/// Escapes arbitrary bytes for display: invalid UTF-8, and control characters other than white
/// space, become `\xNN`.
std::string escaped(llvm::StringRef text);

/// The candidate closest to `name` if it is likely to be meant, else "".
llvm::StringRef nearestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);
/// Suggests the name that is probably meant, if there is one: as a fix only if no other name can be
/// meant. Words in `a_b` and `a.b` are compared one by one.
void suggestName(Report report, SourceRange range, llvm::StringRef name,
                 llvm::ArrayRef<llvm::StringRef> known);

} // namespace tessera

#endif
