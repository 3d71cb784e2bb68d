/// Loops that append where a condition holds, without a branch. The values and conditions of a
/// block are computed first, by a loop that is vectorized; then vectors of them are compressed.
#include "lang/weld/transform/Allocations.h"
#include "lang/weld/transform/Cheap.h"
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

using Predicate = arith::CmpIPredicate;

namespace {

/// The iterations of a block, whose values stay in the first-level cache.
constexpr int64_t blockSize = 1024, vectorBytes = 64;

/// The side of a branch that appends, and how.
struct Side {
  mlir::Block *block = nullptr;
  bool isElse = false;
  ir::MergeOp merge = {};
  ir::IfOp inner = {}; ///< Or a nested branch that does.
};

} // namespace

static Side sideOf(ir::IfOp op, Value builder) {
  for (bool isElse : {false, true}) {
    mlir::Block &block = isElse ? op.elseBlock() : op.thenBlock();
    mlir::Block &other = isElse ? op.thenBlock() : op.elseBlock();
    Value value = block.getTerminator()->getOperand(0);
    if (other.getTerminator()->getOperand(0) != builder || !other.without_terminator().empty())
      continue;
    Side side{&block, isElse};
    if (value.getParentBlock() == &block)
      (side.merge = value.getDefiningOp<ir::MergeOp>(),
       side.inner = value.getDefiningOp<ir::IfOp>());
    if (side.merge ? side.merge.getTarget() == builder : bool(side.inner))
      return side;
  }
  return {};
}

/// Whether everything that a branch needs may be computed even if it is not used.
static bool isFilter(ir::IfOp op, Value builder) {
  if (op->getNumResults() != 1 || ir::annotation(op, "predicate") == "false")
    return false;
  Side side = sideOf(op, builder);
  if (!side.block || !transform::isHarmless(*side.block))
    return false;
  return side.merge ? transform::isCheap(*side.block) : isFilter(side.inner, builder);
}

static ir::IfOp filterOf(ir::ForOp op) {
  if (op.numBuilders() != 1 || !op.getMerges())
    return {};
  auto branch = op.yield().getValues()[0].getDefiningOp<ir::IfOp>();
  bool isOwn = branch && branch->getBlock() == &op.block() && branch->hasOneUse();
  return isOwn && isFilter(branch, op.builderArguments()[0]) ? branch : ir::IfOp();
}

/// Whether the branch appends, and what.
std::pair<Value, Leaves> CoreLowering::guarded(ir::IfOp op, Value builder) {
  Side side = sideOf(op, builder);
  Value condition = leaf(op.getCondition());
  if (side.isElse)
    condition = make<arith::XOrIOp>(condition, arith::ConstantIntOp::create(b, loc, 1, 1));
  for (Operation &inner : side.block->without_terminator())
    if (&inner != side.merge && &inner != side.inner)
      lowerOp(inner);
  if (side.merge)
    return {condition, leaves(side.merge.getValue())};
  auto [also, value] = guarded(side.inner, builder);
  return {make<arith::AndIOp>(condition, also), value};
}

/// The builder that one side of a branch leaves unchanged.
static Value untouched(ir::IfOp op) {
  for (mlir::Block *block : {&op.elseBlock(), &op.thenBlock()})
    if (block->without_terminator().empty())
      return block->getTerminator()->getOperand(0);
  return {};
}

/// A branch around a merge into a vecmerger, which an annotation replaces by predication: values
/// that are not chosen are merged into a dummy element. The index is checked only if the condition
/// holds.
std::optional<Leaves> CoreLowering::scatterIf(ir::IfOp op) {
  if (op->getNumResults() != 1 || ir::annotation(op, "predicate") != "true")
    return std::nullopt;
  auto type = dyn_cast<ir::VecMergerType>(op->getResult(0).getType());
  Value builder = type ? untouched(op) : Value();
  Side side = builder ? sideOf(op, builder) : Side();
  auto isHarmless = [&](Operation &inner) {
    return &inner == side.merge || transform::isHarmless(inner);
  };
  if (!side.merge || !llvm::all_of(side.block->without_terminator(), isHarmless))
    return std::nullopt;
  auto [condition, pair] = guarded(op, builder);
  llvm::SaveAndRestore place(loc, side.merge.getLoc()); // Errors have the position of the merge.
  Leaves vec = leaves(builder), added(ArrayRef(pair).drop_front());
  Value isOutside = compare(Predicate::uge, pair[0], vec[1]);
  trapIf(make<arith::AndIOp>(condition, isOutside), outOfBounds, {pair[0], vec[1]});
  Layout layout = layoutOf(type.getElement());
  Value to = LLVM::SelectOp::create(
      b, loc, condition, elementAt(type.getElement(), vec[0], pair[0]), stackSlot(layout));
  store(layout, combine(type.getElement(), type.getCombine(), load(layout, to), added), to);
  return vec;
}

/// The body of one iteration without its branch.
std::pair<Value, Leaves> CoreLowering::guardedBody(ir::ForOp op, ir::IfOp branch,
                                                   ArrayRef<Walk> walks, Value index) {
  values[op.index()] = {index};
  for (auto [walk, element] : llvm::zip_equal(walks, op.elements()))
    values[element] = elementOf(walk, index);
  for (Operation &inner : op.block().without_terminator())
    if (&inner != branch)
      lowerOp(inner);
  return guarded(branch, op.builderArguments()[0]);
}

/// Stores every element; if it is not chosen, the next one overwrites it.
Value CoreLowering::appendIf(Type element, const Leaves &value, Value isWanted, Value data,
                             Value count) {
  store(layoutOf(element), value, elementAt(element, data, count));
  return make<arith::AddIOp>(count, arith::ExtUIOp::create(b, loc, i64, isWanted));
}

/// nullopt if the loop is not a filter, or if space for all elements is not reserved.
std::optional<Leaves> CoreLowering::filter(ir::ForOp op, ArrayRef<Walk> walks, Value lo, Value hi,
                                           const Leaves &builder) {
  ir::IfOp branch = filterOf(op);
  auto merges = branch ? mergesInto(op, 0) : std::nullopt;
  if (!merges || merges->size() != 1 || !roomy.contains(merges->front()) ||
      isa<ir::SimdType>(merges->front().getValue().getType()) || allocates(op.getBody()))
    return std::nullopt;
  bool outerInLoop = std::exchange(isInLoop, true);
  values[op.builderArguments()[0]] = builder;
  SmallVector<Type> leaves = leafTypes(merges->front().getValue().getType());
  bool isNumber = leaves.size() == 1 && isa<IntegerType, FloatType>(leaves[0]);
  int64_t bytes = isNumber ? bytesOf(leaves[0]) : 0;
  Value count = bytes == 4 || bytes == 8 ? filterBlocks(op, branch, walks, lo, hi, builder)
                                         : filterEach(op, branch, walks, lo, hi, builder);
  isInLoop = outerInLoop;
  Leaves filled = builder;
  filled[1] = count;
  return filled;
}

Value CoreLowering::filterEach(ir::ForOp op, ir::IfOp branch, ArrayRef<Walk> walks, Value lo,
                               Value hi, const Leaves &builder) {
  OpBuilder::InsertionGuard guard(b);
  auto loop = forLoop(lo, hi, builder[1]);
  b.setInsertionPointToStart(loop.getBody());
  auto [isWanted, value] = guardedBody(op, branch, walks, loop.getInductionVar());
  Type element = cast<ir::AppenderType>(op.getBuilders()[0].getType()).getElement();
  scf::YieldOp::create(b, loc,
                       appendIf(element, value, isWanted, builder[0], loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

/// The vector from which a filter takes its values unchanged, if there is one.
static Value filteredVector(ir::ForOp op, Value merged) {
  for (auto [iterator, element] : llvm::zip_equal(op.iteratorList(), op.elements()))
    if (element == merged && iterator.kind == ir::IteratorKind::Plain)
      return iterator.data();
  return {};
}

Value CoreLowering::filterBlocks(ir::ForOp op, ir::IfOp branch, ArrayRef<Walk> walks, Value lo,
                                 Value hi, const Leaves &builder) {
  Type element = cast<ir::AppenderType>(op.getBuilders()[0].getType()).getElement();
  int64_t bytes = layoutOf(element).size;
  Layout flags, room;
  std::tie(flags.size, room.size) = std::pair(blockSize, blockSize * bytes);
  flags.alignment = room.alignment = vectorBytes;
  Value vector = filteredVector(op, mergesInto(op, 0)->front().getValue());
  Stage stage = newStage(element, builder, blockSize + vectorBytes / bytes);
  FilterBlock block{element, stackSlot(flags), vector ? Value() : stackSlot(room), stage.data};
  OpBuilder::InsertionGuard guard(b);
  auto blocks =
      scf::ForOp::create(b, loc, lo, hi, number(blockSize), ValueRange{stage.count, stage.line},
                         [](OpBuilder &, Location, Value, ValueRange) {});
  b.setInsertionPointToStart(blocks.getBody());
  Value start = blocks.getInductionVar();
  Value size = make<arith::MinSIOp>(make<arith::SubIOp>(hi, start), number(blockSize));
  {
    OpBuilder::InsertionGuard inner(b);
    auto each = forLoop(number(0), size, {});
    b.setInsertionPointToStart(each.getBody());
    Value place = each.getInductionVar();
    auto [isWanted, value] = guardedBody(op, branch, walks, make<arith::AddIOp>(start, place));
    storeLeaf(isWanted, elementAt(int64_t(1), block.flags, place));
    if (!vector)
      storeLeaf(value[0], elementAt(bytes, block.values, place));
  }
  if (vector)
    block.values = elementAt(element, leaf(vector), start);
  Value count = pressed(block, size, blocks.getRegionIterArg(0));
  scf::YieldOp::create(b, loc, flushed(stage, count, blocks.getRegionIterArg(1)));
  b.setInsertionPointAfter(blocks);
  return emptied(stage, builder[0], blocks.getResult(0), blocks.getResult(1));
}

/// The name of LLVM's intrinsic that compresses lanes.
static std::string compressOf(VectorType vector) {
  return ("llvm.experimental.vector.compress.v" + Twine(vector.getNumElements()) + "i" +
          Twine(vector.getElementTypeBitWidth()))
      .str();
}

/// Appends the chosen values of a block. Storing a whole vector is safe, since at least as many
/// iterations have run. Lanes are moved as integers, because LLVM cannot compress floats without
/// AVX-512.
Value CoreLowering::pressed(const FilterBlock &block, Value size, Value count) {
  int64_t bytes = layoutOf(block.element).size, lanes = vectorBytes / bytes;
  auto vector = VectorType::get(lanes, b.getIntegerType(8 * bytes)),
       flags = VectorType::get(lanes, b.getI8Type());
  OpBuilder::InsertionGuard guard(b);
  Value numVectors = make<arith::DivUIOp>(size, number(lanes));
  auto vectors = forLoop(number(0), numVectors, count);
  b.setInsertionPointToStart(vectors.getBody());
  Value first = make<arith::MulIOp>(vectors.getInductionVar(), number(lanes));
  Value values = LLVM::LoadOp::create(b, loc, vector, elementAt(bytes, block.values, first),
                                      /*alignment=*/1);
  Value bits = LLVM::LoadOp::create(b, loc, flags, elementAt(int64_t(1), block.flags, first), 1);
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(flags));
  Value isWanted = compare(Predicate::ne, bits, none);
  Value any = LLVM::PoisonOp::create(b, loc, vector);
  Value together = callFor(compressOf(vector), vector, {values, isWanted, any});
  Value at = vectors.getRegionIterArg(0);
  LLVM::StoreOp::create(b, loc, together, elementAt(bytes, block.data, at), bytes);
  Value mask = LLVM::BitcastOp::create(b, loc, b.getIntegerType(lanes), isWanted);
  Value wanted = arith::ExtUIOp::create(b, loc, i64, math::CtPopOp::create(b, loc, mask));
  scf::YieldOp::create(b, loc, make<arith::AddIOp>(at, wanted));
  b.setInsertionPointAfter(vectors);
  auto rest = forLoop(make<arith::MulIOp>(numVectors, number(lanes)), size, vectors.getResult(0));
  b.setInsertionPointToStart(rest.getBody());
  Value place = rest.getInductionVar();
  Leaves value{loadLeaf(leafTypes(block.element)[0], elementAt(bytes, block.values, place))};
  Value flag = loadLeaf(i1, elementAt(int64_t(1), block.flags, place));
  scf::YieldOp::create(b, loc,
                       appendIf(block.element, value, flag, block.data, rest.getRegionIterArg(0)));
  return rest.getResult(0);
}
