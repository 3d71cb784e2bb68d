/// Diagnostics about a tree with expanded macros: an error in the text of a macro is reported where
/// the user called it, with a note on the macro.
#ifndef TESSERA_LANG_WELD_REPORTER_H
#define TESSERA_LANG_WELD_REPORTER_H

#include "lang/weld/Diagnostics.h"
#include "lang/weld/Syntax.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::weld {

/// A range in the text of the program, or in that of the macro that was called.
struct Place {
  SourceRange range;
  const Expansion *expansion = nullptr;

  Place(SourceRange range, const Expansion *expansion = nullptr)
      : range(range), expansion(expansion) {}
  Place(const Expr &expr) : range(expr.range), expansion(expr.expansion) {}
  bool isInMacro() const { return expansion != nullptr; }
};

class Reporter {
public:
  Reporter(const Program &program, DiagnosticEngine &diagnostics)
      : program(program), diagnostics(diagnostics) {}

  template <typename... Ts> Report report(Place place, const DiagnosticKind &kind, Ts &&...values) {
    numErrors += kind.severity == Severity::Error;
    bool isStandard = place.expansion && place.expansion->file != program.file;
    uint32_t begin = isStandard ? 0 : place.range.begin; // Once per call and kind.
    if (!reported.insert({&kind, begin, placeOf(place).begin}).second)
      return ignored();
    Report report =
        diagnostics.report(program.file, placeOf(place), kind, std::forward<Ts>(values)...);
    noteMacros(report, place);
    return report;
  }

  /// Labels the other side of a mismatch. If both come from one call of a macro, it is a note in
  /// the macro's text.
  void labelOther(Report report, Place place, Place other, const char *text) const;

  /// The range in the user's text.
  static SourceRange placeOf(Place place);
  std::string excerpt(const Expr &expr) const { return program.excerpt(expr); }
  bool hasErrors() const { return numErrors != 0; }

private:
  void noteMacros(Report report, Place place) const;
  static Report ignored();

  const Program &program;
  DiagnosticEngine &diagnostics;
  /// Copied text is reported once.
  llvm::DenseSet<std::tuple<const DiagnosticKind *, uint32_t, uint32_t>> reported;
  unsigned numErrors = 0;
};

} // namespace tessera::weld

#endif
