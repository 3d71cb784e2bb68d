/// Functions whose straight lines LLVM must not look for vectors in.
#ifndef TESSERA_BACKEND_CPU_STRAIGHTLINES_H
#define TESSERA_BACKEND_CPU_STRAIGHTLINES_H

#include "llvm/IR/Function.h"

namespace tessera::cpu {

/// Whether loops carry so many values that looking for vectors among them takes longer than all
/// other passes together: the time grows with the square of their number.
bool carriesMany(const llvm::Function &function);

/// Whether one gather could take the place of loads that come behind stores. See
/// Note [Gathers and stores].
bool mayGatherStored(const llvm::Function &function);

} // namespace tessera::cpu

#endif
