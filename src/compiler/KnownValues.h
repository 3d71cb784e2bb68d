/// Finds integers that are known without executing a program: constants and, in a kernel in buffer
/// form, values that follow from its arguments.
#ifndef TESSERA_COMPILER_KNOWNVALUES_H
#define TESSERA_COMPILER_KNOWNVALUES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace tessera {

class KnownValues {
public:
  /// Loads from these ranges of this process's memory are evaluated.
  explicit KnownValues(llvm::ArrayRef<llvm::StringRef> readable = {}) : readable(readable) {}

  /// The value of an integer or index, or the address of a pointer.
  std::optional<int64_t> of(mlir::Value value);
  /// The size of a memref's dimension.
  std::optional<int64_t> sizeOf(mlir::Value memref, unsigned dimension);

  /// Sets the value of a block argument from now on, or marks it as unknown.
  void bind(mlir::Value argument, std::optional<int64_t> value);

private:
  std::optional<int64_t> evaluate(mlir::Operation *op, unsigned result);
  std::optional<int64_t> fold(mlir::Operation *op, unsigned result);
  std::optional<int64_t> addressOf(mlir::LLVM::GEPOp op);
  std::optional<int64_t> load(mlir::LLVM::LoadOp op);

  llvm::ArrayRef<llvm::StringRef> readable;
  llvm::DenseMap<mlir::Value, int64_t> bound;
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> known; ///< Values found so far.
};

} // namespace tessera

#endif
