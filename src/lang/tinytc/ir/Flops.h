/// How much arithmetic a kernel does, where its types and constants tell.
#ifndef TESSERA_LANG_TINYTC_IR_FLOPS_H
#define TESSERA_LANG_TINYTC_IR_FLOPS_H

#include "lang/tinytc/ir/Dialect.h"

namespace tessera::tinytc::ir {

/// Operations on real numbers, by the registers that they fill.
struct Flops {
  double single = 0, wide = 0;

  bool operator==(const Flops &) const = default;
};

/// What one operation does, its regions aside: two an element and step of a product, one a sum or a
/// scaled element; complex numbers cost four times as much in products, twice in sums. Nothing
/// where a size is not known. Integers count as nothing.
std::optional<Flops> flopsOf(mlir::Operation *op);

/// What one group does in a kernel; nothing where that depends on values. Sizes of arguments count
/// once their types say them and `specialize-constants` has run.
std::optional<Flops> flopsOfGroup(mlir::Operation *function);

} // namespace tessera::tinytc::ir

#endif
