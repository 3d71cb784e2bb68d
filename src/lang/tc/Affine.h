/// Index expressions that are sums of index variables.
#ifndef TESSERA_LANG_TC_AFFINE_H
#define TESSERA_LANG_TC_AFFINE_H

#include "lang/tc/Ranges.h"

namespace tessera::tc {

/// The variables' coefficients by Variable::index, and what is added: sizes only.
struct Affine {
  llvm::SmallVector<int64_t, 4> coefficients;
  Size offset;
};

/// nullopt if the expression is not such a sum: if it multiplies variables, divides, or reads data.
std::optional<Affine> affineOf(const Expr &index, const Comprehension &statement,
                               const Frame &frame, Inferred &inferred);

} // namespace tessera::tc

#endif
