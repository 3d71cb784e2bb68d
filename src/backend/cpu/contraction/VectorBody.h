/// Vectors of a view, and the bodies of elementwise operations on vectors.
#ifndef TESSERA_BACKEND_CPU_CONTRACTION_VECTORBODY_H
#define TESSERA_BACKEND_CPU_CONTRACTION_VECTORBODY_H

#include "backend/cpu/contraction/Product.h"

namespace tessera::cpu {

/// Vector number `vector` along the columns of a view, as the view's elements; lanes that the mask
/// does not have are zero and their memory is not touched. Where columns see the same: one element
/// in all lanes. What is not dense is gathered.
Value loadVector(KernelBuilder &b, const View &view, int64_t lanes, int64_t vector, Value mask);
void storeVector(KernelBuilder &b, Value value, const View &view, int64_t vector, Value mask);
/// The same past the caches, to a place that is a multiple of the vector's size.
void streamVector(KernelBuilder &b, Value value, const View &view);

/// The first `count` lanes, or all.
Value maskOf(KernelBuilder &b, int64_t lanes, Value count);

/// Turns rows into columns: first those half the block apart change halves, at last neighbours.
/// There are as many vectors as each has lanes, a power of two.
void transpose(KernelBuilder &b, mlir::SmallVectorImpl<Value> &rows);

/// Whether the operation can be part of a body that `emitVectorBody` takes.
bool isVectorizable(mlir::Operation &op);

/// The block's operations on vectors; `inputs` are vectors or scalars, one an argument.
Value emitVectorBody(KernelBuilder &b, const ElementBody &body, mlir::ArrayRef<Value> inputs,
                     int64_t lanes);

} // namespace tessera::cpu

#endif
