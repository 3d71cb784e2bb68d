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

Value SizeValues::buildSum(OpBuilder &b, Location loc, Size size) {
  Value sum = size.offset() ? core::constantIndex(b, loc, size.offset()) : Value();
  for (const Size::Term &term : size.terms()) {
    Value atom = value(term.atom);
    b.setInsertionPoint(marker);
    if (term.coefficient != 1) {
      Value factor = core::constantIndex(b, loc, term.coefficient);
      atom = arith::MulIOp::create(b, loc, atom, factor);
    }
    sum = sum ? arith::AddIOp::create(b, loc, sum, atom) : atom;
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
      result = arith::MulIOp::create(b, loc, result, next);
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
