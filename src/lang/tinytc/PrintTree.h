/// Prints a checked program in the spelling of the seed description, without the preprocessor.
#ifndef TESSERA_LANG_TINYTC_PRINTTREE_H
#define TESSERA_LANG_TINYTC_PRINTTREE_H

#include "lang/tinytc/Syntax.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::tinytc {

/// Prints a checked program as text with the same meaning.
void printTree(const Program &program, llvm::raw_ostream &out);

} // namespace tessera::tinytc

#endif
