/// How a contraction is computed: a record that is chosen by a model, printed with the operation,
/// and read back by the back end.
#ifndef TESSERA_SCHEDULE_CONTRACTION_H
#define TESSERA_SCHEDULE_CONTRACTION_H

#include "mlir/IR/BuiltinAttributes.h"

namespace tessera::schedule {

/// On an operation: its schedule, a dictionary.
inline constexpr llvm::StringLiteral scheduleAttr = "tessera.schedule";

/// What the model has to know of the device.
struct Machine {
  int64_t lanes = 16; ///< Elements of a vector register.
};

/// m, n and k; ShapedType::kDynamic where not known.
struct ContractionSizes {
  int64_t rows, columns, depth;
};

struct Contraction {
  enum class Kernel {
    Unrolled, ///< Every multiply-add stands in the code: all sizes are known and small.
    Blocked,  ///< Loops around a register block, over packed panels.
  };
  Kernel kernel = Kernel::Blocked;
  int64_t lanes = 0;   ///< Elements of a vector register.
  int64_t rows = 0;    ///< Rows of the register block.
  int64_t vectors = 0; ///< Its columns, in vectors.
  int64_t depth = 0;   ///< k of one pass over a packed panel.
  int64_t width = 0;   ///< Columns that are packed at a time.

  int64_t columns() const { return lanes * vectors; }

  mlir::DictionaryAttr toAttribute(mlir::MLIRContext &context) const;
  static Contraction fromAttribute(mlir::DictionaryAttr attribute);
};

/// The model's choice, without measuring.
Contraction chooseContraction(ContractionSizes sizes, Machine machine);

} // namespace tessera::schedule

#endif
