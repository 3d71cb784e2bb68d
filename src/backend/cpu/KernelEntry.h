/// Kernels as the outside sees them: the table for the runtime, and the function for C.
#ifndef TESSERA_BACKEND_CPU_KERNELENTRY_H
#define TESSERA_BACKEND_CPU_KERNELENTRY_H

#include "backend/cpu/EntryData.h"

namespace tessera::cpu {

/// struct tessera_kernel, for a row of the table that describe-entries makes.
llvm::GlobalVariable *kernelTable(EntryData &data, mlir::DictionaryAttr entry, llvm::StringRef cpu);

/// int NAME(const tessera_launch *launch, ...), with arguments as C passes them.
void addKernelFunction(EntryData &data, mlir::DictionaryAttr entry, llvm::GlobalVariable *table,
                       llvm::StringRef name);

} // namespace tessera::cpu

#endif
