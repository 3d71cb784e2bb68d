/// Everything the rest of the system knows about a target: one struct, one row in Backends.def.
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

/// What is compiled for.
struct Target {
  std::string cpu = "native"; ///< "native", "x86-64-v2", ...
  unsigned optLevel = 2;
  bool debugInfo = false;
  /// What an Artifact::Program is held to; 0: all cores, any amount of bytes.
  int32_t threads = 0;
  int64_t maxMemory = 0;
  /// A symbol that the runtime has which code made ahead of time is linked with; "": any will do.
  std::string runtimeSymbol = {};
};

/// How the result of `emit` is wanted.
enum class Artifact {
  Llvm,     ///< The lowered program as text, before its own optimiser.
  Assembly, ///< Text.
  Object,   ///< For the JIT: entries are found through their signatures.
  Library,  ///< An object with one C function an entry.
  Program,  ///< As Library, with a C `main` that runs the entry `main`.
};

struct Backend {
  llvm::StringRef name, summary;
  void (*registerDialects)(mlir::DialectRegistry &);
  /// Whether the target multiplies and adds in one operation, rounded once.
  bool (*hasFma)(const Target &);
  /// Chooses how each operation of core is computed.
  void (*addSchedulePasses)(mlir::OpPassManager &, const Target &);
  /// From scheduled tensors' buffers to loops.
  void (*addLoopPasses)(mlir::OpPassManager &, const Target &);
  /// From loops to the target's own dialect.
  void (*addLoweringPasses)(mlir::OpPassManager &, const Target &);
  /// Each of its passes, for `tessera opt`.
  llvm::ArrayRef<PassMaker> (*passes)();
  /// Null where the module cannot be emitted; `error` says why.
  std::optional<std::string> (*emit)(mlir::ModuleOp, const Target &, Artifact, std::string &error);
  /// The C name of a function of an Artifact::Library, written in this language.
  std::string (*exportedName)(llvm::StringRef language, llvm::StringRef name);
  /// What of this machine or of the target's name decides about code: for the cache's key.
  std::string (*fingerprint)(const Target &);
  /// What schedules depend on, and its short name: "sapphirerapids/64".
  schedule::Machine (*machine)(const Target &);
  std::string (*processor)(const Target &);
};

llvm::ArrayRef<const Backend *> backends();
const Backend *backendNamed(llvm::StringRef name);

} // namespace tessera

#endif
