/// Dictionaries: tables of the runtime.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

/// The key with all zeros, and all NaNs, made equal.
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

/// Clears the bytes between leaves, which are 0 in tables.
void CoreLowering::clearGaps(const Layout &layout, Value address) {
  int64_t used = 0;
  for (const Leaf &leaf : layout.leaves)
    used += bytesOf(leaf.type);
  if (used == layout.size)
    return;
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 8);
  LLVM::MemsetOp::create(b, loc, address, zero, number(layout.size), /*isVolatile=*/false);
}

Value CoreLowering::storedKey(Type type, const Leaves &key) {
  Layout layout = layoutOf(type);
  Value slot = stackSlot(layout);
  clearGaps(layout, slot);
  store(layout, canonical(key), slot);
  return slot;
}

Value CoreLowering::entryType(Type key, Type value) {
  return typeTable(describe(TypeRange({key, value})));
}

/// The word of a key with this number, as the runtime sees it: bytes between leaves are 0.
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

/// The words of a key in memory; the last one may be incomplete.
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

/// The same as the runtime's `mix`.
Value CoreLowering::mixed(Value bits) {
  auto product = arith::MulUIExtendedOp::create(b, loc, bits, number(int64_t(hashFactor)));
  return make<arith::XOrIOp>(product.getLow(), product.getHigh());
}

/// The same as the runtime's `hashBytes`.
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

/// The leaves that merges keep of an existing table.
Leaves CoreLowering::tableLeaves(Type key, Value table) {
  Leaves result{table};
  if (holdsPointers(key))
    return result;
  for (int64_t leaf : {Tags, Mask, Places, NumDirect}) {
    bool isNumber = leaf == Mask || leaf == NumDirect;
    result.push_back(loadLeaf(isNumber ? i64 : pointerType, at(table, 8 * leaf)));
  }
  return result;
}

/// The entry that belongs to a place. Merges keep pointers to entries; other tables have their
/// numbers.
Value CoreLowering::entryIn(const EntryLayout &entry, const Leaves &table, Value place,
                            bool isMerge) {
  auto inPlaces = [&] { return Leaves{elementAt(entry.bytes, table[Places], place)}; };
  if (isMerge)
    return inPlaces()[0];
  auto byNumber = [&] {
    Value numbers = loadLeaf(pointerType, at(table[Table], 8 * Numbers));
    Value number = loadLeaf(b.getI32Type(), elementAt(int64_t(4), numbers, place));
    Value index = arith::ExtUIOp::create(b, loc, i64, number);
    Value entries = loadLeaf(pointerType, at(table[Table], 8 * Entries));
    return Leaves{elementAt(entry.bytes, entries, index)};
  };
  return either(isNull(table[Places]), pointerType, byNumber, inPlaces)[0];
}

/// The same as the runtime's `tagOf`.
Value CoreLowering::tagOf(Value hash) {
  Value bits = make<arith::ShRUIOp>(hash, number(tagShift));
  Value byte = arith::TruncIOp::create(b, loc, b.getI8Type(), bits);
  return make<arith::OrIOp>(byte, arith::ConstantIntOp::create(b, loc, int8_t(takenBit), 8));
}

/// The runtime's search (tessera_rt_table_find, takePlace) for a key without pointers: where it
/// ends, and whether the key is there. The code is duplicated here so that it can be inlined; keep
/// both in step.
Leaves CoreLowering::search(const EntryLayout &entry, const Leaves &table, const Leaves &words,
                            Value hash, bool isMerge) {
  Value isTrue = arith::ConstantIntOp::create(b, loc, 1, 1), tag = tagOf(hash);
  Leaves last = repeat({hash, hash, isTrue}, [&](const Leaves &state) {
    Value place = make<arith::AndIOp>(state[0], table[Mask]);
    Value mark = loadLeaf(b.getI8Type(), elementAt(int64_t(1), table[Tags], place));
    Value none = arith::ConstantIntOp::create(b, loc, 0, 8);
    Value isTaken = compare(arith::CmpIPredicate::ne, mark, none);
    auto differs = [&] {
      return Leaves{differ(storedWords(entry.key, entryIn(entry, table, place, isMerge)), words)};
    };
    Value goesOn = either(compare(arith::CmpIPredicate::eq, mark, tag), i1, differs,
                          [&] { return Leaves{isTaken}; })[0];
    return Leaves{make<arith::AddIOp>(state[0], number(1)), place, isTaken, goesOn};
  });
  return {last[1], last[2]};
}

/// A search in a merged table that begins after the first place and compares only keys, which are
/// mostly in one cache line: where it ends, and whether the key was found. If it was not, the key
/// may still be there: a place whose bytes are all 0 may be free, and the very first place may hold
/// any key.
Leaves CoreLowering::searchAfter(const EntryLayout &entry, const Leaves &table, const Leaves &words,
                                 Value hash) {
  Value isFalse = arith::ConstantIntOp::create(b, loc, 0, 1);
  Leaves zeros(words.size(), number(0));
  Leaves last = repeat({hash, hash, isFalse}, [&](const Leaves &state) {
    Value next = make<arith::AddIOp>(state[0], number(1));
    Value place = make<arith::AndIOp>(next, table[Mask]);
    Leaves stored = storedWords(entry.key, entryIn(entry, table, place, /*isMerge=*/true));
    Value isTold = make<arith::AndIOp>(differ(stored, zeros),
                                       compare(arith::CmpIPredicate::ne, place, number(0)));
    Value differs = differ(stored, words), goesOn = make<arith::AndIOp>(isTold, differs);
    return Leaves{next, place, make<arith::XOrIOp>(isTold, goesOn), goesOn};
  });
  return {last[1], last[2]};
}

/// Whether small keys have a place of their own.
static bool isNumber(const Layout &key) {
  return key.size <= 8 &&
         llvm::all_of(key.leaves, [](const Leaf &leaf) { return isa<IntegerType>(leaf.type); });
}

/// The value of a small key, and whether there is one.
std::pair<Value, Value> CoreLowering::directValue(const EntryLayout &entry, const Leaves &table,
                                                  Value key) {
  Value mark = loadLeaf(b.getI8Type(), elementAt(int64_t(1), table[Tags], key));
  Value none = arith::ConstantIntOp::create(b, loc, 0, 8);
  return {elementAt(entry.valueBytes, table[Places], key),
          compare(arith::CmpIPredicate::ne, mark, none)};
}

/// Whether keys are found by their hashes; if not, all keys are small.
Value CoreLowering::isHashed(const Leaves &table) {
  return compare(arith::CmpIPredicate::eq, table[NumDirect], number(0));
}

/// Finds a stored value; null if there is none.
Value CoreLowering::findStored(const EntryLayout &entry, const Leaves &table, const Leaves &words) {
  auto byHash = [&] {
    Leaves found = search(entry, table, words, hashOf(words), /*isMerge=*/false);
    return either(
        found[1], pointerType,
        [&] {
          return Leaves{at(entryIn(entry, table, found[0], /*isMerge=*/false), entry.valueOffset)};
        },
        [&] { return Leaves{null()}; });
  };
  if (!isNumber(entry.key))
    return byHash()[0];
  auto inTheirPlaces = [&] {
    auto [value, isThere] = directValue(entry, table, words[0]);
    return Leaves{LLVM::SelectOp::create(b, loc, isThere, value, null())};
  };
  return either(compare(arith::CmpIPredicate::ult, words[0], table[NumDirect]), pointerType,
                inTheirPlaces, [&] {
                  return either(isHashed(table), pointerType, byHash,
                                [&] { return Leaves{null()}; });
                })[0];
}

static EntryLayout entryLayout(Type key, Type value) {
  Type fields[] = {key, value};
  Layout keys = layoutOf(key), values = layoutOf(value);
  return {keys, layoutOf(TypeRange(fields)).size,
          int64_t(llvm::alignTo(keys.size, values.alignment)), values.size};
}

/// Null if there is no such key.
Value CoreLowering::findValue(ir::DictType type, Value table, const Leaves &key) {
  if (holdsPointers(type.getKey()))
    return callFor("tessera_rt_table_find", pointerType, {table, storedKey(type.getKey(), key)});
  EntryLayout entry = entryLayout(type.getKey(), type.getValue());
  Leaves words = keyWords(entry.key, canonical(key));
  return either(
      isNull(table), pointerType, [&] { return Leaves{null()}; },
      [&] { return Leaves{findStored(entry, tableLeaves(type.getKey(), table), words)}; })[0];
}

/// Adds a new key with a call of the runtime.
Value CoreLowering::addByCall(ir::DictMergerType type, Value table, const Leaves &key) {
  return callFor("tessera_rt_table_add", pointerType,
                 {table, storedKey(type.getKey(), key), site("OutOfMemory")});
}

/// Adds a new key at a free place, if there is space: `take` marks the place, and returns the
/// address of the value.
Leaves CoreLowering::addKey(ir::DictMergerType type, Value table, const Leaves &key, Value place,
                            llvm::function_ref<Value()> take, const EntryUpdate &update) {
  Value size = loadLeaf(i64, table), room = loadLeaf(i64, at(table, 8 * Room));
  Value value = either(
      compare(arith::CmpIPredicate::slt, size, room), pointerType,
      [&] {
        Value order = loadLeaf(pointerType, at(table, 8 * Order));
        storeLeaf(arith::TruncIOp::create(b, loc, b.getI32Type(), place),
                  elementAt(int64_t(4), order, size));
        storeLeaf(make<arith::AddIOp>(size, number(1)), table);
        return Leaves{take()};
      },
      [&] { return Leaves{addByCall(type, table, key)}; })[0];
  update.begin(value);
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

/// Most searches end at the first place, which has code of its own: a free first place never
/// matches the key.
Leaves CoreLowering::mergeHashed(ir::DictMergerType type, const EntryLayout &entry,
                                 const Leaves &table, const Leaves &key,
                                 const EntryUpdate &update) {
  Leaves words = keyWords(entry.key, key);
  auto goOn = [&](Value stored) {
    update.goOn(at(stored, entry.valueOffset));
    return table;
  };
  Value hash = hashOf(words), first = make<arith::AndIOp>(hash, table[Mask]);
  Value stored = entryIn(entry, table, first, /*isMerge=*/true);
  auto searchOn = [&] {
    Leaves after = searchAfter(entry, table, words, hash);
    Leaves found = either(
        after[1], ValueRange(after).getTypes(), [&] { return after; },
        [&] { return search(entry, table, words, hash, /*isMerge=*/true); });
    Value place = found[0], there = entryIn(entry, table, place, /*isMerge=*/true);
    auto take = [&] {
      storeLeaf(tagOf(hash), elementAt(int64_t(1), table[Tags], place));
      clearGaps(entry.key, there);
      store(entry.key, key, there);
      return at(there, entry.valueOffset);
    };
    return either(
        found[1], leafTypes(type), [&] { return goOn(there); },
        [&] { return addKey(type, table[Table], key, place, take, update); });
  };
  return either(differ(storedWords(entry.key, stored), words), leafTypes(type), searchOn,
                [&] { return goOn(stored); });
}

/// Whether a direct place has the bytes of a free one.
Value CoreLowering::looksFree(const Layout &value, Value address) {
  int64_t width = 8 * bytesOf(value.leaves.front().type);
  Type bits = b.getIntegerType(width);
  Value found = LLVM::LoadOp::create(b, loc, bits, address, /*alignment=*/1);
  auto free = b.getIntegerAttr(bits, APInt::getSplat(width, APInt(8, freeByte)));
  return compare(arith::CmpIPredicate::eq, found, arith::ConstantOp::create(b, loc, free));
}

/// Merges small keys, which have places of their own.
Leaves CoreLowering::mergeDirectly(ir::DictMergerType type, const EntryLayout &entry,
                                   const Leaves &table, const Leaves &key,
                                   const EntryUpdate &update) {
  Value word = keyWords(entry.key, key)[0];
  Value value = elementAt(entry.valueBytes, table[Places], word);
  auto goOn = [&] {
    update.goOn(value);
    return table;
  };
  auto take = [&] {
    storeLeaf(arith::ConstantIntOp::create(b, loc, 1, 8), elementAt(int64_t(1), table[Tags], word));
    clearGaps(layoutOf(type.getValue()), value);
    return value;
  };
  auto ask = [&] {
    return either(directValue(entry, table, word).second, leafTypes(type), goOn,
                  [&] { return addKey(type, table[Table], key, word, take, update); });
  };
  return either(looksFree(layoutOf(type.getValue()), value), leafTypes(type), ask, goOn);
}

/// The cases part early, and each ends with its own store, so that no select is on the path from
/// one sum to the next.
Leaves CoreLowering::mergeEntry(ir::DictMergerType type, const Leaves &table, const Leaves &given,
                                const EntryUpdate &update) {
  if (holdsPointers(type.getKey()))
    return mergeByBytes(type, table, given, update);
  EntryLayout entry = entryLayout(type.getKey(), type.getValue());
  Leaves key = canonical(given);
  auto byHash = [&] { return mergeHashed(type, entry, table, key, update); };
  if (!isNumber(entry.key))
    return byHash();
  auto addLarge = [&] {
    update.begin(addByCall(type, table[Table], key));
    return tableLeaves(type.getKey(), table[Table]);
  };
  Value word = keyWords(entry.key, key)[0];
  return either(
      compare(arith::CmpIPredicate::ult, word, table[NumDirect]), leafTypes(type),
      [&] { return mergeDirectly(type, entry, table, key, update); },
      [&] { return either(isHashed(table), leafTypes(type), byHash, addLarge); });
}

void CoreLowering::trapIfMissing(Value value, Type keyType, const Leaves &key) {
  when(isNull(value), [&] {
    call("tessera_rt_trap_key", {},
         {site("KeyNotFoundError"), typeTable(describe(keyType)), spill(keyType, key)});
  });
}

Leaves CoreLowering::lookupKey(ir::LookupOp op) {
  auto type = cast<ir::DictType>(op.getCollection().getType());
  Leaves key = leaves(op.getKey());
  Value value = findValue(type, leaf(op.getCollection()), key);
  trapIfMissing(value, type.getKey(), key);
  return load(layoutOf(type.getValue()), value);
}

Leaves CoreLowering::lower(ir::OptLookupOp op) {
  auto type = op.getDict().getType();
  Value value = findValue(type, leaf(op.getDict()), leaves(op.getKey()));
  Value isAbsent = isNull(value);
  Leaves found = either(
      isAbsent, leafTypes(type.getValue()), [&] { return zero(type.getValue()); },
      [&] { return load(layoutOf(type.getValue()), value); });
  Value isThere = make<arith::XOrIOp>(isAbsent, arith::ConstantIntOp::create(b, loc, 1, 1));
  found.insert(found.begin(), isThere);
  return found;
}

Leaves CoreLowering::lower(ir::KeyExistsOp op) {
  Value value = findValue(op.getDict().getType(), leaf(op.getDict()), leaves(op.getKey()));
  return {make<arith::XOrIOp>(isNull(value), arith::ConstantIntOp::create(b, loc, 1, 1))};
}
