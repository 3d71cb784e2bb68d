/// Fixes that certainly help.
#ifndef TESSERA_LANG_WELD_FIXES_H
#define TESSERA_LANG_WELD_FIXES_H

#include "lang/Language.h"

namespace tessera::weld {

/// Tries the fixes of a file's diagnostics, and keeps one only if the program then has no other
/// errors than before. While there are errors of the parser, nothing is checked: then a fix may
/// uncover errors, but not in the text that it changes. The others become questions.
void keepFixesThatWork(const SourceFile &file, const LanguageOptions &options,
                       DiagnosticEngine &diagnostics);

} // namespace tessera::weld

#endif
