/// The runtime's functions that generated code may call, with their addresses in this process.
#ifndef TESSERA_JIT_RUNTIMESYMBOLS_H
#define TESSERA_JIT_RUNTIMESYMBOLS_H

#include "llvm/ADT/ArrayRef.h"

namespace tessera::jit {

struct RuntimeSymbol {
  const char *name;
  void *address;
};

llvm::ArrayRef<RuntimeSymbol> runtimeSymbols();

} // namespace tessera::jit

#endif
