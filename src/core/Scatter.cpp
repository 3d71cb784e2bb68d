#include "core/Scatter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera::core;

namespace {

class Matcher {
public:
  explicit Matcher(linalg::GenericOp op) : op(op), body(op.getBody()) {}

  std::optional<Scatter> run() {
    Operation *addition = body->getTerminator()->getOperand(0).getDefiningOp();
    if (!isFreeAddition(addition))
      return std::nullopt;
    Value sum = op.getRegionOutputArgs()[0];
    unsigned other = addition->getOperand(0) == sum ? 1 : 0;
    if (addition->getOperand(1 - other) != sum || !sum.hasOneUse())
      return std::nullopt;
    Value added, condition = conditionOf(addition->getOperand(other), added);
    auto test = condition ? condition.getDefiningOp<arith::CmpIOp>() : nullptr;
    if (!test || test.getPredicate() != arith::CmpIPredicate::eq)
      return std::nullopt;
    for (unsigned side : {0, 1})
      if (std::optional<unsigned> loop = loopOf(test.getOperand(side)))
        if (Value chosen = test.getOperand(1 - side); isScatterBy(*loop, chosen, added))
          return Scatter{*loop, chosen, added, addition};
    return std::nullopt;
  }

private:
  static bool isFreeAddition(Operation *op) {
    auto sum = dyn_cast_if_present<arith::AddFOp>(op);
    return isa_and_nonnull<arith::AddIOp>(op) ||
           (sum && bitEnumContainsAll(sum.getFastmath(), arith::FastMathFlags::reassoc));
  }

  /// The condition under which `value` is not zero.
  static Value conditionOf(Value value, Value &added) {
    if (auto widened = value.getDefiningOp<arith::ExtUIOp>();
        widened && widened.getIn().getType().isInteger(1))
      return widened.getIn();
    auto choice = value.getDefiningOp<arith::SelectOp>();
    bool isZero = choice && (matchPattern(choice.getFalseValue(), m_Zero()) ||
                             matchPattern(choice.getFalseValue(), m_PosZeroFloat()));
    if (!isZero)
      return {};
    added = choice.getTrueValue();
    return choice.getCondition();
  }

  /// The loop that `value` is the index of, if any.
  static std::optional<unsigned> loopOf(Value value) {
    if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      value = cast.getIn();
    auto index = value.getDefiningOp<linalg::IndexOp>();
    return index ? std::optional<unsigned>(index.getDim()) : std::nullopt;
  }

  bool isScatterBy(unsigned loop, Value chosen, Value added) {
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel ||
        (added && dependsOn(added, loop)))
      return false;
    for (unsigned other = 0; other < op.getNumLoops(); ++other)
      if (op.getIteratorTypesArray()[other] == utils::IteratorType::parallel &&
          dependsOn(chosen, other))
        return false;
    return true;
  }

  bool dependsOn(Value value, unsigned loop) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument.getOwner() == body &&
             op.getIndexingMapsArray()[argument.getArgNumber()].isFunctionOfDim(loop);
    Operation *source = value.getDefiningOp();
    if (source->getBlock() != body)
      return false;
    if (auto index = dyn_cast<linalg::IndexOp>(source))
      return index.getDim() == loop;
    return source->getNumRegions() > 0 || llvm::any_of(source->getOperands(), [&](Value operand) {
             return dependsOn(operand, loop);
           });
  }

  linalg::GenericOp op;
  Block *body;
};

} // namespace

std::optional<Scatter> tessera::core::matchScatter(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || generic.getNumDpsInits() != 1 || generic.getNumReductionLoops() == 0 ||
      !generic.getMatchingIndexingMap(generic.getDpsInitOperand(0)).isProjectedPermutation())
    return std::nullopt;
  return Matcher(generic).run();
}
