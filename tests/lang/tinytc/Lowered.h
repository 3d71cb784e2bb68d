/// A tinytc program from its text to the dialect and back, for tests.
#ifndef TESSERA_TESTS_LANG_TINYTC_LOWERED_H
#define TESSERA_TESTS_LANG_TINYTC_LOWERED_H

#include "lang/tinytc/Check.h"
#include "lang/tinytc/Lower.h"
#include "lang/tinytc/Parser.h"
#include "lang/tinytc/ir/PrintSource.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

namespace tessera::tinytc {

class Lowered {
public:
  Lowered(llvm::StringRef text, mlir::MLIRContext &context, const LanguageOptions &options = {})
      : file("test.tinytc", text.str()), program(parse(file, options, diagnostics)) {
    if (check(*program, options, diagnostics))
      module = lowerToDialect(*program, context);
  }

  bool isCorrect() { return module && succeeded(mlir::verify(*module)); }

  std::string messages() {
    std::string result;
    for (const Diagnostic &diagnostic : diagnostics.sorted()) {
      LineColumn place = file.position(diagnostic.range.begin);
      result += llvm::formatv("{0}:{1} {2}: {3}\n", place.line, place.column, diagnostic.kind->rule,
                              diagnostic.message);
    }
    return result;
  }

  /// Prints the program in the language again.
  std::string source() {
    std::string text;
    llvm::raw_string_ostream out(text);
    ir::printSource(*module, out);
    return text;
  }

  SourceFile file;
  DiagnosticEngine diagnostics;
  std::unique_ptr<Program> program;
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< Null if the program is not correct.
};

/// The printed program is the same program: it is accepted and printed identically.
inline void expectStable(const std::string &source) {
  mlir::MLIRContext context;
  Lowered again(source, context);
  ASSERT_TRUE(again.isCorrect()) << again.messages() << source;
  EXPECT_EQ(again.source(), source);
}

} // namespace tessera::tinytc

#endif
