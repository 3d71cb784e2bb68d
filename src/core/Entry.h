/// Parameters and results of entries as callers see them: types, refined by their attributes
/// [core.4].
#ifndef TESSERA_CORE_ENTRY_H
#define TESSERA_CORE_ENTRY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace tessera::core {

/// The element type as callers see it. MLIR's integers are neither signed nor booleans.
struct ElementType {
  enum Kind { Bool, Int, Uint, Float, Bfloat };
  Kind kind;
  unsigned bits; ///< The size in memory.
};

/// NumPy's name, or "bfloat16".
std::string name(ElementType element);
std::optional<ElementType> elementNamed(llvm::StringRef name);

/// Returns nullopt if the ABI has no such element type.
std::optional<ElementType> elementOf(mlir::Type type);
/// Whether the type, or its elements, may be declared as `element`: an i8 can be a `uint8` or a
/// `bool`.
bool fits(mlir::Type type, ElementType element);

struct EntryValue {
  mlir::Type type;
  llvm::StringRef name;                             ///< Empty if unnamed.
  std::optional<ElementType> element;               ///< Nullopt if the ABI has no such type.
  llvm::SmallVector<llvm::StringRef, 4> sizes = {}; ///< Size names; "" where unnamed.
  bool isInitial = false; ///< Holds the value of the result of the same name before the call.
};
EntryValue entryParameter(mlir::func::FuncOp entry, unsigned index);
EntryValue entryResult(mlir::func::FuncOp entry, unsigned index);

} // namespace tessera::core

#endif
