/// Programs that state what is reported about them: everything, where, and with which remarks.
#ifndef TESSERA_TESTS_LANG_TC_MARKED_H
#define TESSERA_TESTS_LANG_TC_MARKED_H

#include "../MarkedLines.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace tessera {
extern const Language tcLanguage;

namespace tc {

/// `[[` and `]]` enclose what a diagnostic marks. The line ends with what is expected:
///     O(i) = A(i) + [[B]] #//! error tc.scalar.3: message | remark | fix: `replacement`
/// A line may have several marks; then it has as many `//!`.
class Marked {
public:
  explicit Marked(llvm::StringRef text) {
    unsigned number = 0;
    for (llvm::StringRef line : llvm::split(text, '\n'))
      addLine(line, ++number);
  }

  std::string program;
  std::vector<std::string> expected; ///< "3:12 `B` error tc.scalar.3: ..."

private:
  void addLine(llvm::StringRef line, unsigned number) {
    auto [code, marks] = line.split("#//! ");
    std::vector<std::string> places;
    size_t start = program.size();
    while (code.contains("[[")) {
      auto [before, rest] = code.split("[[");
      auto [inside, after] = rest.split("]]");
      program += before;
      places.push_back(llvm::formatv("{0}:{1} `{2}` ", number, program.size() - start + 1, inside));
      program += inside;
      code = after;
    }
    program += (code.rtrim() + "\n").str();
    llvm::SmallVector<llvm::StringRef> texts;
    marks.split(texts, " //! ", -1, /*KeepEmpty=*/false);
    EXPECT_EQ(texts.size(), places.size()) << line.str();
    for (auto [place, expectation] : llvm::zip(places, texts))
      expected.push_back(place + expectation.str());
  }
};

inline std::string describe(const Diagnostic &diagnostic, const SourceFile &file) {
  auto [line, column] = file.position(diagnostic.range.begin);
  std::string text = llvm::formatv(
      "{0}:{1} `{2}` {3} {4}: {5}", line, column, file.text(diagnostic.range).split('\n').first,
      name(diagnostic.severity), diagnostic.kind->rule, diagnostic.message);
  return text + remarksOf(diagnostic);
}

/// Everything that `check` reports about a program.
inline std::vector<std::string> reportedBy(const std::string &program,
                                           const LanguageOptions &options = {}) {
  SourceFile file("test.tc", program);
  DiagnosticEngine diagnostics(options.strict);
  tcLanguage.check(file, options, diagnostics);
  std::vector<std::string> lines;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    lines.push_back(describe(diagnostic, file));
  return lines;
}

inline void expectMarked(llvm::StringRef text, const LanguageOptions &options = {}) {
  Marked marked(text);
  EXPECT_EQ(llvm::join(reportedBy(marked.program, options), "\n"),
            llvm::join(marked.expected, "\n"));
}

} // namespace tc
} // namespace tessera

#endif
