#include "core/Build.h"
#include "core/Contraction.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "transform/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tessera;

namespace tessera::transform {
#define GEN_PASS_DEF_SPLITCONTRACTIONS
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

/// How often an element must be used to be worth computing in advance.
constexpr int64_t minUses = 4;

/// One side of the product: the operations that compute it, in order, and the operands they read.
struct Factor {
  Value value;
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<BlockArgument> arguments;
  SmallVector<unsigned> loops; ///< The loops it depends on, ascending.

  bool isPlain() const { return ops.empty(); }
};

/// sum + first * second in a generic operation.
struct Sum {
  Operation *addition, *multiplication;
  Factor first, second;
};

/// Returns false if the value depends on more than elements of operands.
bool collect(Value value, Block *body, Factor &factor) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == body) {
    factor.arguments.insert(argument);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != body)
    return true; // Defined outside: the same in all iterations.
  if (op->getNumRegions() || !isMemoryEffectFree(op) || isa<linalg::IndexOp>(op))
    return false;
  if (!llvm::all_of(op->getOperands(), [&](Value v) { return collect(v, body, factor); }))
    return false;
  factor.ops.insert(op);
  return true;
}

/// Returns false if the factor would be read through windows.
bool findLoops(linalg::GenericOp op, Factor &factor) {
  llvm::SmallSetVector<unsigned, 4> loops;
  for (BlockArgument argument : factor.arguments) {
    AffineMap map = op.getIndexingMapsArray()[argument.getArgNumber()];
    if (!map.isProjectedPermutation() && !(factor.isPlain() && core::isLinear(map)))
      return false;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (map.isFunctionOfDim(loop))
        loops.insert(loop);
  }
  factor.loops.assign(loops.begin(), loops.end());
  llvm::sort(factor.loops);
  return !factor.loops.empty();
}

std::optional<Factor> factorOf(linalg::GenericOp op, Value value) {
  Factor factor;
  factor.value = value;
  BlockArgument sum = op.getBody()->getArguments().back();
  if (!collect(value, op.getBody(), factor) || factor.arguments.contains(sum) ||
      !findLoops(op, factor))
    return std::nullopt;
  return factor;
}

/// The term that an operation adds to its sum, and the addition.
struct Term {
  Operation *addition, *term;
};

std::optional<Term> matchTerm(linalg::GenericOp op) {
  Block *body = op.getBody();
  Operation *addition = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(addition) || addition->getBlock() != body)
    return std::nullopt;
  Value sum = body->getArguments().back();
  unsigned other = addition->getOperand(0) == sum ? 1 : 0;
  Operation *term = addition->getOperand(other).getDefiningOp();
  if (addition->getOperand(1 - other) != sum || !term || term->getBlock() != body)
    return std::nullopt;
  return Term{addition, term};
}

/// Rewrites -(x * y) as (-x) * y, which is equal for all numbers.
void moveSign(const Term &found) {
  OpBuilder b(found.term);
  Location loc = found.term->getLoc();
  if (auto negation = dyn_cast<arith::NegFOp>(found.term)) {
    auto product = negation.getOperand().getDefiningOp<arith::MulFOp>();
    if (!product)
      return;
    Value factor = arith::NegFOp::create(b, loc, product.getLhs());
    auto flags = cast<arith::AddFOp>(found.addition).getFastmath() & arith::FastMathFlags::contract;
    negation.replaceAllUsesWith(
        arith::MulFOp::create(b, loc, factor, product.getRhs(), flags).getResult());
  } else if (auto difference = dyn_cast<arith::SubIOp>(found.term)) {
    auto product = difference.getRhs().getDefiningOp<arith::MulIOp>();
    if (!product || !matchPattern(difference.getLhs(), m_Zero()))
      return;
    Value factor = arith::SubIOp::create(b, loc, difference.getLhs(), product.getLhs());
    difference.replaceAllUsesWith(
        arith::MulIOp::create(b, loc, factor, product.getRhs()).getResult());
  }
}

std::optional<Sum> matchSum(linalg::GenericOp op) {
  std::optional<Term> found = matchTerm(op);
  if (!found || !isa<arith::MulFOp, arith::MulIOp>(found->term))
    return std::nullopt;
  auto [addition, product] = *found;
  std::optional<Factor> first = factorOf(op, product->getOperand(0)),
                        second = factorOf(op, product->getOperand(1));
  if (!first || !second)
    return std::nullopt;
  return Sum{addition, product, *first, *second};
}

class Split {
public:
  Split(OpBuilder &b, linalg::GenericOp op, Sum sum) : b(b), op(op), sum(std::move(sum)) {}

  /// Whether the sum of factors computed in advance is a contraction and worth it.
  bool isWorthIt() {
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
      bool inFirst = llvm::is_contained(sum.first.loops, loop);
      bool inSecond = llvm::is_contained(sum.second.loops, loop);
      bool isReduced = op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
      if ((!inFirst && !inSecond) || (isReduced && !(inFirst && inSecond)))
        return false;
    }
    return areSizesKept() && isCheap(sum.first) && isCheap(sum.second);
  }

  void run() {
    Value first = compute(sum.first), second = compute(sum.second);
    SmallVector<AffineMap> maps{mapOf(sum.first), mapOf(sum.second),
                                op.getIndexingMapsArray().back()};
    auto body = [&](OpBuilder &nested, Location loc, ValueRange v) {
      IRMapping mapping;
      mapping.map(sum.first.value, v[0]);
      mapping.map(sum.second.value, v[1]);
      mapping.map(op.getBody()->getArguments().back(), v[2]);
      nested.clone(*sum.multiplication, mapping);
      linalg::YieldOp::create(nested, loc, nested.clone(*sum.addition, mapping)->getResult(0));
    };
    auto contraction =
        linalg::GenericOp::create(b, op.getLoc(), op.getResultTypes(), ValueRange{first, second},
                                  op.getDpsInits(), maps, op.getIteratorTypesArray(), body);
    op.replaceAllUsesWith(contraction);
    op.erase();
  }

private:
  /// Whether every loop still has an operand that determines its size: one that it indexes
  /// directly.
  bool areSizesKept() {
    SmallVector<AffineMap> maps{mapOf(sum.first), mapOf(sum.second),
                                op.getIndexingMapsArray().back()};
    return llvm::all_of(llvm::seq(op.getNumLoops()), [&](unsigned loop) {
      return llvm::any_of(maps, [&](AffineMap map) {
        return map.getResultPosition(b.getAffineDimExpr(loop)).has_value();
      });
    });
  }

  /// Whether each element is used often, and the factor has no more elements than one of the
  /// operands.
  bool isCheap(const Factor &factor) {
    if (factor.isPlain())
      return true;
    if (llvm::none_of(factor.arguments, [&](BlockArgument argument) {
          AffineMap map = op.getIndexingMapsArray()[argument.getArgNumber()];
          return map.getNumResults() == factor.loops.size();
        }))
      return false;
    int64_t uses = 1;
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (!llvm::is_contained(factor.loops, loop))
        uses *= ShapedType::isDynamic(sizes[loop]) ? minUses : sizes[loop];
    return uses >= minUses;
  }

  /// Maps the contraction's loops to the dimensions of a factor.
  AffineMap mapOf(const Factor &factor) {
    if (factor.isPlain())
      return op.getIndexingMapsArray()[factor.arguments.front().getArgNumber()];
    return AffineMap::getMultiDimMapWithTargets(op.getNumLoops(), factor.loops, b.getContext());
  }

  OpFoldResult sizeOf(unsigned loop) {
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (auto dim = map.getResultPosition(b.getAffineDimExpr(loop)))
        return tensor::getMixedSize(b, op.getLoc(), operand.get(), *dim);
    }
    llvm_unreachable("every loop has an operand");
  }

  /// Rewrites a map of the original loops as a map of the factor's own loops.
  AffineMap inOwnLoops(const Factor &factor, AffineMap map) {
    SmallVector<AffineExpr> own(op.getNumLoops(), b.getAffineConstantExpr(0));
    for (auto [position, loop] : llvm::enumerate(factor.loops))
      own[loop] = b.getAffineDimExpr(position);
    return map.replaceDimsAndSymbols(own, {}, factor.loops.size(), 0);
  }

  Value compute(const Factor &factor) {
    if (factor.isPlain())
      return op->getOperand(factor.arguments.front().getArgNumber());
    SmallVector<OpFoldResult> sizes;
    for (unsigned loop : factor.loops)
      sizes.push_back(sizeOf(loop));
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (BlockArgument argument : factor.arguments) {
      inputs.push_back(op->getOperand(argument.getArgNumber()));
      maps.push_back(inOwnLoops(factor, op.getIndexingMapsArray()[argument.getArgNumber()]));
    }
    maps.push_back(b.getMultiDimIdentityMap(factor.loops.size()));
    Value destination = core::empty(b, op.getLoc(), sizes, factor.value.getType());
    SmallVector<utils::IteratorType> kinds(factor.loops.size(), utils::IteratorType::parallel);
    auto body = [&](OpBuilder &nested, Location loc, ValueRange v) {
      IRMapping mapping;
      for (auto [argument, value] : llvm::zip(factor.arguments, v))
        mapping.map(argument, value);
      for (Operation *inner : factor.ops)
        nested.clone(*inner, mapping);
      linalg::YieldOp::create(nested, loc, mapping.lookup(factor.value));
    };
    return linalg::GenericOp::create(b, op.getLoc(), destination.getType(), inputs, destination,
                                     maps, kinds, body)
        .getResult(0);
  }

  OpBuilder &b;
  linalg::GenericOp op;
  Sum sum;
};

struct SplitContractions final : transform::impl::SplitContractionsBase<SplitContractions> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && op.getNumDpsInits() == 1 &&
          op.getNumReductionLoops() > 0 && !core::matchContraction(op))
        ops.push_back(op);
    });
    for (linalg::GenericOp op : ops) {
      OpBuilder b(op);
      if (std::optional<Term> term = matchTerm(op))
        moveSign(*term);
      if (std::optional<Sum> sum = matchSum(op))
        if (Split split(b, op, *sum); split.isWorthIt())
          split.run();
    }
  }
};

} // namespace
