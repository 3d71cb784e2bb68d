/// Loads and stores vectors of a view, and emits the bodies of elementwise operations on vectors.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_VECTORBODY_H
#define TESSERA_BACKEND_CPU_CONTRACTION_VECTORBODY_H

#include "backend/cpu/contraction/Product.h"

namespace tessera::cpu {

/// Loads vector number `vector` along the columns of a view; masked-off lanes are zero and their
/// memory is not accessed. If all columns see the same element, it is broadcast. Elements that are
/// not dense are gathered.
Value loadVector(KernelBuilder &b, const View &view, int64_t lanes, int64_t vector, Value mask);
void storeVector(KernelBuilder &b, Value value, const View &view, int64_t vector, Value mask);
/// Stores a vector past the caches, at an address aligned to the vector's size.
void streamVector(KernelBuilder &b, Value value, const View &view);

/// A mask of the first `count` lanes, or null for all.
Value maskOf(KernelBuilder &b, int64_t lanes, Value count);

/// Transposes vectors: first vectors half the block apart swap halves, finally neighbors do. There
/// are as many vectors as lanes, a power of two.
void transpose(KernelBuilder &b, mlir::SmallVectorImpl<Value> &rows);

/// Whether the operation can be part of a body that `emitVectorBody` accepts.
bool isVectorizable(mlir::Operation &op);

/// Emits the block's operations on vectors; `inputs` are vectors or scalars, one per argument.
Value emitVectorBody(KernelBuilder &b, const ElementBody &body, mlir::ArrayRef<Value> inputs,
                     int64_t lanes);

} // namespace tessera::cpu

#endif
