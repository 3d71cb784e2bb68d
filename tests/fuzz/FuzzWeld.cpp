#include "FrontEnd.h"
#include "lang/weld/Check.h"
#include "lang/weld/Format.h"
#include "lang/weld/Lexer.h"
#include "lang/weld/Parser.h"
#include "lang/weld/PrintTree.h"

using namespace tessera;

namespace {

/// The trees after parsing and after checking, and the type of the program.
std::string check(const SourceFile &file, const LanguageOptions &options,
                  DiagnosticEngine &diagnostics) {
  std::unique_ptr<weld::Program> program = weld::parse(file, diagnostics);
  if (program->hasSyntaxErrors && !diagnostics.hasErrors())
    fuzz::fail("a syntax error is not reported", file.text(), "");
  std::string found;
  llvm::raw_string_ostream out(found);
  printTree(*program, out);
  bool isCorrect = weld::check(*program, options, diagnostics);
  if (!isCorrect && !diagnostics.hasErrors())
    fuzz::fail("a program is rejected without a reason", file.text(), "");
  if (isCorrect)
    out << describe(*program) << '\n';
  printTree(*program, out);
  return found;
}

std::vector<std::string> tokensOf(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  return fuzz::textsOf(file, weld::lex(file, diagnostics));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  LanguageOptions options;
  options.strict = fuzz::takeChoice(text, 2).value_or(0);
  return fuzz::fuzz({"fuzz.weld", check, tokensOf, weld::format}, options, text);
}
