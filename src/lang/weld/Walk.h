/// The expressions directly below an expression, in the order of evaluation.
#ifndef TESSERA_LANG_WELD_WALK_H
#define TESSERA_LANG_WELD_WALK_H

#include "lang/weld/Syntax.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::weld {

void forEachChild(const Expr &expr, llvm::function_ref<void(Expr &)> visit);
void forEachChild(const Iterator &iterator, llvm::function_ref<void(Expr &)> visit);

/// How often an outer name is used; a scope that binds it again hides it.
unsigned countUses(const Expr &expr, llvm::StringRef name);

} // namespace tessera::weld

#endif
