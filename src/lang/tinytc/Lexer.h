/// Text to tokens.
#ifndef TESSERA_LANG_TINYTC_LEXER_H
#define TESSERA_LANG_TINYTC_LEXER_H

#include "lang/tinytc/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::tinytc {

/// The tokens of a file, the last one Tok::End. Comments are collected apart, for the formatter.
struct TokenList {
  std::vector<Token> tokens;
  std::vector<SourceRange> comments;
  bool hasErrors = false; ///< Reported; what could be skipped left no token.
};

TokenList lex(const SourceFile &file, DiagnosticEngine &diagnostics);

/// The kind in messages: "`,`", "an integer".
llvm::StringRef describe(Tok kind);

} // namespace tessera::tinytc

#endif
