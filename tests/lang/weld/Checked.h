/// A Weld program from its text to its types, for tests.
#ifndef TESSERA_TESTS_LANG_WELD_CHECKED_H
#define TESSERA_TESTS_LANG_WELD_CHECKED_H

#include "lang/weld/Check.h"
#include "lang/weld/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace tessera::weld {

class CheckedProgram {
public:
  explicit CheckedProgram(llvm::StringRef text, const LanguageOptions &options = {})
      : file("test.weld", text.str()), program(parse(file, diagnostics)) {
    isCorrect = check(*program, options, diagnostics);
  }

  /// "(v: vec[i32]) => i64", or the diagnostics.
  std::string type() { return isCorrect ? weld::describe(*program) : messages(); }

  /// One per line: "2:5 error weld.name.1: `x` is not defined"
  std::string messages() {
    std::string result;
    for (const Diagnostic &diagnostic : diagnostics.sorted()) {
      LineColumn place = file.position(diagnostic.range.begin);
      result += llvm::formatv("{0}:{1} {2} {3}: {4}\n", place.line, place.column,
                              name(diagnostic.severity), diagnostic.kind->rule, diagnostic.message);
    }
    return result;
  }

  SourceFile file;
  DiagnosticEngine diagnostics;
  std::unique_ptr<Program> program;
  bool isCorrect;
};

inline std::string typeOf(llvm::StringRef text) {
  return CheckedProgram(text).type();
}

} // namespace tessera::weld

#endif
