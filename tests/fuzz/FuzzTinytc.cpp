#include "FrontEnd.h"
#include "lang/tinytc/Check.h"
#include "lang/tinytc/Format.h"
#include "lang/tinytc/Lexer.h"
#include "lang/tinytc/Parser.h"
#include "lang/tinytc/PrintTree.h"

using namespace tessera;

namespace {

std::string printed(const tinytc::Program &program) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printTree(program, out);
  return text;
}

/// The printed program is the same program: it is correct, and prints the same.
void checkPrinted(const std::string &text) {
  SourceFile file("printed.tinytc", text);
  DiagnosticEngine diagnostics;
  std::unique_ptr<tinytc::Program> program = tinytc::parse(file, {}, diagnostics);
  if (!tinytc::check(*program, {}, diagnostics))
    fuzz::fail("a printed program is rejected", text, diagnostics.sorted().front().message);
  if (std::string again = printed(*program); again != text)
    fuzz::fail("a printed program prints differently", text, again);
}

/// The program after preprocessing, if it is correct.
std::string check(const SourceFile &file, const LanguageOptions &options,
                  DiagnosticEngine &diagnostics) {
  std::unique_ptr<tinytc::Program> program = tinytc::parse(file, options, diagnostics);
  if (program->hasSyntaxErrors && !diagnostics.hasErrors())
    fuzz::fail("a syntax error is not reported", file.text(), "");
  bool isCorrect = tinytc::check(*program, options, diagnostics);
  if (!isCorrect && !diagnostics.hasErrors())
    fuzz::fail("a program is rejected without a reason", file.text(), "");
  if (!isCorrect)
    return "";
  std::string text = printed(*program);
  checkPrinted(text);
  return text;
}

std::vector<std::string> tokensOf(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  return fuzz::textsOf(file, tinytc::lex(file, diagnostics));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  LanguageOptions options;
  switch (fuzz::takeChoice(text, 4).value_or(0)) {
  case 1:
    options.standard = "seed";
    break;
  case 2:
    options.standard = "legacy";
    break;
  case 3:
    options.strict = true;
    break;
  }
  return fuzz::fuzz({"fuzz.tinytc", check, tokensOf, tinytc::format}, options, text);
}
