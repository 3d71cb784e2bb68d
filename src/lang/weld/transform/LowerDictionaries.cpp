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
  Value product = make<arith::MulIOp>(bits, number(int64_t(0x9e3779b97f4a7c15u)));
  return LLVM::ByteSwapOp::create(b, loc, product);
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

/// What merges keep of a table that is there.
Leaves CoreLowering::tableLeaves(Type key, Value table) {
  Leaves result{table};
  if (holdsPointers(key))
    return result;
  for (int64_t leaf : {Entries, Slots, Mask, Direct, NumDirect}) {
    bool isNumber = leaf == Mask || leaf == NumDirect;
    result.push_back(loadLeaf(isNumber ? i64 : pointerType, at(table, 8 * leaf)));
  }
  return result;
}

/// The search of the runtime (Table.h), for a key without pointers: the number of its entry,
/// counted from 1, or 0. Most searches end at the first slot, which has code of its own.
Value CoreLowering::probe(const EntryLayout &entry, const Leaves &table, const Leaves &words) {
  Value hash = hashOf(words), tag = make<arith::ShLIOp>(hash, number(32));
  auto keyIn = [&](Value slot) { // Whether it is another key's; and its number.
    Value found = make<arith::XOrIOp>(slot, tag), last = make<arith::SubIOp>(found, number(1));
    Value isSame = compare(arith::CmpIPredicate::ult, last, number(0xffffffff));
    Leaves result = either(
        isSame, i1,
        [&] {
          Value there = elementAt(entry.bytes, table[Entries], last);
          return Leaves{differ(storedWords(entry.key, there), words)};
        },
        [&] { return Leaves{arith::ConstantIntOp::create(b, loc, 1, 1)}; });
    return std::pair(result[0], found);
  };
  auto slotAt = [&](Value position) {
    Value place = make<arith::AndIOp>(position, table[Mask]);
    return loadLeaf(i64, elementAt(int64_t(8), table[Slots], place));
  };
  auto [isOther, first] = keyIn(slotAt(hash));
  auto search = [&] {
    return Leaves{repeat({hash, number(0)}, [&](const Leaves &state) {
      Value slot = slotAt(state[0]);
      auto [differs, found] = keyIn(slot);
      Value isTaken = compare(arith::CmpIPredicate::ne, slot, number(0));
      Value result = arith::SelectOp::create(b, loc, differs, number(0), found);
      Value next = make<arith::AddIOp>(state[0], number(1));
      return Leaves{next, result, make<arith::AndIOp>(differs, isTaken)};
    })[1]};
  };
  return either(isOther, i64, search, [&] { return Leaves{first}; })[0];
}

/// Whether small keys have a place of their own.
static bool isNumber(const Layout &key) {
  return key.size <= 8 &&
         llvm::all_of(key.leaves, [](const Leaf &leaf) { return isa<IntegerType>(leaf.type); });
}

/// The place of a small key, and whether it is taken.
std::pair<Value, Value> CoreLowering::placeOf(const EntryLayout &entry, const Leaves &table,
                                              const Leaves &words) {
  Value place = elementAt(entry.bytes, table[Direct], words[0]);
  return {place, compare(arith::CmpIPredicate::eq, storedWords(entry.key, place)[0], words[0])};
}

/// The entry, or null.
Value CoreLowering::search(const EntryLayout &entry, const Leaves &table, const Leaves &words) {
  auto bySlots = [&] {
    Value found = probe(entry, table, words);
    Value place = entryAt(entry, table, found);
    Value isAbsent = compare(arith::CmpIPredicate::eq, found, number(0));
    return Leaves{LLVM::SelectOp::create(b, loc, isAbsent, null(), place)};
  };
  if (!isNumber(entry.key))
    return bySlots()[0];
  return either(
      compare(arith::CmpIPredicate::ult, words[0], table[NumDirect]), pointerType,
      [&] {
        auto [place, isTaken] = placeOf(entry, table, words);
        return Leaves{LLVM::SelectOp::create(b, loc, isTaken, place, null())};
      },
      bySlots)[0];
}

Value CoreLowering::entryAt(const EntryLayout &entry, const Leaves &table, Value found) {
  return elementAt(entry.bytes, table[Entries], make<arith::SubIOp>(found, number(1)));
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
  return either(
      isNull(table), pointerType, [&] { return Leaves{null()}; },
      [&] { return Leaves{search(entry, tableLeaves(type.getKey(), table), words)}; })[0];
}

/// A key that is not there yet.
Leaves CoreLowering::addKey(ir::DictMergerType type, Value table, const Leaves &key,
                            const EntryUpdate &update) {
  update.begin(callFor("tessera_rt_table_add", pointerType,
                       {table, storedKey(type.getKey(), key), site("OutOfMemory")}));
  return tableLeaves(type.getKey(), table);
}

Leaves CoreLowering::mergeByBytes(ir::DictMergerType type, const Leaves &table, const Leaves &key,
                                  const EntryUpdate &update) {
  Value before = loadLeaf(i64, table[Table]);
  Value place = callFor("tessera_rt_table_insert", pointerType,
                        {table[Table], storedKey(type.getKey(), key), site("OutOfMemory")});
  Value isNew = compare(arith::CmpIPredicate::ne, loadLeaf(i64, table[Table]), before);
  branch(isNew, [&] { update.begin(place); }, [&] { update.goOn(place); });
  return table;
}

/// The ways part early, and each ends with its own store: nothing is chosen on the way from one sum
/// to the next.
Leaves CoreLowering::mergeEntry(ir::DictMergerType type, const Leaves &table, const Leaves &key,
                                const EntryUpdate &update) {
  if (holdsPointers(type.getKey()))
    return mergeByBytes(type, table, key, update);
  EntryLayout entry = entryLayout(type.getKey(), type.getValue());
  Leaves words = keyWords(entry.key, canonical(key));
  auto merge = [&](Value isThere, Value place) {
    return either(
        isThere, leafTypes(type),
        [&] {
          update.goOn(place);
          return table;
        },
        [&] { return addKey(type, table[Table], key, update); });
  };
  auto bySlots = [&] {
    Value found = probe(entry, table, words);
    return merge(compare(arith::CmpIPredicate::ne, found, number(0)), entryAt(entry, table, found));
  };
  if (!isNumber(entry.key))
    return bySlots();
  return either(
      compare(arith::CmpIPredicate::ult, words[0], table[NumDirect]), leafTypes(type),
      [&] {
        auto [place, isTaken] = placeOf(entry, table, words);
        return merge(isTaken, place);
      },
      bySlots);
}

static int64_t valueOffset(ir::DictType type) {
  int64_t key = layoutOf(type.getKey()).size;
  return llvm::alignTo(key, layoutOf(type.getValue()).alignment);
}

void CoreLowering::trapIfMissing(Value entry, Type keyType, const Leaves &key) {
  when(isNull(entry), [&] {
    call("tessera_rt_trap_key", {},
         {site("KeyNotFoundError"), typeTable(describe(keyType)), spill(keyType, key)});
  });
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
