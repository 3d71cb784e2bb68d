/// Whatever the bytes: Weld's front end ends without a crash, and formatting keeps the program.
/// A first byte below 2 chooses options; anything else belongs to the program.
#include "lang/weld/Check.h"
#include "lang/weld/Format.h"
#include "lang/weld/Lexer.h"
#include "lang/weld/Parser.h"
#include "lang/weld/PrintTree.h"
#include <cstdio>
#include <cstdlib>

using namespace tessera;

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

/// The trees as read and as checked, and the names of what is reported.
std::string check(const SourceFile &file, const LanguageOptions &options) {
  DiagnosticEngine diagnostics(/*warningsAreErrors=*/options.strict);
  std::unique_ptr<weld::Program> program = weld::parse(file, diagnostics);
  if (program->hasSyntaxErrors && !diagnostics.hasErrors())
    fail("a syntax error is not reported", file.text(), "");
  std::string found;
  llvm::raw_string_ostream out(found);
  printTree(*program, out);
  bool isCorrect = weld::check(*program, options, diagnostics);
  if (!isCorrect && !diagnostics.hasErrors())
    fail("a program is rejected without a reason", file.text(), "");
  if (isCorrect)
    out << describe(*program) << '\n';
  printTree(*program, out);
  printTo(llvm::nulls(), diagnostics);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    out << diagnostic.kind->name << '\n';
  return found;
}

/// Texts of the tokens, then of the comments.
std::vector<std::string> tokensOf(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  weld::TokenList list = weld::lex(file, diagnostics);
  std::vector<std::string> texts;
  for (const weld::Token &token : list.tokens)
    texts.push_back(file.text(token.range).str());
  for (SourceRange comment : list.comments)
    texts.push_back(file.text(comment).rtrim().str());
  return texts;
}

std::optional<std::string> format(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  return weld::format(file, diagnostics);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  LanguageOptions options;
  if (size > 0 && data[0] < 2) {
    options.strict = data[0];
    text.erase(0, 1);
  }
  SourceFile file("fuzz.weld", text);
  std::string found = check(file, options);
  std::optional<std::string> formatted = format(file);
  if (!formatted)
    return 0;
  SourceFile again("fuzz.weld", *formatted);
  std::optional<std::string> twice = format(again);
  if (twice != formatted)
    fail("formatting twice differs from once", *formatted, twice.value_or("(nothing)"));
  if (tokensOf(file) != tokensOf(again))
    fail("formatting changes tokens or comments", text, *formatted);
  if (check(again, options) != found)
    fail("formatting changes the tree or what is reported", text, *formatted);
  return 0;
}
