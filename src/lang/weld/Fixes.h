/// Fixes that certainly help.
#ifndef TESSERA_LANG_WELD_FIXES_H
#define TESSERA_LANG_WELD_FIXES_H

#include "lang/Language.h"

namespace tessera::weld {

/// Tries each fix of a file's diagnostics, and keeps it only if the program then has no other
/// errors than before. The others become questions.
void keepFixesThatWork(const SourceFile &file, const LanguageOptions &options,
                       DiagnosticEngine &diagnostics);

} // namespace tessera::weld

#endif
