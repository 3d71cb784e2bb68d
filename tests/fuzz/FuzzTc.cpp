#include "FrontEnd.h"
#include "lang/tc/Check.h"
#include "lang/tc/Format.h"
#include "lang/tc/Lexer.h"
#include "lang/tc/PrintTree.h"

using namespace tessera;

namespace {

/// The trees after parsing and after checking.
std::string check(const SourceFile &file, const LanguageOptions &options,
                  DiagnosticEngine &diagnostics) {
  std::unique_ptr<tc::Program> program = tc::parse(file, diagnostics);
  if (program->hasSyntaxErrors && !diagnostics.hasErrors())
    fuzz::fail("a syntax error is not reported", file.text(), "");
  std::string found;
  llvm::raw_string_ostream out(found);
  printTree(*program, out);
  tc::Checker(*program, options, diagnostics).checkProgram();
  printTree(*program, out);
  return found;
}

std::vector<std::string> tokensOf(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  return fuzz::textsOf(file, tc::lex(file, diagnostics));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  LanguageOptions options;
  options.strict = fuzz::takeChoice(text, 2).value_or(0);
  return fuzz::fuzz({"fuzz.tc", check, tokensOf, tc::format}, options, text);
}
