/// A program in its one layout.
#ifndef TESSERA_LANG_WELD_FORMAT_H
#define TESSERA_LANG_WELD_FORMAT_H

#include "support/Diagnostics.h"
#include <optional>

namespace tessera::weld {

/// Keeps comments. Returns nothing and reports if the text has syntax errors.
std::optional<std::string> format(const SourceFile &file, DiagnosticEngine &diagnostics);

} // namespace tessera::weld

#endif
