/// The formatter: same tokens, same comments, one layout.
#ifndef TESSERA_LANG_TC_FORMAT_H
#define TESSERA_LANG_TC_FORMAT_H

#include "support/Diagnostics.h"
#include <optional>
#include <string>

namespace tessera::tc {

std::optional<std::string> format(const SourceFile &file, DiagnosticEngine &diagnostics);

} // namespace tessera::tc

#endif
