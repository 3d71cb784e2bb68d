#include "backend/Backend.h"

using namespace tessera;

namespace tessera {
#define TESSERA_BACKEND(folder) extern const Backend folder##Backend;
#include "backend/Backends.def"
} // namespace tessera

llvm::ArrayRef<const Backend *> tessera::backends() {
  static const Backend *const table[] = {
#define TESSERA_BACKEND(folder) &folder##Backend,
#include "backend/Backends.def"
  };
  return table;
}

const Backend *tessera::backendNamed(llvm::StringRef name) {
  for (const Backend *backend : backends())
    if (backend->name == name)
      return backend;
  return nullptr;
}
