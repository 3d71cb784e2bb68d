/// Functions that LLVM's straight-line vectorizer (SLP) must skip.
#ifndef TESSERA_BACKEND_CPU_STRAIGHTLINES_H
#define TESSERA_BACKEND_CPU_STRAIGHTLINES_H

#include "llvm/IR/Function.h"

namespace tessera::cpu {

/// Whether loops carry so many values that vectorizing them would take longer than all other passes
/// together: the time is quadratic in their number.
bool carriesMany(const llvm::Function &function);

/// Whether a gather could replace loads that follow stores. See Note [Gathers and stores].
bool mayGatherStored(const llvm::Function &function);

} // namespace tessera::cpu

#endif
