/// Text to tokens.
#ifndef TESSERA_LANG_WELD_LEXER_H
#define TESSERA_LANG_WELD_LEXER_H

#include "lang/weld/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::weld {

/// The tokens of a file; the last is Tok::End. Comments are collected separately, for the
/// formatter.
struct TokenList {
  std::vector<Token> tokens;
  std::vector<SourceRange> comments;
};

TokenList lex(const SourceFile &file, DiagnosticEngine &diagnostics);

/// How a message calls the kind: "`,`", "a name".
llvm::StringRef describe(Tok kind);

/// A word that cannot be a name.
bool isReserved(Tok kind);
/// The word or reserved word nearest to an undefined name; "" if none is near.
llvm::StringRef nearestWord(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> more);

std::optional<Scalar> scalarNamed(llvm::StringRef name);
std::optional<Builtin> builtinNamed(llvm::StringRef name);

} // namespace tessera::weld

#endif
