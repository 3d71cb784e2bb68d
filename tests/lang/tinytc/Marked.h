/// Marked programs of tinytc.
#ifndef TESSERA_TESTS_LANG_TINYTC_MARKED_H
#define TESSERA_TESTS_LANG_TINYTC_MARKED_H

#include "../MarkedLines.h"

namespace tessera {
extern const Language tinytcLanguage;

namespace tinytc {

inline void expectMarked(const SourceFile &file, const LanguageOptions &options = {}) {
  tessera::expectMarked(tinytcLanguage, file, options);
}

inline void expectMarked(llvm::StringRef text, const LanguageOptions &options = {}) {
  expectMarked(SourceFile("test.tinytc", text.str()), options);
}

/// The same for programs of one line each.
inline void expectMarkedLines(llvm::StringRef lines, const LanguageOptions &options = {}) {
  for (llvm::StringRef line : llvm::split(lines, '\n'))
    if (!line.trim().empty())
      expectMarked(line, options);
}

} // namespace tinytc
} // namespace tessera

#endif
