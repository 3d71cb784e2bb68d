/// Which matrices may hold elements that were never written: --checked tracks only those.
#ifndef TESSERA_LANG_TTL_PARTIAL_H
#define TESSERA_LANG_TTL_PARTIAL_H

#include "lang/ttl/Syntax.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::ttl {

/// A matrix defined without initializer may be partial, and so may every matrix that it is
/// assigned, passed or returned to. Flow-insensitive; the least solution over the whole program.
struct PartialMatrices {
  llvm::DenseSet<const Variable *> variables;
  llvm::DenseSet<const Function *> results;

  bool contains(const Expr &expr) const;
};

PartialMatrices findPartialMatrices(const Program &program);

} // namespace tessera::ttl

#endif
