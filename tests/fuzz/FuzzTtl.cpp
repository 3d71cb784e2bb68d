/// Whatever the bytes: TTL's front end ends without a crash, and formatting keeps the program.
/// A first byte below 8 chooses options; anything else belongs to the program.
#include "lang/Language.h"
#include "lang/ttl/Lexer.h"
#include <cstdio>
#include <cstdlib>

using namespace tessera;
using Kinds = std::vector<std::string>;

namespace {

[[noreturn]] void fail(const char *what, llvm::StringRef before, llvm::StringRef after) {
  fprintf(stderr, "%s\n--- before\n%s\n--- after\n%s\n", what, before.str().c_str(),
          after.str().c_str());
  abort();
}

void printTo(llvm::raw_ostream &out, DiagnosticEngine &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    for (bool json : {false, true})
      print(out, diagnostic, {.color = !json, .json = json});
}

/// What is found in the program, without positions.
Kinds check(const SourceFile &file, const LanguageOptions &options) {
  const Language &language = *languageNamed("ttl");
  DiagnosticEngine diagnostics(/*warningsAreErrors=*/options.strict);
  Checked checked = language.check(file, options, diagnostics);
  printTo(llvm::nulls(), diagnostics);
  if (checked.isCorrect)
    language.printTree(checked, llvm::nulls());
  Kinds kinds;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    kinds.push_back(diagnostic.kind->name);
  llvm::sort(kinds);
  return kinds;
}

/// Texts of the tokens, then of the comments.
std::vector<std::string> tokensOf(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  ttl::TokenList list = ttl::lex(file, diagnostics);
  std::vector<std::string> texts;
  for (const ttl::Token &token : list.tokens)
    texts.push_back(file.text(token.range).str());
  for (SourceRange comment : list.comments)
    texts.push_back(file.text(comment).rtrim().str());
  return texts;
}

std::optional<std::string> format(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  return languageNamed("ttl")->format(file, diagnostics);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  LanguageOptions options;
  if (size > 0 && data[0] < 8) {
    options.strict = data[0] & 1;
    options.pedantic = data[0] & 2;
    options.standard = data[0] & 4 ? "reference" : "seed";
    text.erase(0, 1);
  }
  SourceFile file("fuzz.ttl", text);
  Kinds kinds = check(file, options);
  std::optional<std::string> formatted = format(file);
  if (!formatted)
    return 0;
  SourceFile again("fuzz.ttl", *formatted);
  std::optional<std::string> twice = format(again);
  if (twice != formatted)
    fail("formatting twice differs from once", *formatted, twice.value_or("(nothing)"));
  if (tokensOf(file) != tokensOf(again))
    fail("formatting changes tokens or comments", text, *formatted);
  if (check(again, options) != kinds)
    fail("formatting changes what is reported", text, *formatted);
  return 0;
}
