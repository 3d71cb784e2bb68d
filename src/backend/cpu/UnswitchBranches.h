/// Branches in bodies of loops that go the same way in all iterations.
#ifndef TESSERA_BACKEND_CPU_UNSWITCHBRANCHES_H
#define TESSERA_BACKEND_CPU_UNSWITCHBRANCHES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::cpu {

/// In reductions: an operation for each way that such a branch can go. A table without rows is not
/// read from, which is a branch that the sizes decide.
void unswitchFixedBranches(mlir::func::FuncOp function);

} // namespace tessera::cpu

#endif
