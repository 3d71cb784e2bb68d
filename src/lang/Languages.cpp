#include "lang/Language.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using llvm::StringRef;

namespace tessera {
#define TESSERA_LANGUAGE(folder) extern const Language folder##Language;
#include "lang/Languages.def"
} // namespace tessera

llvm::ArrayRef<const Language *> tessera::languages() {
  static const Language *const table[] = {
#define TESSERA_LANGUAGE(folder) &folder##Language,
#include "lang/Languages.def"
  };
  return table;
}

const Language *tessera::languageNamed(StringRef name) {
  for (const Language *language : languages())
    if (language->name == name)
      return language;
  return nullptr;
}

const Language *tessera::languageOf(StringRef fileName) {
  for (const Language *language : languages())
    if (fileName.ends_with(language->extension) ||
        llvm::any_of(language->otherExtensions, [&](StringRef e) { return fileName.ends_with(e); }))
      return language;
  return nullptr;
}
