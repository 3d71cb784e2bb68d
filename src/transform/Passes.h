/// Passes from core IR to core IR, one per file. Passes.td describes them.
#ifndef TESSERA_TRANSFORM_PASSES_H
#define TESSERA_TRANSFORM_PASSES_H

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tessera::transform {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "transform/Passes.h.inc"
} // namespace tessera::transform

#endif
