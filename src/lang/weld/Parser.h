/// From text to a tree as written.
#ifndef TESSERA_LANG_WELD_PARSER_H
#define TESSERA_LANG_WELD_PARSER_H

#include "lang/weld/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::weld {

/// Never fails: syntax errors are reported and left out of the tree. The file must outlive the
/// program.
std::unique_ptr<Program> parse(const SourceFile &file, DiagnosticEngine &diagnostics);

} // namespace tessera::weld

#endif
