/// The escape sequences of string literals [weld.lex.7].
#ifndef TESSERA_LANG_WELD_STRINGS_H
#define TESSERA_LANG_WELD_STRINGS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tessera::weld {

inline constexpr const char *escapeSequences = R"(`\"`, `\\`, `\n`, `\r`, `\t` and `\xNN`)";

/// The size of the escape sequence at the beginning of a text, 0 if there is none.
size_t escapeSize(llvm::StringRef text);
/// The size in bytes of the UTF-8 character at the beginning of a text, 0 if it is invalid.
size_t characterSize(llvm::StringRef text);

/// The bytes that the text between the quotes of a valid literal stands for.
std::string unescapedString(llvm::StringRef text);
/// The reverse: control characters, quotes, backslashes and invalid UTF-8 are escaped.
std::string escapedString(llvm::StringRef bytes);

} // namespace tessera::weld

#endif
