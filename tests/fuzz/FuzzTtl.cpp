#include "FrontEnd.h"
#include "lang/ttl/Check.h"
#include "lang/ttl/Format.h"
#include "lang/ttl/Lexer.h"
#include "lang/ttl/PrintTree.h"

using namespace tessera;

namespace {

/// Prints the tree, too, without a crash; formatting may change its positions.
std::string check(const SourceFile &file, const LanguageOptions &options,
                  DiagnosticEngine &diagnostics) {
  std::unique_ptr<ttl::Program> program =
      ttl::parse(file, {.emptyBodies = options.standard == "reference"}, diagnostics);
  ttl::Checker(*program, options, diagnostics).checkProgram();
  if (!diagnostics.hasErrors())
    printTree(*program, llvm::nulls());
  return "";
}

std::vector<std::string> tokensOf(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  return fuzz::textsOf(file, ttl::lex(file, diagnostics));
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
  return fuzz::fuzz({"fuzz.ttl", check, tokensOf, ttl::format}, options, text);
}
