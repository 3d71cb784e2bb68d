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

/// What lies in the word with this number, as the runtime sees it: bytes that no leaf has are 0.
Value CoreLowering::wordOf(const Layout &layout, const Leaves &key, int64_t number) {
  Value word;
  for (auto [leaf, part] : llvm::zip_equal(layout.leaves, key)) {
    if (leaf.offset / 8 != number)
      continue;
    Value value = part;
    Type bits = b.getIntegerType(value.getType().getIntOrFloatBitWidth());
    if (isa<FloatType>(value.getType()))
      value = arith::BitcastOp::create(b, loc, bits, value);
    if (bits != i64)
      value = arith::ExtUIOp::create(b, loc, i64, value);
    if (leaf.offset % 8)
      value = make<arith::ShLIOp>(value, CoreLowering::number(leaf.offset % 8 * 8));
    word = word ? make<arith::OrIOp>(word, value) : value;
  }
  return word ? word : CoreLowering::number(0);
}

/// A key without pointers as words.
Leaves CoreLowering::keyWords(const Layout &layout, const Leaves &key) {
  Leaves words;
  for (int64_t number = 0; number * 8 < layout.size; ++number)
    words.push_back(wordOf(layout, key, number));
  return words;
}

/// The words of a key in memory, which are all there but for the last.
Leaves CoreLowering::storedWords(const Layout &layout, Value address) {
  Leaves words, key;
  for (int64_t at = 0; at < layout.size; at += 8) {
    int64_t bytes = std::min<int64_t>(8, layout.size - at);
    if (!llvm::isPowerOf2_64(bytes))
      return keyWords(layout, load(layout, address));
    Value word = loadLeaf(b.getIntegerType(8 * bytes), this->at(address, at));
    words.push_back(bytes == 8 ? word : Value(arith::ExtUIOp::create(b, loc, i64, word)));
  }
  return words;
}

/// As the runtime's `mix`.
Value CoreLowering::mixed(Value bits) {
  for (uint64_t factor : {0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u}) {
    bits = make<arith::MulIOp>(bits, number(int64_t(factor)));
    bits = make<arith::XOrIOp>(bits, make<arith::ShRUIOp>(bits, number(32)));
  }
  return bits;
}

/// As the runtime's `hashBytes`.
Value CoreLowering::hashOf(const Leaves &words) {
  Value hash = mixed(words.front());
  for (Value word : ArrayRef(words).drop_front())
    hash = mixed(make<arith::XOrIOp>(hash, word));
  return hash;
}

Value CoreLowering::differ(const Leaves &lhs, const Leaves &rhs) {
  Value difference;
  for (auto [left, right] : llvm::zip_equal(lhs, rhs)) {
    Value bits = make<arith::XOrIOp>(left, right);
    difference = difference ? make<arith::OrIOp>(difference, bits) : bits;
  }
  return compare(arith::CmpIPredicate::ne, difference, number(0));
}

/// The search of the runtime (Table.h), for a table that is there and a key without pointers: the
/// number of its entry, counted from 1, or 0.
Value CoreLowering::probe(const EntryLayout &entry, Value table, const Leaves &words) {
  Value low = number(0xffffffff), tag = make<arith::AndIOp>(hashOf(words), low);
  Value entries = loadLeaf(pointerType, at(table, 8)), slots = loadLeaf(pointerType, at(table, 16));
  Value mask = loadLeaf(i64, at(table, 24));
  Value found = repeat({tag, number(0)}, [&](const Leaves &state) {
    Value slot = loadLeaf(i64, elementAt(int64_t(8), slots, make<arith::AndIOp>(state[0], mask)));
    Value isOther = compare(arith::CmpIPredicate::ne, make<arith::ShRUIOp>(slot, number(32)), tag);
    Value isEmpty = compare(arith::CmpIPredicate::eq, slot, number(0));
    Value goesOn = either(
        make<arith::OrIOp>(isOther, isEmpty), i1,
        [&] { return Leaves{compare(arith::CmpIPredicate::ne, slot, number(0))}; },
        [&] {
          Value index = make<arith::SubIOp>(make<arith::AndIOp>(slot, low), number(1));
          Value there = elementAt(entry.bytes, entries, index);
          return Leaves{differ(storedWords(entry.key, there), words)};
        })[0];
    return Leaves{make<arith::AddIOp>(state[0], number(1)), slot, goesOn};
  })[1];
  return make<arith::AndIOp>(found, low);
}

/// Whether small keys have a place of their own.
static bool isNumber(const Layout &key) {
  return key.size <= 8 &&
         llvm::all_of(key.leaves, [](const Leaf &leaf) { return isa<IntegerType>(leaf.type); });
}

/// What stands at that place; 0 for keys that have none.
Value CoreLowering::searchDirectly(Value table, Value word) {
  Value isSmall = compare(arith::CmpIPredicate::ult, word, loadLeaf(i64, at(table, 64)));
  return either(
      isSmall, i64,
      [&] {
        Value place = elementAt(int64_t(4), loadLeaf(pointerType, at(table, 56)), word);
        Value found = loadLeaf(b.getI32Type(), place);
        return Leaves{arith::ExtUIOp::create(b, loc, i64, found)};
      },
      [&] { return Leaves{number(0)}; })[0];
}

/// The number of the entry, as above.
Value CoreLowering::search(const EntryLayout &entry, Value table, const Leaves &words) {
  if (!isNumber(entry.key))
    return probe(entry, table, words);
  Value direct = searchDirectly(table, words[0]);
  return either(
      compare(arith::CmpIPredicate::ne, direct, number(0)), i64, [&] { return Leaves{direct}; },
      [&] { return Leaves{probe(entry, table, words)}; })[0];
}

Value CoreLowering::entryAt(const EntryLayout &entry, Value table, Value found) {
  Value entries = loadLeaf(pointerType, at(table, 8));
  return elementAt(entry.bytes, entries, make<arith::SubIOp>(found, number(1)));
}

static EntryLayout entryLayout(Type key, Type value) {
  Type fields[] = {key, value};
  return {layoutOf(key), layoutOf(TypeRange(fields)).size};
}

/// Null where there is no such key.
Value CoreLowering::findEntry(ir::DictType type, Value table, const Leaves &key) {
  if (holdsPointers(type.getKey()))
    return callFor("tessera_rt_table_find", pointerType, {table, storedKey(type.getKey(), key)});
  EntryLayout entry = entryLayout(type.getKey(), type.getValue());
  Leaves words = keyWords(entry.key, canonical(key));
  Value found = either(
      isNull(table), i64, [&] { return Leaves{number(0)}; },
      [&] { return Leaves{search(entry, table, words)}; })[0];
  return either(
      compare(arith::CmpIPredicate::eq, found, number(0)), pointerType,
      [&] { return Leaves{null()}; }, [&] { return Leaves{entryAt(entry, table, found)}; })[0];
}

Value CoreLowering::insertKey(ir::DictMergerType type, Value table, const Leaves &key) {
  return callFor("tessera_rt_table_insert", pointerType,
                 {table, storedKey(type.getKey(), key), site("OutOfMemory")});
}

/// The ways part early, and each ends with its own store: nothing is chosen on the way from one sum
/// to the next.
void CoreLowering::mergeEntry(ir::DictMergerType type, Value table, const Leaves &key,
                              const EntryUpdate &update) {
  if (holdsPointers(type.getKey())) {
    Value before = loadLeaf(i64, table), place = insertKey(type, table, key);
    Value isNew = compare(arith::CmpIPredicate::ne, loadLeaf(i64, table), before);
    return branch(isNew, [&] { update.begin(place); }, [&] { update.goOn(place); });
  }
  EntryLayout entry = entryLayout(type.getKey(), type.getValue());
  Leaves words = keyWords(entry.key, canonical(key));
  auto slowly = [&] {
    Value found = probe(entry, table, words);
    branch(
        compare(arith::CmpIPredicate::eq, found, number(0)),
        [&] { update.begin(insertKey(type, table, key)); },
        [&] { update.goOn(entryAt(entry, table, found)); });
  };
  if (!isNumber(entry.key))
    return slowly();
  Value direct = searchDirectly(table, words[0]);
  branch(
      compare(arith::CmpIPredicate::ne, direct, number(0)),
      [&] { update.goOn(entryAt(entry, table, direct)); }, slowly);
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
