/// Loops that LLVM's vectorizer must skip.
#ifndef TESSERA_BACKEND_CPU_UNIFORMLOOPS_H
#define TESSERA_BACKEND_CPU_UNIFORMLOOPS_H

#include "llvm/IR/PassManager.h"

namespace tessera::cpu {

/// Runs just before the vectorizer. See Note [Uniform loops].
struct SkipUniformLoops : llvm::PassInfoMixin<SkipUniformLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace tessera::cpu

#endif
