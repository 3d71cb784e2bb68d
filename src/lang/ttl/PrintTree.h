/// The typed tree as indented text: `emit --stage=ast`.
#ifndef TESSERA_LANG_TTL_PRINTTREE_H
#define TESSERA_LANG_TTL_PRINTTREE_H

#include "lang/ttl/Syntax.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::ttl {

void printTree(const Program &program, llvm::raw_ostream &out);

} // namespace tessera::ttl

#endif
