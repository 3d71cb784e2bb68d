#include "core/Buffer.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;

/// Builds the memref descriptor struct that LLVM expects, then casts it to a memref.
Value core::bufferAt(OpBuilder &b, Location loc, MemRefType type, Value pointer,
                     ValueRange dynamic) {
  MLIRContext *context = b.getContext();
  Type i64 = b.getI64Type();
  Type numbers = LLVM::LLVMArrayType::get(i64, type.getRank());
  Type descriptor = LLVM::LLVMStructType::getLiteral(
      context, {pointer.getType(), pointer.getType(), i64, numbers, numbers});
  Value buffer = LLVM::PoisonOp::create(b, loc, descriptor);
  auto set = [&](Value value, ArrayRef<int64_t> position) {
    buffer = LLVM::InsertValueOp::create(b, loc, buffer, value, position);
  };
  auto setAll = [&](ArrayRef<int64_t> known, int64_t field) {
    for (auto [index, number] : llvm::enumerate(known)) {
      bool isDynamic = ShapedType::isDynamic(number);
      Value value = isDynamic ? dynamic.front() : LLVM::ConstantOp::create(b, loc, i64, number);
      dynamic = dynamic.drop_front(isDynamic);
      set(value, {field, int64_t(index)});
    }
  };
  set(pointer, {0});
  set(pointer, {1});
  set(LLVM::ConstantOp::create(b, loc, i64, 0), {2});
  setAll(type.getShape(), 3);
  setAll(type.getStridesAndOffset().first, 4);
  return UnrealizedConversionCastOp::create(b, loc, type, buffer).getResult(0);
}
