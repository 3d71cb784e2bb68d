/// Rewrites the body of a loop with several builders, or none, instead of one.
#ifndef TESSERA_LANG_WELD_TRANSFORM_EXPAND_BUILDER_H
#define TESSERA_LANG_WELD_TRANSFORM_EXPAND_BUILDER_H

#include "lang/weld/ir/Dialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::weld::transform {

/// All values that derive from a builder in the body of its loop, up to what the loop yields,
/// through merges, branches and inner loops; nullopt if it has other uses.
std::optional<llvm::DenseSet<mlir::Value>> derivedFrom(ir::ForOp loop, unsigned builder);

/// The merges into any of these.
llvm::SmallVector<ir::MergeOp> mergesInto(ir::ForOp loop,
                                          const llvm::DenseSet<mlir::Value> &derived);

class ExpandBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  /// Writes the replacement of a merge; receives and returns the values that replace the builder.
  using OnMerge = llvm::function_ref<Values(mlir::OpBuilder &, ir::MergeOp, const Values &)>;

  ExpandBuilder(const llvm::DenseSet<mlir::Value> &derived, OnMerge onMerge)
      : derived(derived), onMerge(onMerge) {}

  /// `mapping` has all arguments of the block except `builder`, which `values` replace. Returns
  /// what the block yields.
  Values clone(mlir::Block &block, mlir::Value builder, const Values &values, mlir::OpBuilder &to);
  mlir::IRMapping mapping;

private:
  void cloneOps(mlir::Block &block, mlir::OpBuilder &to);
  void cloneIf(ir::IfOp op, mlir::OpBuilder &to);
  void cloneFor(ir::ForOp op, mlir::OpBuilder &to);
  Values expanded(mlir::ValueRange values);
  void mapResults(mlir::ValueRange results, mlir::ValueRange made);

  const llvm::DenseSet<mlir::Value> &derived;
  OnMerge onMerge;
  llvm::DenseMap<mlir::Value, Values> current;
};

} // namespace tessera::weld::transform

#endif
