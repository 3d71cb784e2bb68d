/// The stages of a compilation. Each has a name, a printable form, and a rule that says which IR is
/// legal. docs/core.md states the rules.
#ifndef TESSERA_CORE_STAGE_H
#define TESSERA_CORE_STAGE_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir {
class ModuleOp;
} // namespace mlir
namespace llvm {
struct LogicalResult;
} // namespace llvm

namespace tessera::core {

/// In pipeline order. `Dialect` is the language's own dialect, if it has one.
enum class Stage { Ast, Dialect, Core, Optimized, Scheduled, Loops, Llvm, Asm, Object };

llvm::StringRef name(Stage stage);
std::optional<Stage> stageNamed(llvm::StringRef name);

/// Checks the contract of a stage and reports violations as MLIR diagnostics.
llvm::LogicalResult verify(mlir::ModuleOp module, Stage stage);

} // namespace tessera::core

#endif
