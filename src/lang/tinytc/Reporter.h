/// Diagnostics that show what variables of the preprocessor stand for and know the versions of the
/// language.
#ifndef TESSERA_LANG_TINYTC_REPORTER_H
#define TESSERA_LANG_TINYTC_REPORTER_H

#include "lang/tinytc/Diagnostics.h"
#include "lang/tinytc/Syntax.h"

namespace tessera::tinytc {

/// Which programs are accepted: those of the seed description, those of all versions, or those of
/// all versions without warnings about old forms.
enum class Standard : uint8_t { Union, Seed, Legacy };
Standard standardOf(const LanguageOptions &options);

/// A report that is discarded, for echoes.
Report ignoredReport();

class Reporter {
public:
  Reporter(Program &program, const LanguageOptions &options, DiagnosticEngine &diagnostics)
      : program(program), standard(standardOf(options)), file(program.file), entry(options.entry),
        diagnostics(diagnostics) {}

  template <typename... Ts>
  Report report(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    numErrors += kind.severity == Severity::Error;
    if (kind.severity == Severity::Warning && isLeftOut())
      return ignoredReport();
    return explained(diagnostics.report(file, range, kind, std::forward<Ts>(values)...), range);
  }

  /// Reports a form of version 0.4 if only the seed description is accepted.
  void later(SourceRange range, const llvm::Twine &what);
  /// Reports a form of version 0.3.
  void fossil(SourceRange range, const llvm::Twine &what);

  bool hasErrors() const { return numErrors != 0; }

  Program &program;
  const Standard standard;
  const SourceFile
      *file; ///< The file of all ranges: the program, or a definition on the command line.

  llvm::StringRef function; ///< The function that is being parsed or checked, with its `@`; or "".

private:
  /// Whether the function is not compiled, so that warnings about it are dropped.
  bool isLeftOut() const {
    return !entry.empty() && entry != "*" && !function.empty() && function.drop_front() != entry;
  }
  /// Adds what the variables in the range stand for.
  Report explained(Report report, SourceRange range) const;

  const std::string entry;
  DiagnosticEngine &diagnostics;
  unsigned numErrors = 0;
};

} // namespace tessera::tinytc

#endif
