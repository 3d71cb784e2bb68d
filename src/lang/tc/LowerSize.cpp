#include "lang/tc/Lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tc;

OpFoldResult SizeValues::fold(Size size) {
  if (std::optional<int64_t> constant = size.constant())
    return Builder(marker->getContext()).getIndexAttr(*constant);
  return value(size);
}

Value SizeValues::value(Size size) {
  if (Value made = known.lookup(size.key()))
    return made;
  Value made = build(size);
  return known[size.key()] = made;
}

bool SizeValues::isKnown(Size size) const {
  auto ofTerm = [&](const Size::Term &term) { return isKnown(term.atom); };
  auto ofOperand = [&](Size operand) { return isKnown(operand); };
  switch (size.kind()) {
  case Size::Constant:
    return true;
  case Size::Symbol:
    return size.symbol() < symbols.size() && symbols[size.symbol()];
  case Size::Sum:
    return llvm::all_of(size.terms(), ofTerm);
  default:
    return llvm::all_of(size.operands(), ofOperand);
  }
}

Value SizeValues::build(Size size) {
  OpBuilder b(marker);
  Location loc = marker->getLoc();
  switch (size.kind()) {
  case Size::Constant:
    return core::constantIndex(b, loc, *size.constant());
  case Size::Symbol:
    return symbols[size.symbol()];
  case Size::Sum:
    return buildSum(b, loc, size);
  default:
    return buildOther(b, loc, size);
  }
}

void SizeValues::note(OpBuilder &b, Value overflows) {
  tooLarge =
      tooLarge ? arith::OrIOp::create(b, overflows.getLoc(), tooLarge, overflows) : overflows;
}

/// A sum that does not fit has another sign than both of its operands.
Value SizeValues::added(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  Value sum = arith::AddIOp::create(b, loc, lhs, rhs);
  Value differs = arith::AndIOp::create(b, loc, arith::XOrIOp::create(b, loc, lhs, sum),
                                        arith::XOrIOp::create(b, loc, rhs, sum));
  note(b, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, differs,
                                core::constantIndex(b, loc, 0)));
  return sum;
}

/// The upper half of a product that fits contains only its sign.
Value SizeValues::multiplied(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  Value product = arith::MulIOp::create(b, loc, lhs, rhs);
  Value upper = arith::MulSIExtendedOp::create(b, loc, lhs, rhs).getHigh();
  Value sign = arith::ShRSIOp::create(b, loc, product, core::constantIndex(b, loc, 63));
  note(b, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, upper, sign));
  return product;
}

Value SizeValues::buildSum(OpBuilder &b, Location loc, Size size) {
  Value sum = size.offset() ? core::constantIndex(b, loc, size.offset()) : Value();
  for (const Size::Term &term : size.terms()) {
    Value atom = value(term.atom);
    b.setInsertionPoint(marker);
    if (term.coefficient != 1) {
      Value factor = core::constantIndex(b, loc, term.coefficient);
      atom = multiplied(b, loc, atom, factor);
    }
    sum = sum ? added(b, loc, sum, atom) : atom;
  }
  return sum ? sum : core::constantIndex(b, loc, 0);
}

Value SizeValues::buildOther(OpBuilder &b, Location loc, Size size) {
  Value result;
  for (Size operand : size.operands()) {
    Value next = value(operand);
    b.setInsertionPoint(marker);
    if (!result)
      result = next;
    else if (size.kind() == Size::Product)
      result = multiplied(b, loc, result, next);
    else if (size.kind() == Size::Min)
      result = arith::MinSIOp::create(b, loc, result, next);
    else if (size.kind() == Size::Max)
      result = arith::MaxSIOp::create(b, loc, result, next);
    else
      result = lowerArithmetic(b, loc, size.kind() == Size::Mod ? BinaryOp::Mod : BinaryOp::Div,
                               Scalar::I64, result, next);
  }
  return result;
}
