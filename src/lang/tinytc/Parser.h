/// Text to a tree, with variables of the preprocessor replaced by what they stand for.
#ifndef TESSERA_LANG_TINYTC_PARSER_H
#define TESSERA_LANG_TINYTC_PARSER_H

#include "lang/tinytc/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::tinytc {

/// Never fails: what cannot be read is reported, and is Broken in the tree. The file must outlive
/// the program.
std::unique_ptr<Program> parse(const SourceFile &file, const LanguageOptions &options,
                               DiagnosticEngine &diagnostics);
/// For its layout alone: variables may be left to the command line, and old forms are no matter.
std::unique_ptr<Program> parseLayout(const SourceFile &file, DiagnosticEngine &diagnostics);

} // namespace tessera::tinytc

#endif
