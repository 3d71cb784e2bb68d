/// Short names for index arithmetic, which folds constants, and for loops.
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
/// For sizes, which are not negative.
Value ceilDivide(KernelBuilder &b, Value x, Value y);
Value divide(KernelBuilder &b, Value x, Value y);
Value roundUp(KernelBuilder &b, Value x, int64_t multiple);

Value isEqual(KernelBuilder &b, Value x, Value y);
Value isLess(KernelBuilder &b, Value x, Value y);
Value isAtLeast(KernelBuilder &b, Value x, Value y);
Value both(KernelBuilder &b, Value x, Value y);

std::optional<int64_t> constantOf(Value value);
/// Whether a condition is known to be true.
bool isAlways(Value condition);
bool isNever(Value condition);

using Body = llvm::function_ref<void(Value)>;

/// for (i = begin; i < end; i += step). Emits no loop if it runs at most once.
void forEach(KernelBuilder &b, Value begin, Value end, Value step, Body body);
/// The same for i in 0...count, in any order and in parallel; `grain` iterations make a chunk.
void inParallel(KernelBuilder &b, Value count, int64_t grain, Body body);
/// The same with one index below each of `upper`; `attribute` is `workAttr` or `core::grainAttr`,
/// and `number` its value.
void inParallel(KernelBuilder &b, mlir::ValueRange upper, llvm::StringRef attribute, int64_t number,
                llvm::function_ref<void(mlir::ValueRange)> body);

/// if (condition) then() else otherwise(). Emits no branch if the condition is known.
void when(KernelBuilder &b, Value condition, llvm::function_ref<void()> then,
          llvm::function_ref<void()> otherwise = nullptr);
/// The same with values: returns those of the branch that is taken.
mlir::SmallVector<Value> choose(KernelBuilder &b, Value condition, mlir::TypeRange types,
                                llvm::function_ref<mlir::SmallVector<Value>()> then,
                                llvm::function_ref<mlir::SmallVector<Value>()> otherwise);

Value zeroOf(KernelBuilder &b, mlir::Type type);

} // namespace tessera::cpu

#endif
