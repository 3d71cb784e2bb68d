/// Finds operations that all work-items must reach together, but provably do not.
#ifndef TESSERA_LANG_TINYTC_IR_DIVERGENCE_H
#define TESSERA_LANG_TINYTC_IR_DIVERGENCE_H

#include "lang/tinytc/ir/Dialect.h"

namespace tessera::tinytc::ir {

/// On such operations: why that is wrong.
inline constexpr llvm::StringLiteral divergentAttr = "tinytc.divergent";

struct Divergence {
  enum Kind : uint8_t {
    Barrier, ///< Not all work-items of the work-group reach it.
    Matrix,  ///< Not all work-items of a subgroup reach an operation on matrices.
    Operand, ///< An operand that must be uniform in a subgroup differs.
  };
  Kind kind;
  mlir::Operation *op;
};

llvm::StringRef describe(Divergence::Kind kind);

/// Reports in program order, at most once for each operation.
void findDivergence(mlir::Operation *function, llvm::function_ref<void(const Divergence &)> report);

} // namespace tessera::tinytc::ir

#endif
