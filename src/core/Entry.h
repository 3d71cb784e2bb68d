/// Parameters and results of entries as their callers see them: types with what their attributes
/// add [core.4].
#ifndef TESSERA_CORE_ENTRY_H
#define TESSERA_CORE_ENTRY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace tessera::core {

/// What one element is. MLIR's integers have neither a sign nor truth values.
struct ElementType {
  enum Kind { Bool, Int, Uint, Float, Bfloat };
  Kind kind;
  unsigned bits; ///< In memory.
};

/// As NumPy calls it, and "bfloat16".
std::string name(ElementType element);
std::optional<ElementType> elementNamed(llvm::StringRef name);

/// Nothing where callers cannot have such elements.
std::optional<ElementType> elementOf(mlir::Type type);
/// Whether values of a type, or its elements, may be called so: an i8 can be a `uint8` or a `bool`.
bool fits(mlir::Type type, ElementType element);

struct EntryValue {
  mlir::Type type;
  llvm::StringRef name;                             ///< "": none.
  std::optional<ElementType> element;               ///< Nothing: callers cannot have it.
  llvm::SmallVector<llvm::StringRef, 4> sizes = {}; ///< Names of its sizes; "" where there is none.
  bool isInitial = false; ///< What the result of this name holds before the call.
};
EntryValue entryParameter(mlir::func::FuncOp entry, unsigned index);
EntryValue entryResult(mlir::func::FuncOp entry, unsigned index);

} // namespace tessera::core

#endif
