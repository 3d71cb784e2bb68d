/// Integers that can be told without executing a program: constants and, of a kernel in buffer
/// form, what follows from its arguments.
#ifndef TESSERA_COMPILER_KNOWNVALUES_H
#define TESSERA_COMPILER_KNOWNVALUES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace tessera {

class KnownValues {
public:
  /// What lies in these ranges of this process's memory is read by loads from there.
  explicit KnownValues(llvm::ArrayRef<llvm::StringRef> readable = {}) : readable(readable) {}

  /// Of an integer, an index or, as its address, a pointer.
  std::optional<int64_t> of(mlir::Value value);
  /// A size of a memref.
  std::optional<int64_t> sizeOf(mlir::Value memref, unsigned dimension);

  /// From now on an argument of a block has this value, or none that is known.
  void bind(mlir::Value argument, std::optional<int64_t> value);

private:
  std::optional<int64_t> evaluate(mlir::Operation *op, unsigned result);
  std::optional<int64_t> fold(mlir::Operation *op, unsigned result);
  std::optional<int64_t> addressOf(mlir::LLVM::GEPOp op);
  std::optional<int64_t> load(mlir::LLVM::LoadOp op);

  llvm::ArrayRef<llvm::StringRef> readable;
  llvm::DenseMap<mlir::Value, int64_t> bound;
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> known; ///< What has been asked for.
};

} // namespace tessera

#endif
