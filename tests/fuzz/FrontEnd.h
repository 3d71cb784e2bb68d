/// For any bytes, a front end ends without a crash, and formatting keeps the program.
#ifndef TESSERA_TESTS_FUZZ_FRONTEND_H
#define TESSERA_TESTS_FUZZ_FRONTEND_H

#include "Fuzz.h"
#include "lang/Language.h"

namespace tessera::fuzz {

struct FrontEnd {
  const char *fileName;
  /// Returns what formatting must not change, except diagnostics.
  std::string (*check)(const SourceFile &, const LanguageOptions &, DiagnosticEngine &);
  /// The texts of the tokens, then of the comments.
  std::vector<std::string> (*tokensOf)(const SourceFile &);
  std::optional<std::string> (*format)(const SourceFile &, DiagnosticEngine &);
};

template <typename TokenList>
std::vector<std::string> textsOf(const SourceFile &file, const TokenList &list) {
  std::vector<std::string> texts;
  for (const auto &token : list.tokens)
    texts.push_back(file.text(token.range).str());
  for (SourceRange comment : list.comments)
    texts.push_back(file.text(comment).rtrim().str());
  return texts;
}

/// Also prints the diagnostics, in all forms.
inline std::string check(const FrontEnd &front, const SourceFile &file,
                         const LanguageOptions &options) {
  DiagnosticEngine diagnostics(/*warningsAreErrors=*/options.strict);
  std::string found = front.check(file, options, diagnostics);
  std::vector<std::string> kinds;
  for (const Diagnostic &diagnostic : diagnostics.sorted()) {
    for (bool json : {false, true})
      print(llvm::nulls(), diagnostic, {.color = !json, .json = json});
    kinds.push_back(diagnostic.kind->name);
  }
  llvm::sort(kinds); // Their order depends on the layout.
  for (const std::string &kind : kinds)
    found += kind + '\n';
  return found;
}

inline std::optional<std::string> format(const FrontEnd &front, const SourceFile &file) {
  DiagnosticEngine diagnostics;
  return front.format(file, diagnostics);
}

inline int fuzz(const FrontEnd &front, const LanguageOptions &options, std::string text) {
  SourceFile file(front.fileName, text);
  std::string found = check(front, file, options);
  std::optional<std::string> formatted = format(front, file);
  if (!formatted)
    return 0;
  SourceFile again(front.fileName, *formatted);
  std::optional<std::string> twice = format(front, again);
  if (twice != formatted)
    fail("formatting twice differs from once", *formatted, twice.value_or("(nothing)"));
  if (front.tokensOf(file) != front.tokensOf(again))
    fail("formatting changes tokens or comments", text, *formatted);
  if (check(front, again, options) != found)
    fail("formatting changes the program or what is reported", text, *formatted);
  return 0;
}

/// A first byte below `numChoices` selects options; other bytes belong to the program.
inline std::optional<uint8_t> takeChoice(std::string &text, uint8_t numChoices) {
  if (text.empty() || uint8_t(text[0]) >= numChoices)
    return std::nullopt;
  uint8_t choice = text[0];
  text.erase(0, 1);
  return choice;
}

} // namespace tessera::fuzz

#endif
