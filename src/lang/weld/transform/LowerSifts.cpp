/// Loops with a branch that does something only in some iterations, such as merges into
/// dictionaries or lookups. A vectorized loop first finds those iterations of a block, and their
/// numbers are compressed. Then only these iterations run, so that no branch can be mispredicted.
#include "lang/weld/transform/Allocations.h"
#include "lang/weld/transform/Cheap.h"
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

/// The iterations of a block, whose flags stay in the first-level cache, and the numbers in a
/// vector.
static constexpr int64_t blockSize = 1024, lanes = 16;

/// Whether a branch leaves the builders of the loop unchanged if its condition is false.
static bool isGuard(ir::ForOp op, ir::IfOp branch) {
  if (!branch || branch->getBlock() != &op.block() ||
      !branch.elseBlock().without_terminator().empty())
    return false;
  for (auto [value, builder] : llvm::zip_equal(op.yield().getValues(), op.builderArguments())) {
    auto result = dyn_cast<OpResult>(value);
    bool isKept =
        value == builder || (result && result.getOwner() == branch &&
                             branch.elseYield().getValues()[result.getResultNumber()] == builder);
    if (!isKept)
      return false;
  }
  return true;
}

static ir::IfOp guardOf(ir::ForOp op) {
  for (Value value : op.yield().getValues())
    if (auto branch = value.getDefiningOp<ir::IfOp>(); isGuard(op, branch))
      return branch;
  return {};
}

/// Conditions that must all hold for this one to hold.
static SmallVector<Value> partsOf(Value condition) {
  auto branch = condition.getDefiningOp<ir::IfOp>();
  if (branch && branch->getNumResults() == 1 &&
      matchPattern(branch.elseYield().getValues()[0], m_Zero()))
    return {branch.getCondition()};
  auto binary = condition.getDefiningOp<ir::BinaryOp>();
  if (binary && binary.getFunction() == ir::Binary::BitAnd)
    return {binary.getLhs(), binary.getRhs()};
  return {};
}

/// The condition or one of its parts, if that is cheap.
static Value cheapPart(ir::ForOp op, Value condition) {
  Operation *def = condition.getDefiningOp();
  if (!def || def->getBlock() != &op.block())
    return {};
  if (transform::cheapSlice(op, condition))
    return condition;
  for (Value part : partsOf(condition))
    if (Value cheap = cheapPart(op, part))
      return cheap;
  return {};
}

static bool implies(Value condition, Value part) {
  return condition == part ||
         llvm::any_of(partsOf(condition), [&](Value inner) { return implies(inner, part); });
}

static bool mayFail(Block &block) {
  return llvm::any_of(block, [](Operation &op) { return ir::mayFail(&op); });
}

/// Whether iterations for which the condition is false cannot fail, so that they need not run.
static bool failsOnlyWhere(Value condition, ir::ForOp op) {
  return llvm::all_of(op.block(), [&](Operation &inner) {
    auto branch = dyn_cast<ir::IfOp>(inner);
    bool isGuarded =
        branch && implies(branch.getCondition(), condition) && !mayFail(branch.elseBlock());
    return isGuarded || !ir::mayFail(&inner);
  });
}

/// Whether iterations access hash tables, which takes longer than choosing iterations. Tables with
/// small keys are arrays.
static bool asksTables(ir::ForOp op) {
  auto isHashed = [](Type key) { return holdsPointers(key) || layoutOf(key).size > 2; };
  return op.getBody()
      .walk([&](Operation *inner) {
        auto merge = dyn_cast<ir::MergeOp>(inner);
        auto dict = merge ? dyn_cast<ir::DictMergerType>(merge.getTarget().getType())
                          : ir::DictMergerType();
        bool asks = isa<ir::KeyExistsOp, ir::OptLookupOp>(inner) ||
                    (dict && isHashed(dict.getKey())) ||
                    (merge && isa<ir::GroupBuilderType>(merge.getTarget().getType()));
        return asks ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Value CoreLowering::siftingCondition(ir::ForOp op) {
  ir::IfOp branch = guardOf(op);
  if (!branch || !op.getMerges() || !asksTables(op) || hasLoops(op) || allocates(op.getBody()) ||
      ir::annotation(op, "vectorize") == "false" || ir::callsForeign(op))
    return {};
  Value part = cheapPart(op, branch.getCondition());
  return part && failsOnlyWhere(part, op) ? part : Value();
}

/// Stores the numbers of those iterations of a block that meet the condition; returns how many
/// there are.
Value CoreLowering::choose(ir::ForOp op, ArrayRef<Walk> walks, const SiftBlock &block) {
  OpBuilder::InsertionGuard guard(b);
  auto each = forLoop(number(0), block.size, {});
  b.setInsertionPointToStart(each.getBody());
  Value place = each.getInductionVar(), index = make<arith::AddIOp>(block.start, place);
  values[op.index()] = {index};
  for (auto [walk, element] : llvm::zip_equal(walks, op.elements()))
    values[element] = elementOf(walk, index);
  llvm::SetVector<Operation *> slice = *transform::cheapSlice(op, block.condition);
  for (Operation &inner : op.block().without_terminator())
    if (slice.contains(&inner))
      lowerOp(inner);
  storeLeaf(leaf(block.condition), elementAt(int64_t(1), block.flags, place));
  b.setInsertionPointAfter(each);
  return pressedNumbers(block);
}

/// Compresses the numbers; flags after the last one are zeros.
Value CoreLowering::pressedNumbers(const SiftBlock &block) {
  OpBuilder::InsertionGuard guard(b);
  auto flags = VectorType::get(lanes, b.getI8Type()),
       numbers = VectorType::get(lanes, b.getI32Type());
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(flags));
  LLVM::StoreOp::create(b, loc, none, elementAt(int64_t(1), block.flags, block.size), 1);
  auto counted = llvm::to_vector(llvm::seq<int32_t>(0, lanes));
  Value first = arith::ConstantOp::create(b, loc, DenseIntElementsAttr::get(numbers, counted));
  Value any = LLVM::PoisonOp::create(b, loc, numbers);
  auto vectors = scf::ForOp::create(b, loc, number(0), block.size, number(lanes), number(0),
                                    [](OpBuilder &, Location, Value, ValueRange) {});
  b.setInsertionPointToStart(vectors.getBody());
  Value at = vectors.getInductionVar(), count = vectors.getRegionIterArg(0);
  Value bits = LLVM::LoadOp::create(b, loc, flags, elementAt(int64_t(1), block.flags, at), 1);
  Value isWanted = compare(Predicate::ne, bits, none);
  Value begin = arith::TruncIOp::create(b, loc, b.getI32Type(), at);
  Value all = make<arith::AddIOp>(first, vector::BroadcastOp::create(b, loc, numbers, begin));
  Value together =
      callFor("llvm.experimental.vector.compress.v16i32", numbers, {all, isWanted, any});
  LLVM::StoreOp::create(b, loc, together, elementAt(int64_t(4), block.chosen, count), 4);
  Value mask = LLVM::BitcastOp::create(b, loc, b.getIntegerType(lanes), isWanted);
  Value wanted = arith::ExtUIOp::create(b, loc, i64, math::CtPopOp::create(b, loc, mask));
  scf::YieldOp::create(b, loc, make<arith::AddIOp>(count, wanted));
  return vectors.getResult(0);
}

/// The loop's state after all iterations.
Leaves CoreLowering::siftedRounds(ir::ForOp op, ArrayRef<Walk> walks, Value lo, Value hi,
                                  ArrayRef<Leaves> states, Value condition) {
  Leaves initial;
  for (const Leaves &state : states)
    llvm::append_range(initial, state);
  Layout flags, chosen;
  std::tie(flags.size, chosen.size) = std::pair(blockSize + lanes, 4 * (blockSize + lanes));
  flags.alignment = chosen.alignment = 64;
  SiftBlock block{condition, stackSlot(flags), stackSlot(chosen)};
  OpBuilder::InsertionGuard guard(b);
  auto blocks = scf::ForOp::create(b, loc, lo, hi, number(blockSize), initial,
                                   [](OpBuilder &, Location, Value, ValueRange) {});
  b.setInsertionPointToStart(blocks.getBody());
  block.start = blocks.getInductionVar();
  block.size = make<arith::MinSIOp>(make<arith::SubIOp>(hi, block.start), number(blockSize));
  Value count = choose(op, walks, block);
  auto each = forLoop(number(0), count, blocks.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(each.getBody());
    Value chosenNumber =
        loadLeaf(b.getI32Type(), elementAt(int64_t(4), block.chosen, each.getInductionVar()));
    Value index =
        make<arith::AddIOp>(block.start, arith::ExtUIOp::create(b, loc, i64, chosenNumber));
    scf::YieldOp::create(b, loc, round(op, walks, states, each.getRegionIterArgs(), index));
  }
  scf::YieldOp::create(b, loc, each.getResults());
  return Leaves(blocks.getResults());
}
