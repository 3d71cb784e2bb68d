/// Exports kernels: the table for the runtime, and the function for C.
#ifndef TESSERA_BACKEND_CPU_KERNELENTRY_H
#define TESSERA_BACKEND_CPU_KERNELENTRY_H

#include "backend/cpu/EntryData.h"

namespace tessera::cpu {

/// Builds a struct tessera_kernel from a row of the table that describe-entries makes.
llvm::GlobalVariable *kernelTable(EntryData &data, mlir::DictionaryAttr entry, llvm::StringRef cpu);

/// int NAME(const tessera_launch *launch, ...), with arguments passed as in C.
void addKernelFunction(EntryData &data, mlir::DictionaryAttr entry, llvm::GlobalVariable *table,
                       llvm::StringRef name);

} // namespace tessera::cpu

#endif
