/// Programs that state what is reported about them: everything, on which line, and with which
/// remarks.
#ifndef TESSERA_TESTS_LANG_MARKEDLINES_H
#define TESSERA_TESTS_LANG_MARKEDLINES_H

#include "lang/Language.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace tessera {

/// Labels, notes and fixes, in the form of marks.
inline std::string remarksOf(const Diagnostic &diagnostic) {
  std::string text;
  for (const Label &label : diagnostic.labels)
    text += " | " + label.text;
  for (const Note &note : diagnostic.notes)
    text += " | " + note.text;
  for (const FixIt &fix : diagnostic.fixits)
    text += " | fix: `" + fix.replacement + "`";
  return text;
}

/// What `check` reports about a program, one per line, in the form of marks.
inline std::vector<std::string> reportedBy(const Language &language, const SourceFile &file,
                                           const LanguageOptions &options, bool withRemarks) {
  DiagnosticEngine diagnostics(options.strict);
  language.check(file, options, diagnostics);
  std::vector<std::string> lines;
  for (const Diagnostic &diagnostic : diagnostics.sorted()) {
    std::string text =
        llvm::formatv("{0}: {1} {2}: {3}", file.position(diagnostic.range.begin).line,
                      name(diagnostic.severity), diagnostic.kind->rule, diagnostic.message);
    lines.push_back(withRemarks ? text + remarksOf(diagnostic) : text);
  }
  return lines;
}

/// A line ends with what is expected of it; it may have several marks:
///     1 + 2L #//! error rule.op.1: message | label | hint | fix: `replacement`
/// Remarks are compared if one of the marks has some.
inline void expectMarked(const Language &language, const SourceFile &file,
                         const LanguageOptions &options) {
  std::vector<std::string> expected;
  for (uint32_t number = 1; number <= file.numLines(); ++number) {
    llvm::SmallVector<llvm::StringRef> marks;
    file.line(number).split("//! ").second.split(marks, " //! ", -1, /*KeepEmpty=*/false);
    for (llvm::StringRef mark : marks)
      expected.push_back((llvm::Twine(number) + ": " + mark.rtrim()).str());
  }
  bool withRemarks =
      llvm::any_of(expected, [](auto &line) { return llvm::StringRef(line).contains(" | "); });
  EXPECT_EQ(llvm::join(reportedBy(language, file, options, withRemarks), "\n"),
            llvm::join(expected, "\n"))
      << file.name().str();
}

} // namespace tessera

#endif
