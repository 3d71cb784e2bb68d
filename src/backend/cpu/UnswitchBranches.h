/// Branches in loop bodies that are the same in all iterations.
#ifndef TESSERA_BACKEND_CPU_UNSWITCHBRANCHES_H
#define TESSERA_BACKEND_CPU_UNSWITCHBRANCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::cpu {

/// In reductions: makes a copy of the operation for each outcome of such a branch. For example, a
/// table without rows is not read, which is a branch on the sizes.
void unswitchFixedBranches(mlir::func::FuncOp function);

} // namespace tessera::cpu

#endif
