/// What the rest of the compiler knows about a target: one struct, one row in Backends.def.
#ifndef TESSERA_BACKEND_BACKEND_H
#define TESSERA_BACKEND_BACKEND_H

#include "core/PassMaker.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir {
class ModuleOp;
class OpPassManager;
class DialectRegistry;
} // namespace mlir

namespace tessera::schedule {
struct Machine;
} // namespace tessera::schedule

namespace tessera {

/// The machine to compile for.
struct Target {
  std::string cpu = "native"; ///< "native", "x86-64-v2", ...
  unsigned optLevel = 2;
  bool debugInfo = false;
  /// The limits of an Artifact::Program; 0: all cores, unlimited memory.
  int32_t threads = 0;
  int64_t maxMemory = 0;
  /// A runtime symbol that must be present when code compiled ahead of time is linked; "": any
  /// runtime.
  std::string runtimeSymbol = {};
};

/// The form of the output of `emit`.
enum class Artifact {
  Llvm,     ///< LLVM IR as text, before LLVM's optimizer.
  Assembly, ///< Text.
  Object,   ///< For the JIT, which finds entries through their signatures.
  Library,  ///< An object with one C function per entry.
  Program,  ///< A Library with a C `main` that runs the entry `main`.
};

struct Backend {
  llvm::StringRef name, summary;
  void (*registerDialects)(mlir::DialectRegistry &);
  /// Whether the target has fused multiply-add.
  bool (*hasFma)(const Target &);
  /// Lowers from `core` to `scheduled`: chooses how each operation is computed.
  void (*addSchedulePasses)(mlir::OpPassManager &, const Target &);
  /// Lowers scheduled operations on buffers to loops.
  void (*addLoopPasses)(mlir::OpPassManager &, const Target &);
  /// Lowers loops to the target's own dialect.
  void (*addLoweringPasses)(mlir::OpPassManager &, const Target &);
  /// All of its passes, for `tessera opt`.
  llvm::ArrayRef<PassMaker> (*passes)();
  /// Returns nullopt and sets `error` if the module cannot be emitted.
  std::optional<std::string> (*emit)(mlir::ModuleOp, const Target &, Artifact, std::string &error);
  /// The C name of a function in an Artifact::Library; `language` is the language it is written in.
  std::string (*exportedName)(llvm::StringRef language, llvm::StringRef name);
  /// The properties of the machine or target name that affect code: part of the cache key.
  std::string (*fingerprint)(const Target &);
  /// The properties that schedules depend on, and their short name: "sapphirerapids/64".
  schedule::Machine (*machine)(const Target &);
  std::string (*processor)(const Target &);
};

llvm::ArrayRef<const Backend *> backends();
const Backend *backendNamed(llvm::StringRef name);

} // namespace tessera

#endif
