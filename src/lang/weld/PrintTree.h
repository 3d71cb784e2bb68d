/// The tree as text, for `emit --stage=ast` and for tests.
#ifndef TESSERA_LANG_WELD_PRINTTREE_H
#define TESSERA_LANG_WELD_PRINTTREE_H

#include "lang/weld/Syntax.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::weld {

/// Prints the checked program if there is one, otherwise the program as written.
void printTree(const Program &program, llvm::raw_ostream &out);

} // namespace tessera::weld

#endif
