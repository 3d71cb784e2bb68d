/// Passes of the CPU back end, one per file. Passes.td describes them.
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

/// The elements that make a chunk of a parallel loop: about ten microseconds of work, many times
/// the cost of starting it.
inline constexpr int64_t minChunk = 32768;

/// Up to this many results of an entry are returned as one value; more are stored one by one.
inline constexpr unsigned mostReturned = 16;

/// On a parallel loop: the elements that one iteration of its innermost dimension processes.
inline constexpr llvm::StringLiteral workAttr = "tessera.work";

/// On an elementwise operation: its result is written past the caches.
inline constexpr llvm::StringLiteral streamAttr = "tessera.stream";

/// A function attribute for LLVM: tuned loops, which its optimizer can mostly skip.
inline constexpr llvm::StringLiteral kernelAttr = "tessera-kernel";
/// On a function: the attributes that are passed to LLVM.
inline constexpr llvm::StringLiteral passthroughAttr = "passthrough";

/// The machine that schedules are chosen for. Without fma there are no schedules: its vectors have
/// 0 bytes.
schedule::Machine machineOf(const Target &target);
/// The features of this machine under LLVM's names. Like its caches, they are read once.
const llvm::StringMap<bool> &hostFeatures();

/// Whether tuned loops support accumulators of the type.
bool canSum(mlir::Type element);

/// The functions of Library.def, in both widths.
llvm::ArrayRef<llvm::StringLiteral> libraryFunctions();

/// The runtime's malloc; see Generated.h.
inline constexpr llvm::StringLiteral allocateFunction = "tessera_rt_alloc_at";
/// On the module, from DescribeEntries on: dictionaries with name, symbol, parameters (name, type)
/// and results.
inline constexpr llvm::StringLiteral entriesAttr = "tessera.entries";

} // namespace tessera::cpu

#endif
