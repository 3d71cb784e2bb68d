/// The tree as indented text, with types and what names refer to once it is checked:
/// `emit --stage=ast`.
#ifndef TESSERA_LANG_TC_PRINTTREE_H
#define TESSERA_LANG_TC_PRINTTREE_H

#include "lang/tc/Syntax.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::tc {

void printTree(const Program &program, llvm::raw_ostream &out);

} // namespace tessera::tc

#endif
