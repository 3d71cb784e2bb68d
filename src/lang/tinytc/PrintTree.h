/// The program as the checker has left it, in the seed's spelling, without the preprocessor.
#ifndef TESSERA_LANG_TINYTC_PRINTTREE_H
#define TESSERA_LANG_TINYTC_PRINTTREE_H

#include "lang/tinytc/Syntax.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::tinytc {

/// Of a checked program; the text is the same program.
void printTree(const Program &program, llvm::raw_ostream &out);

} // namespace tessera::tinytc

#endif
