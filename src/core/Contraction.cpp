#include "core/Contraction.h"

using namespace mlir;
using namespace tessera::core;

namespace {

/// One factor of the product: an element of lhs or rhs, possibly widened.
struct Factor {
  Value element;
  Widening widening = Widening::None;
};

Factor factorOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtFOp>(op))
    return {op->getOperand(0), Widening::Float};
  if (isa_and_nonnull<arith::ExtSIOp>(op))
    return {op->getOperand(0), Widening::Signed};
  if (isa_and_nonnull<arith::ExtUIOp>(op))
    return {op->getOperand(0), Widening::Unsigned};
  return {value};
}

/// The body of a contraction: sum + first * second.
struct Body {
  Value first, second, sum;
  Accumulation accumulation;
  bool isReorderable = false;
};

template <typename Sum, typename Product>
std::optional<Body> matchSum(Operation *op, Value accumulator, Accumulation accumulation) {
  auto sum = dyn_cast<Sum>(op);
  if (!sum)
    return std::nullopt;
  bool isFirst = sum.getLhs() == accumulator;
  auto product = (isFirst ? sum.getRhs() : sum.getLhs()).template getDefiningOp<Product>();
  if (!product || (!isFirst && sum.getRhs() != accumulator))
    return std::nullopt;
  return Body{product.getLhs(), product.getRhs(), accumulator, accumulation};
}

bool mayContract(Value value) {
  auto op = value.getDefiningOp<arith::ArithFastMathInterface>();
  return op &&
         bitEnumContainsAny(op.getFastMathFlagsAttr().getValue(), arith::FastMathFlags::contract);
}

/// The two roundings may be fused only if both operations allow it.
std::optional<Body> matchFloatSum(Operation *op, Value accumulator) {
  auto body = matchSum<arith::AddFOp, arith::MulFOp>(op, accumulator, Accumulation::Separate);
  if (!body)
    return std::nullopt;
  auto sum = cast<arith::AddFOp>(op);
  Value product = sum.getLhs() == accumulator ? sum.getRhs() : sum.getLhs();
  body->isReorderable = bitEnumContainsAny(sum.getFastmath(), arith::FastMathFlags::reassoc);
  if (mayContract(sum) && mayContract(product))
    body->accumulation = Accumulation::Fused;
  return body;
}

std::optional<Body> matchFma(Operation *op, Value accumulator) {
  auto fma = dyn_cast<math::FmaOp>(op);
  if (!fma || fma.getC() != accumulator)
    return std::nullopt;
  bool isReorderable = bitEnumContainsAny(fma.getFastmath(), arith::FastMathFlags::reassoc);
  return Body{fma.getA(), fma.getB(), accumulator, Accumulation::Fused, isReorderable};
}

std::optional<Body> matchBody(Block &block) {
  Operation *last = block.getTerminator()->getOperand(0).getDefiningOp();
  Value accumulator = block.getArguments().back();
  if (!last || last->getBlock() != &block)
    return std::nullopt;
  if (auto body = matchFma(last, accumulator))
    return body;
  if (auto body = matchFloatSum(last, accumulator))
    return body;
  return matchSum<arith::AddIOp, arith::MulIOp>(last, accumulator, Accumulation::Integer);
}

bool isUsed(AffineMap map, unsigned loop) {
  return map.isFunctionOfDim(loop);
}

std::optional<LoopRole> roleOf(ArrayRef<AffineMap> maps, unsigned loop) {
  bool inLhs = isUsed(maps[Lhs], loop), inRhs = isUsed(maps[Rhs], loop);
  if (isUsed(maps[Result], loop)) {
    if (inLhs && inRhs)
      return LoopRole::Batch;
    return inLhs   ? std::optional(LoopRole::Row)
           : inRhs ? std::optional(LoopRole::Column)
                   : std::nullopt;
  }
  return inLhs && inRhs ? std::optional(LoopRole::Depth) : std::nullopt;
}

/// Whether some operand has a dimension whose size is the loop's size.
bool hasSize(ArrayRef<AffineMap> maps, unsigned loop) {
  return llvm::any_of(maps, [&](AffineMap map) {
    return map.getResultPosition(getAffineDimExpr(loop, map.getContext())).has_value();
  });
}

/// Returns nullopt if an operand's indices are not linear in the loops, or if a loop belongs to
/// only one operand.
std::optional<SmallVector<LoopRole>> rolesOf(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!maps[Result].isProjectedPermutation() || !llvm::all_of(maps, isLinear))
    return std::nullopt;
  SmallVector<LoopRole> roles;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    std::optional<LoopRole> role = roleOf(maps, loop);
    if (!role || !hasSize(maps, loop))
      return std::nullopt;
    roles.push_back(*role);
  }
  return llvm::is_contained(roles, LoopRole::Depth) ? std::optional(roles) : std::nullopt;
}

bool isNumber(Type type) {
  return isa<FloatType>(type) || (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() >= 8);
}

bool hasTensorOperands(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           return isa<ShapedType>(type) && isNumber(getElementTypeOrSelf(type));
         });
}

/// Loops of size 1 do not count: a convolution with windows of one element has no windows.
bool hasWindows(linalg::LinalgOp op) {
  SmallVector<AffineExpr> loops;
  for (auto [number, size] : llvm::enumerate(op.getStaticLoopRanges()))
    loops.push_back(size == 1 ? getAffineConstantExpr(0, op.getContext())
                              : getAffineDimExpr(number, op.getContext()));
  return !llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return map.replaceDimsAndSymbols(loops, {}, loops.size(), 0)
        .isProjectedPermutation(/*allowZeroInResults=*/true);
  });
}

} // namespace

SmallVector<int64_t> tessera::core::coefficientsOf(AffineExpr expr, unsigned numLoops) {
  MLIRContext *context = expr.getContext();
  SmallVector<AffineExpr> at(numLoops, getAffineConstantExpr(0, context));
  auto value = [&] { return cast<AffineConstantExpr>(expr.replaceDims(at)).getValue(); };
  int64_t origin = value();
  SmallVector<int64_t> coefficients;
  for (AffineExpr &loop : at) {
    loop = getAffineConstantExpr(1, context);
    coefficients.push_back(value() - origin);
    loop = getAffineConstantExpr(0, context);
  }
  coefficients.push_back(origin);
  return coefficients;
}

bool tessera::core::isLinear(AffineMap map) {
  bool result = map.getNumSymbols() == 0;
  map.walkExprs([&](AffineExpr expr) {
    result &= llvm::is_contained(
        {AffineExprKind::Add, AffineExprKind::Mul, AffineExprKind::Constant, AffineExprKind::DimId},
        expr.getKind());
  });
  return result;
}

std::optional<Contraction> tessera::core::matchContraction(linalg::LinalgOp op) {
  if (!hasTensorOperands(op))
    return std::nullopt;
  Block &block = op->getRegion(0).front();
  std::optional<Body> body = matchBody(block);
  if (!body)
    return std::nullopt;
  Factor first = factorOf(body->first), second = factorOf(body->second);
  if (first.element != block.getArgument(Lhs))
    std::swap(first, second);
  if (first.element != block.getArgument(Lhs) || second.element != block.getArgument(Rhs))
    return std::nullopt;
  std::optional<SmallVector<LoopRole>> roles = rolesOf(op);
  if (!roles)
    return std::nullopt;
  Contraction result{
      *roles, {first.widening, second.widening}, body->accumulation, body->isReorderable};
  result.hasWindows = hasWindows(op);
  if (!isa<linalg::GenericOp>(op) && result.accumulation == Accumulation::Separate)
    result.accumulation = Accumulation::Fused;
  result.isReorderable |= result.accumulation == Accumulation::Integer;
  return result;
}
