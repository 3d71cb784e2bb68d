/// The contract: which operations may stand in a module at each stage.
#include "core/Attributes.h"
#include "core/Stage.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace tessera::core;

namespace {

/// Dialects legal at the stages whose values are tensors [core.2].
constexpr llvm::StringLiteral tensorDialects[] = {"builtin", "func",   "arith", "math",
                                                  "scf",     "tensor", "linalg"};
/// From `scheduled` on, destinations are explicit and kernels may be in buffer form [core.5].
constexpr llvm::StringLiteral scheduledDialects[] = {"builtin", "func",         "arith",  "math",
                                                     "scf",     "tensor",       "linalg", "memref",
                                                     "vector",  "bufferization"};
/// Nothing but memory, loops and vectors [core.6].
constexpr llvm::StringLiteral loopDialects[] = {"builtin", "func",   "arith",  "math",  "scf",
                                                "cf",      "memref", "vector", "affine"};
constexpr llvm::StringLiteral llvmDialects[] = {"builtin", "llvm"};

llvm::ArrayRef<llvm::StringLiteral> legalDialects(Stage stage) {
  switch (stage) {
  case Stage::Core:
  case Stage::Optimized:
    return tensorDialects;
  case Stage::Scheduled:
    return scheduledDialects;
  case Stage::Loops:
    return loopDialects;
  default:
    return llvmDialects;
  }
}

LogicalResult verifyOp(Operation *op, Stage stage) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (!llvm::is_contained(legalDialects(stage), dialect))
    return op->emitOpError() << "is not legal at stage `" << name(stage) << "`";
  if (stage != Stage::Core && stage != Stage::Optimized)
    return success();
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  bool takesBuffer = llvm::any_of(op->getRegions(), [&](Region &region) {
    return !region.empty() && llvm::any_of(region.front().getArgumentTypes(), isBuffer);
  });
  if (takesBuffer || llvm::any_of(op->getResultTypes(), isBuffer))
    return op->emitOpError() << "makes a buffer in a function in tensor form [core.3]";
  return success();
}

/// Entries carry what the ABI needs: the name users know them by, and their parameters' [core.4].
LogicalResult verifyEntry(func::FuncOp function) {
  bool isEntry = function->hasAttr(entryAttr);
  if (function.isExternal())
    return success();
  if (isEntry != function.isPublic())
    return function.emitOpError() << "is public if and only if it has `tessera.entry` [core.4]";
  for (unsigned index = 0; isEntry && index < function.getNumArguments(); ++index)
    if (!function.getArgAttr(index, nameAttr))
      return function.emitOpError() << "has a parameter without `tessera.name` [core.4]";
  return success();
}

} // namespace

LogicalResult tessera::core::verify(ModuleOp module, Stage stage) {
  WalkResult result = module.walk([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op); function && failed(verifyEntry(function)))
      return WalkResult::interrupt();
    return failed(verifyOp(op, stage)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
