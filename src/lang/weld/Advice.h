/// What to write in Weld instead of constructs of other languages.
#ifndef TESSERA_LANG_WELD_ADVICE_H
#define TESSERA_LANG_WELD_ADVICE_H

#include "lang/weld/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::weld {

inline constexpr const char *forUsage = "`for(vector, builder, |b, i, x| merge(b, x))`";
/// How to call a built-in operation or a standard macro; "" if that is obvious.
llvm::StringRef usageOf(Builtin builtin);
llvm::StringRef usageOfStandard(llvm::StringRef macro);

/// A word that begins definitions in other languages: `var`.
bool isForeignLet(llvm::StringRef word);
/// Tokens with which an expression can begin.
bool beginsOperand(Tok kind);

/// Suggests what Weld has for an undefined name of another language; false if the name is unknown.
/// `call` is the call of the name, null if it is not called or inside a macro.
bool adviseForeignName(Report report, const Program &program, llvm::StringRef name,
                       const Apply *call, SourceRange callRange);

/// `map(v, w, |a, b| a + b)` as `map(zip(v, w), |e| e.$0 + e.$1)`; nullopt if it is another
/// mistake.
std::optional<std::string> zippedCall(const Program &program, llvm::StringRef macro,
                                      const Apply &call);
/// `|x| x.$0`, the key of one element, as the `|a, b| compare(a.$0, b.$0)` that `sort` expects.
std::optional<std::string> keyComparator(const Program &program, const Lambda &key);
/// `a < b` or `a - b` as `compare(a, b)`.
std::optional<std::string> comparison(const Program &program, const Expr &expr);

/// The program's text of an index: an integer literal gets the suffix of `i64`.
std::string indexText(const SourceFile &file, const Expr &expr);
/// The names of parameters: "a, b".
std::string namesOf(llvm::ArrayRef<Variable *> parameters);

} // namespace tessera::weld

#endif
