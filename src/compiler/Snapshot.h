/// The module as it was after a pass, for `emit --after`.
#ifndef TESSERA_COMPILER_SNAPSHOT_H
#define TESSERA_COMPILER_SNAPSHOT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringSet.h"

namespace tessera {

/// Copies each operation after the first run of the pass on it: with two function passes, MLIR runs
/// both on the first function before it continues with the second.
class Snapshot {
public:
  explicit Snapshot(llvm::StringRef pass) : wanted(pass.str()) {}

  /// Must be added to every pass manager that is used.
  std::unique_ptr<mlir::PassInstrumentation> instrument();
  /// Null if the pass did not run.
  mlir::ModuleOp module() { return copy ? *copy : nullptr; }
  /// The passes that ran, in order, without duplicates.
  llvm::ArrayRef<std::string> passes() const { return seen; }

  void note(mlir::Pass *pass, mlir::Operation *op);

private:
  void copyFunction(mlir::Operation *function);

  std::string wanted;
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  bool isWhole = false; ///< The pass ran on the module: the copy is complete.
  llvm::StringSet<> copied;
  std::vector<std::string> seen;
};

} // namespace tessera

#endif
