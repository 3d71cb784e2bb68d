/// The stages of a compilation: each has a name, a rule about which IR is legal there, and a
/// printable form. docs/core.md states the rules.
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

/// In the order of the flow. `Dialect` is the language's own, where it has one.
enum class Stage { Ast, Dialect, Core, Optimized, Scheduled, Loops, Llvm, Asm, Object };

llvm::StringRef name(Stage stage);
std::optional<Stage> stageNamed(llvm::StringRef name);

/// Checks the contract of a stage; what breaks it is reported through MLIR's diagnostics.
llvm::LogicalResult verify(mlir::ModuleOp module, Stage stage);

} // namespace tessera::core

#endif
