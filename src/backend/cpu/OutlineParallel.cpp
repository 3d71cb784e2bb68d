#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "core/Build.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_OUTLINEPARALLEL
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Emits plain nested loops over the dimensions from `first` on; returns the counters.
SmallVector<Value> makeNest(OpBuilder &b, scf::ParallelOp op, unsigned first, IRMapping &mapping) {
  SmallVector<Value> counters;
  for (unsigned dim = first; dim < op.getNumLoops(); ++dim) {
    auto loop = scf::ForOp::create(b, op.getLoc(), mapping.lookupOrDefault(op.getLowerBound()[dim]),
                                   mapping.lookupOrDefault(op.getUpperBound()[dim]),
                                   mapping.lookupOrDefault(op.getStep()[dim]));
    counters.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  return counters;
}

void cloneBody(OpBuilder &b, scf::ParallelOp op, ArrayRef<Value> counters, IRMapping &mapping) {
  mapping.map(op.getInductionVars(), counters);
  for (Operation &inner : op.getBody()->without_terminator())
    b.clone(inner, mapping);
}

/// A parallel loop inside another becomes sequential: the outer one has all the threads.
void makeSequential(scf::ParallelOp op) {
  if (op.getNumResults() != 0)
    return;
  OpBuilder b(op);
  IRMapping mapping;
  SmallVector<Value> counters = makeNest(b, op, 0, mapping);
  cloneBody(b, op, counters, mapping);
  op.erase();
}

/// The iterations of the outermost dimension that make a chunk.
Value grainOf(OpBuilder &b, scf::ParallelOp op) {
  Location loc = op.getLoc();
  if (auto fixed = op->getAttrOfType<IntegerAttr>(core::grainAttr))
    return arith::ConstantIntOp::create(b, loc, fixed.getInt(), 64);
  auto work = op->getAttrOfType<IntegerAttr>(cpu::workAttr);
  Value inner = core::constantIndex(b, loc, work ? std::max<int64_t>(work.getInt(), 1) : 1);
  for (unsigned dim = 1; dim < op.getNumLoops(); ++dim)
    inner = arith::MulIOp::create(b, loc, inner, op.getUpperBound()[dim]);
  inner = arith::MaxSIOp::create(b, loc, inner, core::constantIndex(b, loc, 1));
  Value wanted = core::constantIndex(b, loc, cpu::minChunk + 0);
  Value rounded = arith::SubIOp::create(b, loc, arith::AddIOp::create(b, loc, wanted, inner),
                                        core::constantIndex(b, loc, 1));
  Value grain = arith::DivSIOp::create(b, loc, rounded, inner);
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), grain);
}

/// Stack memory that only the loop uses is private to each chunk. Constants are cheaper to
/// duplicate.
bool isMadeAnew(Operation *op, scf::ParallelOp loop) {
  if (isa_and_nonnull<arith::ConstantOp, LLVM::ConstantOp, LLVM::ZeroOp, LLVM::PoisonOp,
                      LLVM::AddressOfOp>(op))
    return true;
  return isa_and_nonnull<LLVM::AllocaOp>(op) && llvm::all_of(op->getUsers(), [&](Operation *user) {
           return loop->isProperAncestor(user);
         });
}

/// Values from outside that the loop uses.
SmallVector<Value> capturedBy(scf::ParallelOp loop, SmallVector<Operation *> &constants) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(loop.getRegion(), used);
  for (Value bound :
       llvm::concat<Value>(loop.getLowerBound(), loop.getUpperBound(), loop.getStep()))
    used.insert(bound);
  SmallVector<Value> captured;
  for (Value value : used)
    if (Operation *op = value.getDefiningOp(); isMadeAnew(op, loop))
      constants.push_back(op);
    else
      captured.push_back(value);
  return captured;
}

/// Whether an inner loop stays sequential: the outer one has the threads unless it is short. Chunks
/// made by the front end are always worth a thread.
bool staysInOrder(scf::ParallelOp op) {
  return op->getParentOfType<scf::ParallelOp>() && !op->hasAttr(core::grainAttr);
}

/// Whether the loop counts from 0 by 1. Other loops and reductions are left to the lowering of scf;
/// our passes do not make them.
bool isCounted(scf::ParallelOp op) {
  return op.getNumResults() == 0 && matchPattern(op.getLowerBound()[0], m_Zero()) &&
         matchPattern(op.getStep()[0], m_One());
}

struct OutlineParallel final : cpu::impl::OutlineParallelBase<OutlineParallel> {
  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops, inner;
    getOperation().walk([&](scf::ParallelOp op) {
      if (staysInOrder(op))
        inner.push_back(op);
      else if (isCounted(op))
        loops.push_back(op);
    });
    llvm::for_each(inner, makeSequential); // Inner loops first: the walk is post-order.
    for (auto [number, loop] : llvm::enumerate(loops))
      outline(loop, number);
  }

  /// parallel i in 0...n { body } becomes body.N(lo, hi, captured) { for i in lo...hi { body } }
  /// and a call of launch.N(n, grain, captured), which BindParallel defines.
  void outline(scf::ParallelOp op, unsigned number) {
    std::string name = "parallel." + std::to_string(number);
    SmallVector<Operation *> constants;
    SmallVector<Value> captured = capturedBy(op, constants);
    OpBuilder b(op);
    Location loc = op.getLoc();
    SmallVector<Type> types{b.getI64Type(), b.getI64Type()};
    llvm::append_range(types, ValueRange(captured).getTypes());
    FunctionType type = b.getFunctionType(types, {});

    Value count = arith::IndexCastOp::create(b, loc, b.getI64Type(), op.getUpperBound()[0]);
    SmallVector<Value> arguments{count, grainOf(b, op)};
    llvm::append_range(arguments, captured);
    core::declareRuntime(getOperation(), name + ".launch", type);
    func::CallOp::create(b, loc, name + ".launch", TypeRange{}, arguments);
    makeBody(op, name, type, captured, constants);
    op.erase();
  }

  void makeBody(scf::ParallelOp op, StringRef name, FunctionType type, ArrayRef<Value> captured,
                ArrayRef<Operation *> constants) {
    OpBuilder b = OpBuilder::atBlockEnd(getOperation().getBody());
    Location loc = op.getLoc();
    auto body = func::FuncOp::create(b, loc, name, type);
    body.setPrivate();
    // A part of tuned loops is compiled like them.
    auto around = op->getParentOfType<func::FuncOp>();
    for (StringRef kept : {StringRef(cpu::passthroughAttr), StringRef(core::buffersAttr)})
      if (Attribute attribute = around->getAttr(kept))
        body->setAttr(kept, attribute);
    b.setInsertionPointToStart(body.addEntryBlock());
    IRMapping mapping;
    mapping.map(captured, body.getArguments().drop_front(2));
    for (Operation *constant : constants) {
      for (Value operand : constant->getOperands()) // The size of a stack allocation.
        if (!mapping.contains(operand))
          b.clone(*operand.getDefiningOp(), mapping);
      b.clone(*constant, mapping);
    }
    Value lo = arith::IndexCastOp::create(b, loc, b.getIndexType(), body.getArgument(0));
    Value hi = arith::IndexCastOp::create(b, loc, b.getIndexType(), body.getArgument(1));
    auto rows = scf::ForOp::create(b, loc, lo, hi, core::constantIndex(b, loc, 1));
    func::ReturnOp::create(b, loc);
    b.setInsertionPointToStart(rows.getBody());
    SmallVector<Value> counters{rows.getInductionVar()};
    llvm::append_range(counters, makeNest(b, op, 1, mapping));
    cloneBody(b, op, counters, mapping);
    hoistStackBuffers(body);
  }

  /// Otherwise every iteration would allocate more stack.
  static void hoistStackBuffers(func::FuncOp body) {
    SmallVector<memref::AllocaOp> buffers;
    body.walk([&](memref::AllocaOp buffer) {
      if (buffer.getType().hasStaticShape())
        buffers.push_back(buffer);
    });
    for (memref::AllocaOp buffer : buffers)
      buffer->moveBefore(&body.front(), body.front().begin());
  }
};

} // namespace
