/// Passes of the CPU back end; one file each. Passes.td describes them.
#ifndef TESSERA_BACKEND_CPU_PASSES_H
#define TESSERA_BACKEND_CPU_PASSES_H

#include "backend/Backend.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "schedule/Contraction.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::cpu {

using schedule::lineBytes;
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "backend/cpu/Passes.h.inc"

void addSchedulePasses(mlir::OpPassManager &pm, const Target &target);
void addLoopPasses(mlir::OpPassManager &pm, const Target &target);
void addLoweringPasses(mlir::OpPassManager &pm, const Target &target);
llvm::ArrayRef<PassMaker> passes();
std::optional<std::string> emit(mlir::ModuleOp module, const Target &target, Artifact artifact,
                                std::string &error);
std::string fingerprint(const Target &target);
std::string processor(const Target &target);

/// Elements worth a chunk of a parallel loop: about ten microseconds of work, many times what
/// handing it out costs.
inline constexpr int64_t minChunk = 32768;

/// Results of an entry that are returned as one value; more are stored one by one.
inline constexpr unsigned mostReturned = 16;

/// On a parallel loop: elements that one iteration of its innermost dimension stands for.
inline constexpr llvm::StringLiteral workAttr = "tessera.work";

/// On an elementwise operation: its result is written past the caches.
inline constexpr llvm::StringLiteral streamAttr = "tessera.stream";

/// Among what LLVM is told of a function: a kernel, which its optimiser need not look at.
inline constexpr llvm::StringLiteral kernelAttr = "tessera-kernel";
/// On a function: what LLVM is told of it.
inline constexpr llvm::StringLiteral passthroughAttr = "passthrough";

/// What schedules are chosen by. Without fma there are none: its vectors have no bytes.
schedule::Machine machineOf(const Target &target);
/// This machine's, by LLVM's names. Like its caches, they are read once.
const llvm::StringMap<bool> &hostFeatures();

/// Whether kernels have accumulators of the type.
bool canSum(mlir::Type element);

/// The functions of Library.def, of both widths.
llvm::ArrayRef<llvm::StringLiteral> libraryFunctions();

/// On the module, from DescribeEntries on: dictionaries with name, symbol, parameters (name, type)
/// and results.
/// The runtime's malloc; see Generated.h.
inline constexpr llvm::StringLiteral allocateFunction = "tessera_rt_alloc_at";
inline constexpr llvm::StringLiteral entriesAttr = "tessera.entries";

} // namespace tessera::cpu

#endif
