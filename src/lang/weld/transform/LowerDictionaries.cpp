/// Dictionaries: tables of the runtime.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

/// Floats have one zero and one NaN.
Leaves CoreLowering::canonical(const Leaves &key) {
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
  store(layout, canonical(key), slot);
  return slot;
}

Value CoreLowering::entryType(Type key, Type value) {
  return typeTable(describe(TypeRange({key, value})));
}

/// A scalar key as 64 bits: what the runtime makes of its bytes.
Value CoreLowering::keyBits(Value key) {
  Type stored = storedType(key.getType());
  if (stored != key.getType())
    return arith::ExtUIOp::create(b, loc, i64, key);
  Type bits = b.getIntegerType(stored.getIntOrFloatBitWidth());
  if (isa<FloatType>(stored))
    key = arith::BitcastOp::create(b, loc, bits, key);
  return bits == i64 ? key : Value(arith::ExtUIOp::create(b, loc, i64, key));
}

/// As the runtime's `mix`.
Value CoreLowering::mixed(Value bits) {
  for (uint64_t factor : {0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u}) {
    bits = make<arith::MulIOp>(bits, number(int64_t(factor)));
    bits = make<arith::XOrIOp>(bits, make<arith::ShRUIOp>(bits, number(32)));
  }
  return bits;
}

/// The search of the runtime (Table.h), for a table that is there and a scalar key.
Value CoreLowering::probe(int64_t entryBytes, Value table, Value key) {
  Value bits = keyBits(key), low = number(0xffffffff);
  Value tag = make<arith::AndIOp>(mixed(bits), low);
  Value entries = loadLeaf(pointerType, at(table, 8)), slots = loadLeaf(pointerType, at(table, 16));
  Value mask = loadLeaf(i64, at(table, 24));
  auto entryOf = [&](Value slot) {
    return elementAt(entryBytes, entries,
                     make<arith::SubIOp>(make<arith::AndIOp>(slot, low), number(1)));
  };
  Value found = repeat({tag, number(0)}, [&](const Leaves &state) {
    Value slot = loadLeaf(i64, elementAt(int64_t(8), slots, make<arith::AndIOp>(state[0], mask)));
    Value isOther = compare(arith::CmpIPredicate::ne, make<arith::ShRUIOp>(slot, number(32)), tag);
    Value isEmpty = compare(arith::CmpIPredicate::eq, slot, number(0));
    Value goesOn = either(
        make<arith::OrIOp>(isOther, isEmpty), i1,
        [&] { return Leaves{compare(arith::CmpIPredicate::ne, slot, number(0))}; },
        [&] {
          Value there = keyBits(loadLeaf(key.getType(), entryOf(slot)));
          return Leaves{compare(arith::CmpIPredicate::ne, there, bits)};
        })[0];
    return Leaves{make<arith::AddIOp>(state[0], number(1)), slot, goesOn};
  })[1];
  Value isEmpty = compare(arith::CmpIPredicate::eq, found, number(0));
  return arith::SelectOp::create(b, loc, isEmpty, null(), entryOf(found));
}

/// Null where there is no such key.
Value CoreLowering::findEntry(ir::DictType type, Value table, const Leaves &key) {
  Type fields[] = {type.getKey(), type.getValue()};
  if (key.size() > 1 || holdsPointers(type.getKey()))
    return callFor("tessera_rt_table_find", pointerType, {table, storedKey(type.getKey(), key)});
  Value scalar = canonical(key)[0];
  return either(
      isNull(table), pointerType, [&] { return Leaves{null()}; },
      [&] { return Leaves{probe(layoutOf(TypeRange(fields)).size, table, scalar)}; })[0];
}

/// The entry of a key, and whether it is new.
std::pair<Value, Value> CoreLowering::insertEntry(ir::DictMergerType type, Value table,
                                                  const Leaves &key) {
  auto insert = [&] {
    return callFor("tessera_rt_table_insert", pointerType,
                   {table, storedKey(type.getKey(), key), site("OutOfMemory")});
  };
  if (key.size() > 1 || holdsPointers(type.getKey())) {
    Value before = loadLeaf(i64, table), entry = insert();
    return {entry, compare(arith::CmpIPredicate::ne, loadLeaf(i64, table), before)};
  }
  Type fields[] = {type.getKey(), type.getValue()};
  Value found = probe(layoutOf(TypeRange(fields)).size, table, canonical(key)[0]);
  Value isNew = isNull(found);
  Value entry = either(
      isNew, pointerType, [&] { return Leaves{insert()}; }, [&] { return Leaves{found}; })[0];
  return {entry, isNew};
}

static int64_t valueOffset(ir::DictType type) {
  int64_t key = layoutOf(type.getKey()).size;
  return llvm::alignTo(key, layoutOf(type.getValue()).alignment);
}

/// Keys that are integers are named; an `i64` holds what a message shows.
void CoreLowering::trapIfMissing(Value entry, Type keyType, const Leaves &key) {
  auto integer = dyn_cast<IntegerType>(keyType);
  bool isShown =
      integer && integer.getWidth() > 1 && (!integer.isUnsigned() || integer.getWidth() < 64);
  if (!isShown)
    return trapIf(isNull(entry), "KeyNotFoundError: the dictionary has no such key", {});
  Value shown = key[0];
  if (integer.getWidth() < 64)
    shown = integer.isUnsigned() ? Value(arith::ExtUIOp::create(b, loc, i64, shown))
                                 : Value(arith::ExtSIOp::create(b, loc, i64, shown));
  trapIf(isNull(entry), "KeyNotFoundError: the dictionary has no key {0}", {shown});
}

Leaves CoreLowering::lookupKey(ir::LookupOp op) {
  auto type = cast<ir::DictType>(op.getCollection().getType());
  Leaves key = leaves(op.getKey());
  Value entry = findEntry(type, leaf(op.getCollection()), key);
  trapIfMissing(entry, type.getKey(), key);
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
