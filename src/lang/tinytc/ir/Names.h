/// Names for the values of a function in source text.
#ifndef TESSERA_LANG_TINYTC_IR_NAMES_H
#define TESSERA_LANG_TINYTC_IR_NAMES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSet.h"

namespace tessera::tinytc::ir {

/// The names in a location, one for each value; "" for values without names.
llvm::SmallVector<llvm::StringRef> namesAt(mlir::Location loc, unsigned numValues);

/// Keeps the names of the program, unless a visible value already has the name.
class Names {
public:
  explicit Names(mlir::Operation *function);

  /// The name of a new value, which is visible until the scope ends.
  std::string bind(llvm::StringRef wanted);
  void enter() { scopes.emplace_back(); }
  void leave();

private:
  std::string unused(llvm::StringRef wanted);

  llvm::StringSet<> wishes; ///< All names that the function has anywhere.
  llvm::StringSet<> visible;
  llvm::SmallVector<llvm::SmallVector<std::string>> scopes;
};

} // namespace tessera::tinytc::ir

#endif
