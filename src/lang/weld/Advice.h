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
/// Tokens with which an operand can end.
bool endsOperand(Tok kind);

/// How an undefined name is used.
struct UndefinedName {
  Name name;
  const Apply *call = nullptr; ///< The call of the name, if it is called.
  SourceRange callRange = {};
  bool isIterated = false; ///< A loop iterates over the value of the call.
  bool isWritten = true;   ///< In the text of the program, not of a macro.
  bool isSigned = false;   ///< The argument is a name that is declared as a number with a sign.
};
/// Something that can be called, and with how many arguments.
struct Callable {
  llvm::StringRef name;
  size_t numArguments;
};
/// Says what is probably meant: what Weld has for a name of another language, or a similar name
/// that fits the use.
void adviseUndefined(Report report, const Program &program, const UndefinedName &use,
                     llvm::ArrayRef<llvm::StringRef> variables, llvm::ArrayRef<Callable> macros);
/// What Weld has for a function or method of another language; "" if it is not known.
llvm::StringRef adviceForName(llvm::StringRef name);
/// The same for a type; `fix` is set where one type is certainly meant.
llvm::StringRef adviceForType(llvm::StringRef name, llvm::StringRef &fix);
/// The names of all built-in operations and casts.
llvm::ArrayRef<Callable> builtinCallables();

/// `map(v, w, |a, b| a + b)` as `map(zip(v, w), |e| e.$0 + e.$1)`; nullopt if it is another
/// mistake.
std::optional<std::string> zippedCall(const Program &program, llvm::StringRef macro,
                                      const Apply &call);
/// `|x| x.$0`, the key of one element, as the `|a, b| compare(a.$0, b.$0)` that `sort` expects.
std::optional<std::string> keyComparator(const Program &program, const Lambda &key);
/// `compare(a, b)` for a comparator that returns `a < b` or `a - b`; nothing if another order may
/// be meant, as with `a > b`.
std::optional<std::string> comparison(const Program &program, const Lambda &comparator);

/// The program's text of an index: an integer without a suffix gets that of `i64`.
std::string indexText(const SourceFile &file, const Expr &expr);
/// The names of parameters: "a, b".
std::string namesOf(llvm::ArrayRef<Variable *> parameters);

} // namespace tessera::weld

#endif
