/// Text to tokens.
#ifndef TESSERA_LANG_TC_LEXER_H
#define TESSERA_LANG_TC_LEXER_H

#include "lang/tc/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::tc {

/// The tokens of a file, the last one Tok::End. Comments are collected apart, for the formatter.
struct TokenList {
  std::vector<Token> tokens;
  std::vector<SourceRange> comments;
};

TokenList lex(const SourceFile &file, DiagnosticEngine &diagnostics);

/// How a message calls the kind: "`,`", "a name".
llvm::StringRef describe(Tok kind);

/// What messages say about a token of kind Foreign.
struct ForeignRow {
  const char *spelling;
  const DiagnosticKind &kind;
  const char *hint, *fix; ///< "" if there is none.
};
const ForeignRow &foreignRow(llvm::StringRef spelling);

} // namespace tessera::tc

#endif
