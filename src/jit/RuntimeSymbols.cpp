#include "jit/RuntimeSymbols.h"
#include "runtime/Generated.h"

// Only the addresses of C's functions are needed. Declaring them here, under other names, avoids
// C++'s overloads; functions that the compiler itself calls have no header at all.
#define TESSERA_C_SYMBOL(name) extern "C" void c_##name() __asm__(#name);
#define TESSERA_LIB_SYMBOL(name) extern "C" void c_##name() __asm__(#name);
#include "runtime/Symbols.def"

using namespace tessera::jit;

llvm::ArrayRef<RuntimeSymbol> tessera::jit::runtimeSymbols() {
#define TESSERA_SYMBOL(name) {#name, reinterpret_cast<void *>(&name)},
#define TESSERA_C_SYMBOL(name) {#name, reinterpret_cast<void *>(&c_##name)},
#define TESSERA_LIB_SYMBOL(name) {#name, reinterpret_cast<void *>(&c_##name)},
  static const RuntimeSymbol table[] = {
#include "runtime/Symbols.def"
  };
  return table;
}
