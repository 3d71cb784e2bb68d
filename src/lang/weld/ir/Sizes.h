/// What is known about numbers of elements.
#ifndef TESSERA_LANG_WELD_IR_SIZES_H
#define TESSERA_LANG_WELD_IR_SIZES_H

#include "lang/weld/ir/Dialect.h"

namespace tessera::weld::ir {

/// A number of elements: a constant, or the length of a vector. Equal counts mean equal numbers;
/// unequal ones mean different numbers only if both are constants.
struct Count {
  std::optional<int64_t> number;
  mlir::Value vec;

  bool operator==(const Count &) const = default;
};

/// Looks through loops that merge once per iteration, sorts, and literals.
Count countOf(mlir::Value vec);
/// The number of iterations; nullopt if it is not known or computing it may fail.
std::optional<Count> countOf(const IteratorOperands &iterator);
/// Whether all iterators are known to have the same number of elements, and none fails.
bool haveSameCount(llvm::ArrayRef<IteratorOperands> iterators);

/// The value of an integer, if it is known.
std::optional<int64_t> constantInt(mlir::Value value);

} // namespace tessera::weld::ir

#endif
