/// MLIR's text as one more language: for `--from`, which enters a compilation at a stage.
#ifndef TESSERA_COMPILER_MODULELANGUAGE_H
#define TESSERA_COMPILER_MODULELANGUAGE_H

#include "lang/Language.h"

namespace tessera {

/// Not in the table of languages: no extension leads here.
extern const Language moduleLanguage;

} // namespace tessera

#endif
