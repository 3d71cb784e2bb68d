/// The module as it was behind a pass, for `emit --after`.
#ifndef TESSERA_COMPILER_SNAPSHOT_H
#define TESSERA_COMPILER_SNAPSHOT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/StringSet.h"

namespace tessera {

/// Copies each operation behind the first run of the pass on it: of two passes on functions, MLIR
/// runs both on the first function before it turns to the second.
class Snapshot {
public:
  explicit Snapshot(llvm::StringRef pass) : wanted(pass.str()) {}

  /// To be added to every pass manager on the way.
  std::unique_ptr<mlir::PassInstrumentation> instrument();
  /// Null when the pass did not run.
  mlir::ModuleOp module() { return copy ? *copy : nullptr; }
  /// The passes that ran, in order, once each.
  llvm::ArrayRef<std::string> passes() const { return seen; }

  void note(mlir::Pass *pass, mlir::Operation *op);

private:
  void copyFunction(mlir::Operation *function);

  std::string wanted;
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  bool isWhole = false; ///< A pass on the module: everything is as it was behind it.
  llvm::StringSet<> copied;
  std::vector<std::string> seen;
};

} // namespace tessera

#endif
