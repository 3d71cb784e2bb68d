/// Diagnostics that show what variables of the preprocessor stand for, and what each version of the
/// language has.
#ifndef TESSERA_LANG_TINYTC_REPORTER_H
#define TESSERA_LANG_TINYTC_REPORTER_H

#include "lang/tinytc/Diagnostics.h"
#include "lang/tinytc/Syntax.h"

namespace tessera::tinytc {

/// Which programs are accepted: the seed's, those of all versions, or those of all versions without
/// a word about old forms.
enum class Standard : uint8_t { Union, Seed, Legacy };
Standard standardOf(const LanguageOptions &options);

class Reporter {
public:
  Reporter(Program &program, const LanguageOptions &options, DiagnosticEngine &diagnostics)
      : program(program), standard(standardOf(options)), file(program.file),
        diagnostics(diagnostics) {}

  template <typename... Ts>
  Report report(SourceRange range, const DiagnosticKind &kind, Ts &&...values) {
    numErrors += kind.severity == Severity::Error;
    return explained(diagnostics.report(file, range, kind, std::forward<Ts>(values)...), range);
  }

  /// A form of version 0.4, which the seed does not have.
  void later(SourceRange range, const llvm::Twine &what);
  /// A form of version 0.3.
  void fossil(SourceRange range, const llvm::Twine &what);

  bool hasErrors() const { return numErrors != 0; }

  Program &program;
  const Standard standard;
  const SourceFile
      *file; ///< That ranges are in: the program's, or a definition's of the command line.

private:
  /// With what the variables in it stand for.
  Report explained(Report report, SourceRange range) const;

  DiagnosticEngine &diagnostics;
  unsigned numErrors = 0;
};

/// For what is said already: its parts are built and forgotten.
Report ignoredReport();

} // namespace tessera::tinytc

#endif
