#include "core/Build.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "transform/math/Term.h"

using namespace mlir;

namespace tessera::transform::math {

namespace {

/// The ends of a reach.
struct Limits {
  Value low, high;
};

Value call(const Place &at, StringRef name, Value x, Value y, Limits limits) {
  Type type = x.getType();
  core::declareRuntime(at.module, name, at.b.getFunctionType({type, type, type, type}, type));
  return func::CallOp::create(at.b, at.loc, name, type, ValueRange{x, y, limits.low, limits.high})
      .getResult(0);
}

/// Calls the function for one element after the other.
Value callEach(const Place &at, StringRef name, Value x, Value y, Limits limits) {
  Value zero = core::constantIndex(at.b, at.loc, 0), one = core::constantIndex(at.b, at.loc, 1);
  int64_t size = cast<VectorType>(x.getType()).getDimSize(0);
  auto loop = scf::ForOp::create(at.b, at.loc, zero, core::constantIndex(at.b, at.loc, size), one,
                                 y, [&](OpBuilder &b, Location loc, Value index, ValueRange state) {
                                   Place inner{b, loc, at.hasFma, at.module};
                                   Value element = vector::ExtractOp::create(b, loc, x, index);
                                   Value old = vector::ExtractOp::create(b, loc, state[0], index);
                                   Value result = call(inner, name, element, old, limits);
                                   Value next =
                                       vector::InsertOp::create(b, loc, result, state[0], index);
                                   scf::YieldOp::create(b, loc, next);
                                 });
  return loop.getResult(0);
}

Limits limitsOf(const Place &at, Type element, Reach reach) {
  auto constant = [&](double number) -> Value {
    return arith::ConstantOp::create(at.b, at.loc, at.b.getFloatAttr(element, number));
  };
  return {constant(reach.low), constant(reach.high)};
}

} // namespace

Term unlessFar(Term x, Term y, Reach reach, StringRef name) {
  const Place &at = x.at();
  std::string symbol = ("tessera_rt_far_" + name + (x.isSingle() ? "f" : "")).str();
  Limits limits = limitsOf(at, x.element(), reach);
  auto type = dyn_cast<VectorType>(x.get().getType());
  if (!type)
    return Term(at, call(at, symbol, x.get(), y.get(), limits));
  VectorType flat = VectorType::get({type.getNumElements()}, type.getElementType());
  Value allX = vector::ShapeCastOp::create(at.b, at.loc, flat, x.get());
  Value allY = vector::ShapeCastOp::create(at.b, at.loc, flat, y.get());
  Term flatX(at, allX), isFar = !((flatX >= reach.low) & (flatX <= reach.high));
  Value any = vector::ReductionOp::create(at.b, at.loc, vector::CombiningKind::OR, isFar.get());
  auto branch = scf::IfOp::create(
      at.b, at.loc, any,
      [&](OpBuilder &b, Location loc) {
        Place inner{b, loc, at.hasFma, at.module};
        scf::YieldOp::create(b, loc, callEach(inner, symbol, allX, allY, limits));
      },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, allY); });
  return Term(at, vector::ShapeCastOp::create(at.b, at.loc, type, branch.getResult(0)));
}

// Note [Far calls]
//
// A branch would keep LLVM from vectorizing the loop around it; a call of a function with vector
// variants does not. The CPU back end gives each `tessera_rt_far_...` such variants, which test
// once whether any element is far, and inlines them after the loop is vectorized. For operations
// that are already on vectors the test is emitted at once.

} // namespace tessera::transform::math
