/// From text to a tree, in which variables of the preprocessor are replaced by their values.
#ifndef TESSERA_LANG_TINYTC_PARSER_H
#define TESSERA_LANG_TINYTC_PARSER_H

#include "lang/tinytc/Syntax.h"
#include "support/Diagnostics.h"

namespace tessera::tinytc {

/// Never fails: what cannot be read is reported and becomes a Broken in the tree. The file must
/// outlive the program.
std::unique_ptr<Program> parse(const SourceFile &file, const LanguageOptions &options,
                               DiagnosticEngine &diagnostics);
/// For the formatter: variables may be undefined, because the command line may define them, and all
/// old forms are accepted.
std::unique_ptr<Program> parseLayout(const SourceFile &file, DiagnosticEngine &diagnostics);

} // namespace tessera::tinytc

#endif
