#include "FrontEnd.h"
#include "lang/ttl/Lexer.h"

using namespace tessera;

namespace {

const Language &language() {
  return *languageNamed("ttl");
}

std::string check(const SourceFile &file, const LanguageOptions &options,
                  DiagnosticEngine &diagnostics) {
  Checked checked = language().check(file, options, diagnostics);
  if (checked.isCorrect)
    language().printTree(checked, llvm::nulls());
  return "";
}

std::vector<std::string> tokensOf(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  return fuzz::textsOf(file, ttl::lex(file, diagnostics));
}

std::optional<std::string> format(const SourceFile &file, DiagnosticEngine &diagnostics) {
  return language().format(file, diagnostics);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  LanguageOptions options;
  if (std::optional<uint8_t> choice = fuzz::takeChoice(text, 8)) {
    options.strict = *choice & 1;
    options.pedantic = *choice & 2;
    options.standard = *choice & 4 ? "reference" : "seed";
  }
  return fuzz::fuzz({"fuzz.ttl", check, tokensOf, format}, options, text);
}
