/// Combines the tables that chunks of a loop have filled, or the pairs that they have partitioned.
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

/// The same as the runtime's `tessera_parts_count`.
static constexpr int64_t numParts = 256;

/// Whether chunks have tables instead of pairs.
Value CoreLowering::isWhole(Value table) {
  return compare(arith::CmpIPredicate::eq, loadLeaf(i64, at(table, 8 * IsDivided)), number(0));
}

/// Puts entries in the order in which keys were first merged.
void CoreLowering::settle(Value table) {
  call("tessera_rt_table_settle", {}, {table, site("OutOfMemory")});
}

Leaves CoreLowering::addTable(ir::DictMergerType type, const Leaves &sum, Value other) {
  // A chunk may have continued with the table itself.
  Value isOther = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, sum[Table], other);
  return either(
      isOther, leafTypes(type),
      [&] {
        Value entries = loadLeaf(pointerType, at(other, 8 * Entries));
        int64_t bytes = layoutOf(TypeRange(ArrayRef<Type>{type.getKey(), type.getValue()})).size;
        return addEntries(type, sum, entries, loadLeaf(i64, other), bytes);
      },
      [&] { return tableLeaves(type.getKey(), other); });
}

/// Merges entries that are `bytes` bytes apart.
Leaves CoreLowering::addEntries(ir::DictMergerType type, const Leaves &sum, Value entries,
                                Value count, int64_t bytes) {
  OpBuilder::InsertionGuard guard(b);
  Type fields[] = {type.getKey(), type.getValue()};
  Layout layout = layoutOf(TypeRange(fields));
  auto each = forLoop(number(0), count, sum);
  b.setInsertionPointToStart(each.getBody());
  Leaves entry = load(layout, elementAt(bytes, entries, each.getInductionVar()));
  size_t keyLeaves = leafTypes(type.getKey()).size();
  Leaves next = mergeInto(type, Leaves(each.getRegionIterArgs()),
                          Leaves(ArrayRef(entry).take_front(keyLeaves)),
                          Leaves(ArrayRef(entry).drop_front(keyLeaves)));
  scf::YieldOp::create(b, loc, next);
  return Leaves(each.getResults());
}

Leaves CoreLowering::combinedTables(ir::DictMergerType type, const Leaves &first,
                                    const Chunks &chunks, unsigned leaf, bool isSearched) {
  auto fold = [&] {
    Value others =
        at(elementAt(chunks.bytes, chunks.pieces, number(1)), chunks.layout.leaves[leaf].offset);
    Value count = make<arith::SubIOp>(chunks.count, number(1));
    call("tessera_rt_table_expect", {},
         {first[Table], others, number(chunks.bytes), count, site("OutOfMemory")});
    Leaves roomy = tableLeaves(type.getKey(), first[Table]);
    return folded(type, roomy, chunks, leaf);
  };
  if (holdsPointers(type.getKey()))
    return fold();
  return either(isWhole(first[Table]), leafTypes(type), fold,
                [&] { return joinedParts(type, first, chunks, leaf, isSearched); });
}

/// Chunks have partitioned their pairs by the hashes of keys: see Parts.cpp.
Leaves CoreLowering::joinedParts(ir::DictMergerType type, const Leaves &first, const Chunks &chunks,
                                 unsigned leaf, bool isSearched) {
  Value outer = region;
  region = createRegion();
  Value pieces = at(chunks.pieces, chunks.layout.leaves[leaf].offset);
  Value parts = callFor("tessera_rt_parts_create", pointerType,
                        {pieces, number(chunks.bytes), chunks.count, region, site("OutOfMemory")});
  forChunks(number(numParts), number(0), [&](Value part) {
    Value around = region;
    region = createRegion();
    Leaves table = mergedPart(type, parts, part);
    call("tessera_rt_parts_finish", {}, {parts, part, table[Table], site("OutOfMemory")});
    region = around;
  });
  call("tessera_rt_parts_join", {}, {parts, first[Table], number(isSearched), site("OutOfMemory")});
  call("tessera_rt_region_free", {}, region);
  region = outer;
  return tableLeaves(type.getKey(), first[Table]);
}

/// Merges the pairs of one part, block by block, into a table of its own.
Leaves CoreLowering::mergedPart(ir::DictMergerType type, Value parts, Value part) {
  Type fields[] = {type.getKey(), type.getValue()};
  Layout vector = layoutOf(ir::VecType::get(type.getKey()));
  int64_t pairBytes = llvm::alignTo(layoutOf(TypeRange(fields)).size, 8) + 8; // And its number.
  Value pairs = stackSlot(vector);
  Value table =
      callFor("tessera_rt_parts_table", pointerType, {parts, part, region, site("OutOfMemory")});
  Leaves initial = tableLeaves(type.getKey(), table);
  initial.insert(initial.begin(), null());
  Leaves last = repeat(initial, [&](const Leaves &state) {
    Leaves table(ArrayRef(state).drop_front());
    Value block = callFor("tessera_rt_parts_next", pointerType, {parts, part, state[0], pairs});
    Value isEnd = isNull(block);
    Leaves next = either(
        isEnd, leafTypes(type), [&] { return table; },
        [&] {
          Leaves elements = load(vector, pairs);
          return addEntries(type, table, elements[0], elements[1], pairBytes);
        });
    next.insert(next.begin(), block);
    next.push_back(make<arith::XOrIOp>(isEnd, arith::ConstantIntOp::create(b, loc, 1, 1)));
    return next;
  });
  return Leaves(ArrayRef(last).drop_front());
}
