/// Places where work-items provably part, though they must not.
#ifndef TESSERA_LANG_TINYTC_IR_DIVERGENCE_H
#define TESSERA_LANG_TINYTC_IR_DIVERGENCE_H

#include "lang/tinytc/ir/Dialect.h"

namespace tessera::tinytc::ir {

struct Divergence {
  enum Kind : uint8_t {
    Barrier, ///< Not all of a group reach it.
    Matrix,  ///< Not all of a subgroup reach an operation on matrices.
    Operand, ///< One that must be the same in a subgroup is not.
  };
  Kind kind;
  mlir::Operation *op;
};

llvm::StringRef describe(Divergence::Kind kind);

/// In the order of the program, one an operation at most.
void findDivergence(mlir::Operation *function, llvm::function_ref<void(const Divergence &)> report);

} // namespace tessera::tinytc::ir

#endif
