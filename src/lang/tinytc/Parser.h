/// Text to a tree, with variables of the preprocessor replaced by what they stand for.
#ifndef TESSERA_LANG_TINYTC_PARSER_H
#define TESSERA_LANG_TINYTC_PARSER_H

#include "lang/tinytc/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::tinytc {

/// Never fails: what cannot be read is reported and becomes a Broken in the tree. The file must
/// outlive the program.
std::unique_ptr<Program> parse(const SourceFile &file, const LanguageOptions &options,
                               DiagnosticEngine &diagnostics);
/// Only for the layout: variables may be left to the command line, and all old forms are accepted.
std::unique_ptr<Program> parseLayout(const SourceFile &file, DiagnosticEngine &diagnostics);

} // namespace tessera::tinytc

#endif
