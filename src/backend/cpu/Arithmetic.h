/// Short names for what kernels compute with: positions that fold where they are known, and loops.
#ifndef TESSERA_BACKEND_CPU_ARITHMETIC_H
#define TESSERA_BACKEND_CPU_ARITHMETIC_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::cpu {

using KernelBuilder = mlir::ImplicitLocOpBuilder;
using mlir::Value;

Value index(KernelBuilder &b, int64_t value);
Value add(KernelBuilder &b, Value x, Value y);
Value add(KernelBuilder &b, Value x, int64_t y);
Value subtract(KernelBuilder &b, Value x, Value y);
Value multiply(KernelBuilder &b, Value x, Value y);
Value multiply(KernelBuilder &b, Value x, int64_t y);
Value smaller(KernelBuilder &b, Value x, Value y);
Value larger(KernelBuilder &b, Value x, Value y);
Value select(KernelBuilder &b, Value condition, Value yes, Value no);
/// Of sizes, which are not negative.
Value ceilDivide(KernelBuilder &b, Value x, Value y);
Value divide(KernelBuilder &b, Value x, Value y);
Value roundUp(KernelBuilder &b, Value x, int64_t multiple);

Value isEqual(KernelBuilder &b, Value x, Value y);
Value isLess(KernelBuilder &b, Value x, Value y);
Value isAtLeast(KernelBuilder &b, Value x, Value y);
Value both(KernelBuilder &b, Value x, Value y);

std::optional<int64_t> constantOf(Value value);
/// True where a condition is known to hold.
bool isAlways(Value condition);
bool isNever(Value condition);

using Body = llvm::function_ref<void(Value)>;

/// for (i = begin; i < end; i += step). What runs at most once is no loop.
void forEach(KernelBuilder &b, Value begin, Value end, Value step, Body body);
/// The same with i in 0...count, in any order and at once; `grain` iterations make a chunk.
void inParallel(KernelBuilder &b, Value count, int64_t grain, Body body);
/// The same with an index from 0 on below each of `upper`; `attribute`, which is `workAttr` or
/// `core::grainAttr`, says how much there is to do.
void inParallel(KernelBuilder &b, mlir::ValueRange upper, llvm::StringRef attribute, int64_t number,
                llvm::function_ref<void(mlir::ValueRange)> body);

/// if (condition) then() else otherwise(). What is known to hold is no branch.
void when(KernelBuilder &b, Value condition, llvm::function_ref<void()> then,
          llvm::function_ref<void()> otherwise = nullptr);
/// The values of one of the two.
mlir::SmallVector<Value> choose(KernelBuilder &b, Value condition, mlir::TypeRange types,
                                llvm::function_ref<mlir::SmallVector<Value>()> then,
                                llvm::function_ref<mlir::SmallVector<Value>()> otherwise);

Value zeroOf(KernelBuilder &b, mlir::Type type);

} // namespace tessera::cpu

#endif
