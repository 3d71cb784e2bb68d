/// Writes the body of a loop anew, with several builders, or none, in the place of one.
#ifndef TESSERA_LANG_WELD_TRANSFORM_EXPAND_BUILDER_H
#define TESSERA_LANG_WELD_TRANSFORM_EXPAND_BUILDER_H

#include "lang/weld/ir/Dialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace tessera::weld::transform {

/// All that a builder becomes in the body of its loop, up to what the loop yields: through merges,
/// branches and inner loops. Nothing where it goes other ways.
std::optional<llvm::DenseSet<mlir::Value>> derivedFrom(ir::ForOp loop, unsigned builder);

/// The merges into any of these.
llvm::SmallVector<ir::MergeOp> mergesInto(ir::ForOp loop,
                                          const llvm::DenseSet<mlir::Value> &derived);

class ExpandBuilder {
public:
  using Values = llvm::SmallVector<mlir::Value>;
  /// Writes what stands for a merge into the builder; gets and gives what stands for the builder.
  using OnMerge = llvm::function_ref<Values(mlir::OpBuilder &, ir::MergeOp, const Values &)>;

  ExpandBuilder(const llvm::DenseSet<mlir::Value> &derived, OnMerge onMerge)
      : derived(derived), onMerge(onMerge) {}

  /// `mapping` knows all arguments of the block but `builder`, which `values` stand for. Gives what
  /// the block yields.
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
