/// How values differ between the work-items of a group.
#ifndef TESSERA_LANG_TINYTC_IR_UNIFORMITY_H
#define TESSERA_LANG_TINYTC_IR_UNIFORMITY_H

#include "lang/tinytc/ir/Dialect.h"
#include "llvm/ADT/DenseMap.h"

namespace tessera::tinytc::ir {

/// How the values of those work-items that compute them relate; what is known decreases from top to
/// bottom.
enum class Spread : uint8_t {
  Group,    ///< The same in the whole work-group.
  Subgroup, ///< The same in each subgroup.
  Lane,     ///< An integer that grows by a constant from lane to lane.
  Varying,
};

struct Form {
  Spread spread = Spread::Group;
  int64_t stride = 0; ///< Of Lane: never 0.
  /// All values that an integer may have, if they are known; then nothing in it has wrapped.
  std::optional<std::pair<int64_t, int64_t>> range = std::nullopt;

  bool operator==(const Form &) const = default;
};

/// The first variable of a `foreach` runs along the lanes, the others are the same in a subgroup.
class Uniformity {
public:
  explicit Uniformity(mlir::Operation *function);

  /// Values in collective regions are the same in the whole work-group.
  Form of(mlir::Value value) const;
  bool isUniform(mlir::Value value) const { return of(value).spread <= Spread::Subgroup; }

private:
  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitFor(ForOp op);
  void visitIf(IfOp op);
  void visitForeach(ForeachOp op);
  Form compute(mlir::Operation *op) const;
  Form binary(BinaryOp op) const;
  Form cast(CastOp op) const;
  Form builtin(BuiltinOp op) const;
  Form wrapped(Form form, mlir::Type type) const;
  Spread together(mlir::ValueRange values) const;
  void set(mlir::Value value, Form form);
  Spread decisionOf(mlir::Operation *op) const;

  mlir::Operation *function;
  llvm::DenseMap<mlir::Value, Form> forms; ///< For values in SPMD regions.
  bool hasChanged = false;
};

} // namespace tessera::tinytc::ir

#endif
