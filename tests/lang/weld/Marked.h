/// Marked programs of this language.
#ifndef TESSERA_TESTS_LANG_WELD_MARKED_H
#define TESSERA_TESTS_LANG_WELD_MARKED_H

#include "../MarkedLines.h"

namespace tessera {
extern const Language weldLanguage;

namespace weld {

inline void expectMarked(const SourceFile &file, const LanguageOptions &options = {}) {
  tessera::expectMarked(weldLanguage, file, options);
}

inline void expectMarked(llvm::StringRef text, const LanguageOptions &options = {}) {
  expectMarked(SourceFile("test.weld", text.str()), options);
}

/// The same for programs of one line each.
inline void expectMarkedLines(llvm::StringRef lines, const LanguageOptions &options = {}) {
  for (llvm::StringRef line : llvm::split(lines, '\n'))
    if (!line.trim().empty())
      expectMarked(line, options);
}

} // namespace weld
} // namespace tessera

#endif
