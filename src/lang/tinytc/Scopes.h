/// The variables of the preprocessor that are visible at one place.
#ifndef TESSERA_LANG_TINYTC_SCOPES_H
#define TESSERA_LANG_TINYTC_SCOPES_H

#include "lang/tinytc/Syntax.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::tinytc {

/// Variables by name, innermost scope last.
class Scopes {
public:
  void open() { scopes.emplace_back(); }
  void close() { scopes.pop_back(); }
  /// Null if there is none.
  Definition *find(llvm::StringRef name) const;
  void add(Definition *definition) { scopes.back()[definition->name.text] = definition; }
  std::vector<llvm::StringRef> names() const;

  bool areOpen = false; ///< Whether a name without a definition may stand for anything.

private:
  std::vector<llvm::StringMap<Definition *>> scopes{1};
};

/// Whether nothing is known about the definition.
inline bool isOpen(const Definition &definition) {
  return std::holds_alternative<std::monostate>(definition.value);
}

} // namespace tessera::tinytc

#endif
