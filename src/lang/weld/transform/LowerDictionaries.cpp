/// Dictionaries: tables of the runtime.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

/// Floats have one zero and one NaN.
Leaves CoreLowering::canonical(Type type, const Leaves &key) {
  Leaves result;
  for (Value leaf : key) {
    auto format = dyn_cast<FloatType>(leaf.getType());
    if (format) {
      Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(format, 0.0));
      APFloat nan = APFloat::getQNaN(format.getFloatSemantics());
      Value oneNaN = arith::ConstantOp::create(b, loc, b.getFloatAttr(format, nan));
      Value isZero = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, leaf, zero);
      Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, leaf, leaf);
      leaf = arith::SelectOp::create(b, loc, isZero, zero, leaf);
      leaf = arith::SelectOp::create(b, loc, isNaN, oneNaN, leaf);
    }
    result.push_back(leaf);
  }
  return result;
}

Value CoreLowering::storedKey(Type type, const Leaves &key) {
  Layout layout = layoutOf(type);
  Value slot = stackSlot(layout);
  int64_t used = 0;
  for (const Leaf &leaf : layout.leaves)
    used += bytesOf(leaf.type);
  if (used != layout.size) {
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 8);
    LLVM::MemsetOp::create(b, loc, slot, zero, number(layout.size), /*isVolatile=*/false);
  }
  store(layout, canonical(type, key), slot);
  return slot;
}

Value CoreLowering::entryType(Type key, Type value) {
  return typeTable(describe(TypeRange({key, value})));
}

/// Null where there is no such key.
Value CoreLowering::findEntry(ir::DictType type, Value table, const Leaves &key) {
  return callFor("tessera_rt_table_find", pointerType, {table, storedKey(type.getKey(), key)});
}

static int64_t valueOffset(ir::DictType type) {
  int64_t key = layoutOf(type.getKey()).size;
  return llvm::alignTo(key, layoutOf(type.getValue()).alignment);
}

Leaves CoreLowering::lookupKey(ir::LookupOp op) {
  auto type = cast<ir::DictType>(op.getCollection().getType());
  Value entry = findEntry(type, leaf(op.getCollection()), leaves(op.getKey()));
  trapIf(isNull(entry), "KeyNotFoundError: the dictionary has no such key", {});
  return load(layoutOf(type.getValue()), at(entry, valueOffset(type)));
}

Leaves CoreLowering::lower(ir::OptLookupOp op) {
  auto type = op.getDict().getType();
  Value entry = findEntry(type, leaf(op.getDict()), leaves(op.getKey()));
  Value isAbsent = isNull(entry);
  Leaves found = either(
      isAbsent, leafTypes(type.getValue()), [&] { return zero(type.getValue()); },
      [&] { return load(layoutOf(type.getValue()), at(entry, valueOffset(type))); });
  Value isThere = make<arith::XOrIOp>(isAbsent, arith::ConstantIntOp::create(b, loc, 1, 1));
  found.insert(found.begin(), isThere);
  return found;
}

Leaves CoreLowering::lower(ir::KeyExistsOp op) {
  Value entry = findEntry(op.getDict().getType(), leaf(op.getDict()), leaves(op.getKey()));
  return {make<arith::XOrIOp>(isNull(entry), arith::ConstantIntOp::create(b, loc, 1, 1))};
}
