#include "mlir/Dialect/Math/IR/Math.h"
#include "transform/Passes.h"
#include "transform/math/Functions.h"

using namespace mlir;
using tessera::transform::math::Place;
using tessera::transform::math::Term;

namespace tessera::transform {
#define GEN_PASS_DEF_EXPANDMATH
#include "transform/Passes.h.inc"
} // namespace tessera::transform

namespace {

enum Widths { Single = 1, Wide = 2, Both = 3 };

Term apply(Term (*function)(Term), ArrayRef<Term> operands) {
  return function(operands[0]);
}

Term apply(Term (*function)(Term, Term), ArrayRef<Term> operands) {
  return function(operands[0], operands[1]);
}

struct Formula {
  StringRef operation;
  Widths widths;
  Term (*expand)(ArrayRef<Term>);
};

constexpr Formula formulas[] = {
#define TESSERA_FORMULA(Name, function, widths)                                                    \
  {mlir::math::Name##Op::getOperationName(), widths,                                               \
   [](ArrayRef<Term> operands) { return apply(tessera::transform::math::function, operands); }},
#include "transform/math/Functions.def"
};

/// Half precision is computed in single precision.
Type computedIn(Type element) {
  return element.isF16() || element.isBF16() ? Float32Type::get(element.getContext()) : element;
}

const Formula *formulaFor(Operation *op) {
  if (!isa_and_nonnull<mlir::math::MathDialect>(op->getDialect()) || op->getNumResults() != 1)
    return nullptr;
  Type type = op->getResult(0).getType(), element = computedIn(getElementTypeOrSelf(type));
  if (isa<TensorType>(type) || !(element.isF32() || element.isF64()))
    return nullptr;
  StringRef name = op->getName().getStringRef();
  const Formula *found =
      llvm::find_if(formulas, [&](const Formula &formula) { return formula.operation == name; });
  bool isServed =
      found != std::end(formulas) && (found->widths & (element.isF32() ? Single : Wide));
  return isServed ? found : nullptr;
}

Term widened(const Place &place, Value operand) {
  Term term(place, operand);
  Type element = computedIn(term.element());
  if (element == term.element())
    return term;
  return Term(place, arith::ExtFOp::create(place.b, place.loc, term.typeWith(element), operand));
}

/// Walks instead of using the pattern driver, which folds: MLIR would fold with the host's math
/// library, and results would depend on what is known at compile time.
struct ExpandMath final : tessera::transform::impl::ExpandMathBase<ExpandMath> {
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    getOperation().walk([](mlir::math::SincosOp op) { separate(op); });
    getOperation().walk([&](Operation *op) {
      if (const Formula *formula = formulaFor(op))
        expand(op, *formula);
    });
  }

  static void separate(mlir::math::SincosOp op) {
    OpBuilder b(op);
    op.getSin().replaceAllUsesWith(mlir::math::SinOp::create(b, op.getLoc(), op.getOperand()));
    op.getCos().replaceAllUsesWith(mlir::math::CosOp::create(b, op.getLoc(), op.getOperand()));
    op.erase();
  }

  void expand(Operation *op, const Formula &formula) {
    OpBuilder b(op);
    Place place{b, op->getLoc(), hasFma, getOperation()};
    SmallVector<Term> operands;
    for (Value operand : op->getOperands())
      operands.push_back(widened(place, operand));
    Value result = formula.expand(operands).get();
    Type type = op->getResult(0).getType();
    if (result.getType() != type)
      result = arith::TruncFOp::create(b, op->getLoc(), type, result);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
};

} // namespace
