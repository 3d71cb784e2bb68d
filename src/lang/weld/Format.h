/// Formats a program.
#ifndef TESSERA_LANG_WELD_FORMAT_H
#define TESSERA_LANG_WELD_FORMAT_H

#include "support/Diagnostics.h"
#include <optional>

namespace tessera::weld {

/// Keeps comments. nullopt if the text has syntax errors, which are reported.
std::optional<std::string> format(const SourceFile &file, DiagnosticEngine &diagnostics);

} // namespace tessera::weld

#endif
