/// The formatter: same tokens, same comments, one layout.
#ifndef TESSERA_LANG_TTL_FORMAT_H
#define TESSERA_LANG_TTL_FORMAT_H

#include "support/Diagnostics.h"
#include <optional>
#include <string>

namespace tessera::ttl {

std::optional<std::string> format(const SourceFile &file, DiagnosticEngine &diagnostics);

} // namespace tessera::ttl

#endif
