#include "backend/cpu/Passes.h"
#include "core/Build.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_SPLITBORDERS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// On an operation that is decided in the interior: the number of its choice.
constexpr llvm::StringLiteral choiceAttr = "tessera.choice";

/// The limit for the operations of all parts together, since each part has its own copy.
constexpr int64_t maxOperations = 2000;
/// Smaller operations are not split.
constexpr int64_t fewestElements = 1024;

//===- Positions ------------------------------------------------------------------------------===//

/// loop + size + offset; loop and size are optional.
struct Position {
  std::optional<unsigned> loop = std::nullopt;
  memref::DimOp size = nullptr;
  int64_t offset = 0;
};

/// Whether sums of a few such offsets cannot overflow 64 bits.
bool isModest(int64_t offset) {
  return std::abs(offset) < int64_t(1) << 60;
}

/// Whether the position cannot overflow the type. Sizes are far below the limits of 64 bits.
bool fits(const Position &position, Type type, ArrayRef<int64_t> extents) {
  if (type.isIndex() || type.isInteger(64))
    return true;
  if (position.size || type.getIntOrFloatBitWidth() != 32)
    return false;
  int64_t extent = position.loop ? extents[*position.loop] : 1;
  return !ShapedType::isDynamic(extent) && position.offset >= INT32_MIN &&
         position.offset + extent <= INT32_MAX;
}

std::optional<Position> locate(Value value, linalg::GenericOp op, ArrayRef<int64_t> extents);

std::optional<Position> sum(const Position &a, const Position &b, bool isDifference) {
  bool isOffset = !b.loop && !b.size;
  if (!isOffset && (isDifference || a.loop || a.size))
    return std::nullopt;
  int64_t offset = isDifference ? a.offset - b.offset : a.offset + b.offset;
  return Position{a.loop ? a.loop : b.loop, a.size ? a.size : b.size, offset};
}

std::optional<Position> locate(Operation *source, linalg::GenericOp op, ArrayRef<int64_t> extents) {
  if (auto index = dyn_cast<linalg::IndexOp>(source))
    return Position{unsigned(index.getDim())};
  if (auto cast = dyn_cast<arith::IndexCastOp>(source))
    return locate(cast.getIn(), op, extents);
  if (auto size = dyn_cast<memref::DimOp>(source); size && !op->isProperAncestor(size))
    return Position{std::nullopt, size};
  if (!isa<arith::AddIOp, arith::SubIOp>(source))
    return std::nullopt;
  std::optional<Position> a = locate(source->getOperand(0), op, extents);
  std::optional<Position> b = locate(source->getOperand(1), op, extents);
  return a && b ? sum(*a, *b, isa<arith::SubIOp>(source)) : std::nullopt;
}

/// Returns nullopt if the value is not such a position, or if it may have overflowed.
std::optional<Position> locate(Value value, linalg::GenericOp op, ArrayRef<int64_t> extents) {
  std::optional<Position> position;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    position = Position{std::nullopt, nullptr, constant.getSExtValue()};
  else if (Operation *source = value.getDefiningOp())
    position = locate(source, op, extents);
  bool isExact =
      position && isModest(position->offset) && fits(*position, value.getType(), extents);
  return isExact ? position : std::nullopt;
}

//===- Choices --------------------------------------------------------------------------------===//

/// An operation that depends on one loop and has a fixed value for all counts below `below`, and
/// another for all from `above` on. Both bounds are relative to `size`, if there is one.
struct Choice {
  Operation *op;
  unsigned loop;
  memref::DimOp size;
  int64_t below, above;
  /// The value there: 0 or 1 for comparisons, otherwise the number of the operand.
  unsigned valueBelow, valueAbove;
};

/// Whether a comparison is true if the left side is smaller, equal, or larger.
struct Outcomes {
  bool isTrueBelow, isTrueAt, isTrueAbove;
};

std::optional<Outcomes> outcomesOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return Outcomes{false, true, false};
  case arith::CmpIPredicate::ne:
    return Outcomes{true, false, true};
  case arith::CmpIPredicate::slt:
    return Outcomes{true, false, false};
  case arith::CmpIPredicate::sle:
    return Outcomes{true, true, false};
  case arith::CmpIPredicate::sgt:
    return Outcomes{false, false, true};
  case arith::CmpIPredicate::sge:
    return Outcomes{false, true, true};
  default:
    return std::nullopt;
  }
}

/// Makes a choice that compares loop + offset with size + offset.
std::optional<Choice> choose(Operation *op, const Position &counted, const Position &limit,
                             Outcomes outcomes) {
  if (!counted.loop || counted.size || limit.loop)
    return std::nullopt;
  int64_t at = limit.offset - counted.offset;
  bool isAsBelow = outcomes.isTrueAt == outcomes.isTrueBelow;
  bool isAsAbove = outcomes.isTrueAt == outcomes.isTrueAbove;
  return Choice{op,
                *counted.loop,
                limit.size,
                isAsBelow ? at + 1 : at,
                isAsAbove ? at : at + 1,
                outcomes.isTrueBelow,
                outcomes.isTrueAbove};
}

/// Recognizes comparisons, and the minimum or maximum of two positions, of which one depends on a
/// loop.
std::optional<Choice> choiceOf(Operation *op, linalg::GenericOp generic,
                               ArrayRef<int64_t> extents) {
  std::optional<Outcomes> outcomes;
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    outcomes = outcomesOf(comparison.getPredicate());
  else if (isa<arith::MaxSIOp>(op)) // The number of the operand.
    outcomes = Outcomes{true, false, false};
  else if (isa<arith::MinSIOp>(op))
    outcomes = Outcomes{false, true, true};
  if (!outcomes)
    return std::nullopt;
  std::optional<Position> lhs = locate(op->getOperand(0), generic, extents);
  std::optional<Position> rhs = locate(op->getOperand(1), generic, extents);
  if (!lhs || !rhs)
    return std::nullopt;
  if (rhs->loop) {
    std::swap(lhs, rhs);
    std::swap(outcomes->isTrueBelow, outcomes->isTrueAbove);
  }
  return choose(op, *lhs, *rhs, *outcomes);
}

//===- Parts ----------------------------------------------------------------------------------===//

/// The interior's begin and end in a loop; empty at an end without a border.
struct Border {
  SmallVector<Choice> begins, ends;
  OpFoldResult begin, end;
  bool isAny() const { return !begins.empty() || !ends.empty(); }
};

class Splitter {
public:
  explicit Splitter(linalg::GenericOp op)
      : op(op), loc(op.getLoc()), rewriter(op), extents(op.getStaticLoopRanges()),
        borders(op.getNumLoops()) {}

  bool findBorders();
  void split();

private:
  void add(const Choice &choice);
  bool isBelowInside(const Choice &choice) const;
  bool isWorthwhile() const;
  int64_t numParts() const;
  std::optional<int64_t> insideOf(unsigned loop) const;
  void place(unsigned loop, OpFoldResult extent);
  Value limitOf(const Choice &choice);
  using Box = std::pair<SmallVector<OpFoldResult>, SmallVector<OpFoldResult>>;
  void emitPart(Box box, bool isInside);
  OpFoldResult difference(OpFoldResult a, OpFoldResult b);
  void decide(Operation *part);

  linalg::GenericOp op;
  Location loc;
  IRRewriter rewriter;
  SmallVector<int64_t> extents;
  SmallVector<Border> borders;  ///< By loop.
  SmallVector<unsigned> values; ///< The values of the choices in the interior, by number.
};

/// Whether the interior, which is the larger side, is below the choice's bounds. Bounds that are
/// known only at run time are assumed to be near the end if they are relative to a size, and near
/// the beginning otherwise.
bool Splitter::isBelowInside(const Choice &choice) const {
  int64_t extent = extents[choice.loop];
  if (choice.size || ShapedType::isDynamic(extent))
    return choice.size != nullptr;
  return choice.below > extent - choice.above;
}

void Splitter::add(const Choice &choice) {
  bool isBelow = isBelowInside(choice);
  Border &border = borders[choice.loop];
  (isBelow ? border.ends : border.begins).push_back(choice);
  choice.op->setAttr(choiceAttr, rewriter.getI64IntegerAttr(values.size()));
  values.push_back(isBelow ? choice.valueBelow : choice.valueAbove);
}

bool Splitter::findBorders() {
  SmallVector<Choice> choices;
  int64_t numOperations = 0;
  bool hasGuards = false;
  op.getRegion().walk([&](Operation *inner) {
    ++numOperations;
    hasGuards |= isa<scf::IfOp, memref::LoadOp>(inner);
    if (std::optional<Choice> choice = choiceOf(inner, op, extents))
      choices.push_back(*choice);
  });
  if (choices.empty() || !hasGuards)
    return false;
  for (const Choice &choice : choices)
    add(choice);
  if (numOperations * numParts() <= maxOperations && isWorthwhile())
    return true;
  for (const Choice &choice : choices)
    choice.op->removeAttr(choiceAttr);
  return false;
}

int64_t Splitter::numParts() const {
  int64_t parts = 1;
  for (const Border &border : borders)
    parts += !border.begins.empty() + !border.ends.empty();
  return parts;
}

/// The number of a loop's interior iterations, if known.
std::optional<int64_t> Splitter::insideOf(unsigned loop) const {
  if (ShapedType::isDynamic(extents[loop]))
    return std::nullopt;
  int64_t begin = 0, end = extents[loop];
  for (const Choice &choice : borders[loop].begins)
    begin = std::max(begin, choice.above);
  for (const Choice &choice : borders[loop].ends) {
    if (choice.size)
      return std::nullopt;
    end = std::min(end, choice.below);
  }
  return std::max<int64_t>(end - begin, 0);
}

/// For known sizes, the border must be the smaller part.
bool Splitter::isWorthwhile() const {
  double elements = 1, inside = 1;
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    if (ShapedType::isDynamic(extent) || !insideOf(loop))
      continue;
    elements *= extent;
    inside *= *insideOf(loop);
  }
  bool isSmall = elements < fewestElements && llvm::none_of(extents, ShapedType::isDynamic);
  return !isSmall && inside * 2 >= elements;
}

Value Splitter::limitOf(const Choice &choice) {
  bool isEnd = isBelowInside(choice);
  Value offset = core::constantIndex(rewriter, loc, isEnd ? choice.below : choice.above);
  if (!choice.size)
    return offset;
  memref::DimOp size = choice.size;
  return arith::AddIOp::create(rewriter, loc, size.getResult(), offset);
}

/// Clamps both ends to the loop, with the end not before the beginning.
void Splitter::place(unsigned loop, OpFoldResult extent) {
  Border &border = borders[loop];
  if (std::optional<int64_t> inside = insideOf(loop)) {
    int64_t begin = 0;
    for (const Choice &choice : border.begins)
      begin = std::max(begin, choice.above);
    begin = std::min(begin, extents[loop]);
    border.begin = rewriter.getIndexAttr(begin);
    border.end = rewriter.getIndexAttr(begin + *inside);
    return;
  }
  Value last = getValueOrCreateConstantIndexOp(rewriter, loc, extent);
  Value begin = core::constantIndex(rewriter, loc, 0), end = last;
  for (const Choice &choice : border.begins)
    begin = arith::MaxSIOp::create(rewriter, loc, begin, limitOf(choice));
  for (const Choice &choice : border.ends)
    end = arith::MinSIOp::create(rewriter, loc, end, limitOf(choice));
  begin = arith::MinSIOp::create(rewriter, loc, begin, last);
  border.begin = border.begins.empty() ? OpFoldResult(rewriter.getIndexAttr(0)) : begin;
  border.end =
      border.ends.empty() ? extent : Value(arith::MaxSIOp::create(rewriter, loc, begin, end));
}

OpFoldResult Splitter::difference(OpFoldResult a, OpFoldResult b) {
  if (isZeroInteger(b))
    return a;
  std::optional<int64_t> known = getConstantIntValue(a), less = getConstantIntValue(b);
  if (known && less)
    return rewriter.getIndexAttr(*known - *less);
  return Value(arith::SubIOp::create(rewriter, loc,
                                     getValueOrCreateConstantIndexOp(rewriter, loc, a),
                                     getValueOrCreateConstantIndexOp(rewriter, loc, b)));
}

/// Emits the borders of the first loop over all of the others, those of the second over the
/// interior of the first, and so on.
void Splitter::split() {
  Box box;
  auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
  for (mlir::Range range : linalgOp.createLoopRanges(rewriter, loc)) {
    box.first.push_back(rewriter.getIndexAttr(0));
    box.second.push_back(range.size);
  }
  for (auto [loop, border] : llvm::enumerate(borders)) {
    if (!border.isAny())
      continue;
    OpFoldResult extent = box.second[loop];
    place(loop, extent);
    auto restrict = [&](OpFoldResult from, OpFoldResult to) {
      box.first[loop] = from;
      box.second[loop] = difference(to, from);
    };
    if (!border.begins.empty()) {
      restrict(rewriter.getIndexAttr(0), border.begin);
      emitPart(box, /*isInside=*/false);
    }
    if (!border.ends.empty()) {
      restrict(border.end, extent);
      emitPart(box, /*isInside=*/false);
    }
    restrict(border.begin, border.end);
  }
  emitPart(box, /*isInside=*/true);
  rewriter.eraseOp(op);
}

void Splitter::emitPart(Box box, bool isInside) {
  if (llvm::any_of(box.second, isZeroInteger))
    return;
  FailureOr<TilingResult> tile = cast<TilingInterface>(op.getOperation())
                                     .getTiledImplementation(rewriter, box.first, box.second);
  Operation *part = tile->tiledOps.front();
  if (isInside)
    decide(part);
  part->walk([](Operation *inner) { inner->removeAttr(choiceAttr); });
}

void Splitter::decide(Operation *part) {
  OpBuilder::InsertionGuard guard(rewriter);
  part->walk([&](Operation *inner) {
    auto number = inner->getAttrOfType<IntegerAttr>(choiceAttr);
    if (!number)
      return;
    unsigned value = values[number.getInt()];
    rewriter.setInsertionPoint(inner);
    if (isa<arith::CmpIOp>(inner))
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(inner, rewriter.getBoolAttr(value));
    else
      rewriter.replaceOp(inner, inner->getOperand(value));
  });
}

struct SplitBorders final : cpu::impl::SplitBordersBase<SplitBorders> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureBufferSemantics() && op.getNumLoops() > 0 && op.hasIndexSemantics() &&
          op.getNumParallelLoops() == op.getNumLoops())
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops)
      if (Splitter splitter(op); splitter.findBorders())
        splitter.split();
  }
};

} // namespace
