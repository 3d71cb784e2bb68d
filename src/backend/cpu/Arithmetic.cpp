#include "backend/cpu/Arithmetic.h"
#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;

Value cpu::index(KernelBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}
Value cpu::add(KernelBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}
Value cpu::add(KernelBuilder &b, Value x, int64_t y) {
  return y ? add(b, x, index(b, y)) : x;
}
Value cpu::subtract(KernelBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(x, y);
}
Value cpu::multiply(KernelBuilder &b, Value x, Value y) {
  if (constantOf(x) == 1)
    return y;
  return b.createOrFold<arith::MulIOp>(x, y);
}
Value cpu::multiply(KernelBuilder &b, Value x, int64_t y) {
  return y == 1 ? x : multiply(b, x, index(b, y));
}
Value cpu::smaller(KernelBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(x, y);
}
Value cpu::larger(KernelBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::MaxSIOp>(x, y);
}
Value cpu::select(KernelBuilder &b, Value condition, Value yes, Value no) {
  return b.createOrFold<arith::SelectOp>(condition, yes, no);
}
Value cpu::divide(KernelBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::DivUIOp>(x, y);
}
Value cpu::ceilDivide(KernelBuilder &b, Value x, Value y) {
  return divide(b, subtract(b, add(b, x, y), index(b, 1)), y);
}
Value cpu::roundUp(KernelBuilder &b, Value x, int64_t multiple) {
  return multiply(b, ceilDivide(b, x, index(b, multiple)), multiple);
}

static Value compare(cpu::KernelBuilder &b, arith::CmpIPredicate predicate, Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(predicate, x, y);
}
Value cpu::isEqual(KernelBuilder &b, Value x, Value y) {
  return compare(b, arith::CmpIPredicate::eq, x, y);
}
Value cpu::isLess(KernelBuilder &b, Value x, Value y) {
  return compare(b, arith::CmpIPredicate::slt, x, y);
}
Value cpu::isAtLeast(KernelBuilder &b, Value x, Value y) {
  return compare(b, arith::CmpIPredicate::sge, x, y);
}
Value cpu::both(KernelBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::AndIOp>(x, y);
}

std::optional<int64_t> cpu::constantOf(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}
bool cpu::isAlways(Value condition) {
  return matchPattern(condition, m_One()) || matchPattern(condition, m_NonZero());
}
bool cpu::isNever(Value condition) {
  return matchPattern(condition, m_Zero());
}

void cpu::forEach(KernelBuilder &b, Value begin, Value end, Value step, Body body) {
  auto first = constantOf(begin), last = constantOf(end), stride = constantOf(step);
  if (first && last && *first >= *last)
    return;
  if (first && last && stride && *first + *stride >= *last)
    return body(begin);
  auto loop = scf::ForOp::create(b, begin, end, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void cpu::inParallel(KernelBuilder &b, Value count, int64_t grain, Body body) {
  if (constantOf(count) == 1)
    return body(index(b, 0));
  inParallel(b, ValueRange{count}, core::grainAttr, grain,
             [&](ValueRange indices) { body(indices.front()); });
}

void cpu::inParallel(KernelBuilder &b, ValueRange upper, StringRef attribute, int64_t number,
                     llvm::function_ref<void(ValueRange)> body) {
  SmallVector<Value> lower(upper.size(), index(b, 0)), steps(upper.size(), index(b, 1));
  auto loop = scf::ParallelOp::create(b, lower, upper, steps);
  loop->setAttr(attribute, b.getI64IntegerAttr(number));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVars());
}

void cpu::when(KernelBuilder &b, Value condition, llvm::function_ref<void()> then,
               llvm::function_ref<void()> otherwise) {
  if (isAlways(condition))
    return then();
  if (isNever(condition))
    return otherwise ? otherwise() : void();
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  b.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

SmallVector<Value> cpu::choose(KernelBuilder &b, Value condition, TypeRange types,
                               llvm::function_ref<SmallVector<Value>()> then,
                               llvm::function_ref<SmallVector<Value>()> otherwise) {
  if (isAlways(condition))
    return then();
  if (isNever(condition))
    return otherwise();
  auto branch = scf::IfOp::create(b, types, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, then());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, otherwise());
  return llvm::to_vector(ValueRange(branch.getResults()));
}

Value cpu::zeroOf(KernelBuilder &b, Type type) {
  return arith::ConstantOp::create(b, type, b.getZeroAttr(type));
}
