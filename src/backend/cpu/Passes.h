/// Passes of the CPU back end; one file each. Passes.td describes them.
#ifndef TESSERA_BACKEND_CPU_PASSES_H
#define TESSERA_BACKEND_CPU_PASSES_H

#include "backend/Backend.h"
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

namespace tessera::cpu {
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

/// Elements worth a chunk of a parallel loop: about ten microseconds of work, many times what
/// handing it out costs.
inline constexpr int64_t minChunk = 32768;

/// On a parallel loop: iterations that make a chunk, where `minChunk` elements are not the measure.
inline constexpr llvm::StringLiteral grainAttr = "tessera.grain";

/// Elements of 32 bits that a vector register of the target holds; 0 where it has no fma.
int64_t lanesOf(const Target &target);

/// The functions of Library.def, of both widths.
llvm::ArrayRef<llvm::StringLiteral> libraryFunctions();

/// On the module, from DescribeEntries on: dictionaries with name, symbol, parameters (name, type)
/// and results.
inline constexpr llvm::StringLiteral entriesAttr = "tessera.entries";

} // namespace tessera::cpu

#endif
