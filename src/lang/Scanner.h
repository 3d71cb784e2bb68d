/// A position that moves forward through a text: shared by all lexers.
#ifndef TESSERA_LANG_SCANNER_H
#define TESSERA_LANG_SCANNER_H

#include "support/Diagnostics.h"

namespace tessera {

class Scanner {
protected:
  Scanner(const SourceFile &file, DiagnosticEngine &diagnostics)
      : file(file), diagnostics(diagnostics), text(file.text()) {}

  /// 0 beyond the end.
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  llvm::StringRef rest() const { return text.substr(at); }
  llvm::StringRef since(size_t begin) const { return text.slice(begin, at); }
  SourceRange rangeSince(size_t begin) const { return {uint32_t(begin), uint32_t(at)}; }

  void skipWhile(bool (*belongs)(char)) {
    while (at < text.size() && belongs(text[at]))
      ++at;
  }
  void skipLine() { at = std::min(text.find('\n', at), text.size()); }
  /// Skips characters that begin no token. A run of bytes above 127 is skipped as one character,
  /// and a quoted text as one mistake.
  void skipUnknown();

  /// Reports the text skipped since `begin`.
  Report report(size_t begin, const DiagnosticKind &kind);

  const SourceFile &file;
  DiagnosticEngine &diagnostics;
  llvm::StringRef text;
  size_t at = 0;
};

} // namespace tessera

#endif
