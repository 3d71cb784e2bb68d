/// A place in a text that moves forward: what all lexers share.
#ifndef TESSERA_LANG_SCANNER_H
#define TESSERA_LANG_SCANNER_H

#include "support/Diagnostics.h"

namespace tessera {

class Scanner {
protected:
  Scanner(const SourceFile &file, DiagnosticEngine &diagnostics)
      : file(file), diagnostics(diagnostics), text(file.text()) {}

  /// 0 behind the end.
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  llvm::StringRef rest() const { return text.substr(at); }
  llvm::StringRef since(size_t begin) const { return text.slice(begin, at); }
  SourceRange rangeSince(size_t begin) const { return {uint32_t(begin), uint32_t(at)}; }

  void skipWhile(bool (*belongs)(char)) {
    while (at < text.size() && belongs(text[at]))
      ++at;
  }
  void skipLine() { at = std::min(text.find('\n', at), text.size()); }
  /// What no token begins with. A whole run of bytes above 127 is one character to a reader; a
  /// quoted text is one mistake.
  void skipUnknown();

  /// Reports what was skipped since `begin`.
  Report report(size_t begin, const DiagnosticKind &kind);

  const SourceFile &file;
  DiagnosticEngine &diagnostics;
  llvm::StringRef text;
  size_t at = 0;
};

} // namespace tessera

#endif
