#include "compiler/KnownValues.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include <cstring>

using namespace mlir;
using namespace tessera;

using Number = std::optional<int64_t>;

namespace {

/// The offset of a struct's field in bytes.
int64_t fieldOffset(LLVM::LLVMStructType type, unsigned field, const DataLayout &layout) {
  int64_t offset = 0;
  for (auto [index, each] : llvm::enumerate(type.getBody())) {
    if (!type.isPacked())
      offset = llvm::alignTo(offset, layout.getTypeABIAlignment(each));
    if (index == field)
      break;
    offset += layout.getTypeSize(each);
  }
  return offset;
}

/// The value that was inserted into a struct at this position.
Value insertedAt(Value aggregate, llvm::ArrayRef<int64_t> position) {
  while (auto insert = aggregate.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == position)
      return insert.getValue();
    aggregate = insert.getContainer();
  }
  return nullptr;
}

Attribute attributeOf(Type type, int64_t number) {
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, APInt(bits, number, /*isSigned=*/true, /*implicitTrunc=*/true));
}

Number constantOf(OpFoldResult size, KnownValues &values) {
  if (auto value = dyn_cast<Value>(size))
    return values.of(value);
  return getConstantIntValue(size);
}

} // namespace

void KnownValues::bind(Value argument, Number value) {
  known.clear();
  if (value)
    bound[argument] = *value;
  else
    bound.erase(argument);
}

Number KnownValues::of(Value value) {
  if (auto found = bound.find(value); found != bound.end())
    return found->second;
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return std::nullopt;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Number number = evaluate(result.getOwner(), result.getResultNumber());
  known[value] = number;
  return number;
}

Number KnownValues::evaluate(Operation *op, unsigned result) {
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    return addressOf(gep);
  if (auto read = dyn_cast<LLVM::LoadOp>(op))
    return load(read);
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (Number index = of(dim.getIndex()))
      return sizeOf(dim.getSource(), *index);
  return fold(op, result);
}

/// Folds with MLIR's own constant folding.
Number KnownValues::fold(Operation *op, unsigned result) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Number number = operand.getType().isIntOrIndex() ? of(operand) : std::nullopt;
    operands.push_back(number ? attributeOf(operand.getType(), *number) : Attribute());
  }
  SmallVector<OpFoldResult> results;
  if (op->getNumRegions() || !op->getResult(result).getType().isIntOrIndex() ||
      failed(op->fold(operands, results)) || results.size() <= result)
    return std::nullopt;
  if (auto value = dyn_cast<Value>(results[result]))
    return value == op->getResult(result) ? std::nullopt : of(value);
  auto number = dyn_cast_or_null<IntegerAttr>(cast<Attribute>(results[result]));
  return number ? Number(number.getValue().getSExtValue()) : std::nullopt;
}

Number KnownValues::addressOf(LLVM::GEPOp op) {
  Number address = of(op.getBase());
  DataLayout layout = DataLayout::closest(op);
  Type type = op.getElemType();
  bool isFirst = true;
  for (auto index : op.getIndices()) {
    auto dynamic = dyn_cast<Value>(index);
    Number number = dynamic ? of(dynamic) : Number(cast<IntegerAttr>(index).getInt());
    if (!address || !number)
      return std::nullopt;
    if (auto fields = dyn_cast<LLVM::LLVMStructType>(type); fields && !isFirst) {
      *address += fieldOffset(fields, *number, layout);
      type = fields.getBody()[*number];
      continue;
    }
    if (auto array = dyn_cast<LLVM::LLVMArrayType>(type); array && !isFirst)
      type = array.getElementType();
    *address += *number * int64_t(layout.getTypeSize(type));
    isFirst = false;
  }
  return address;
}

/// Loads numbers and addresses, but only from memory known to be readable.
Number KnownValues::load(LLVM::LoadOp op) {
  Number address = of(op.getAddr());
  Type type = op.getType();
  if (!address || !(type.isIntOrIndex() || isa<LLVM::LLVMPointerType>(type)))
    return std::nullopt;
  unsigned bits = type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
  auto *from = reinterpret_cast<const char *>(*address);
  for (StringRef range : readable)
    if (from >= range.begin() && from + bits / 8 <= range.end()) {
      int64_t number = 0;
      memcpy(&number, from, bits / 8);
      return llvm::SignExtend64(number, bits);
    }
  return std::nullopt;
}

Number KnownValues::sizeOf(Value memref, unsigned dimension) {
  if (auto type = dyn_cast<MemRefType>(memref.getType()); type && !type.isDynamicDim(dimension))
    return type.getDimSize(dimension);
  Operation *op = memref.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op)) {
    // A descriptor: {allocated, aligned, offset, sizes, strides}.
    Value size = insertedAt(cast.getInputs().front(), {3, int64_t(dimension)});
    return size ? of(size) : std::nullopt;
  }
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return sizeOf(cast.getSource(), dimension);
  if (auto view = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
      view && view.getMixedSizes().size() > dimension)
    return constantOf(view.getMixedSizes()[dimension], *this);
  return std::nullopt;
}
