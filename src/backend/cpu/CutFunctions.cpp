#include "backend/cpu/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_CUTFUNCTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Operations per piece; blocks of up to twice as many stay whole. A block with vectors may be the
/// body of tuned loops, so longer ones stay whole.
constexpr size_t pieceSize = 512, vectorPieceSize = 2048;

/// Operations of one block, in order, that become a function.
using Piece = SmallVector<Operation *>;

size_t sizeOf(Operation &op) {
  size_t size = 0;
  op.walk([&](Operation *) { ++size; });
  return size;
}

size_t sizeOf(Block &block) {
  size_t size = 0;
  for (Operation &op : block)
    size += sizeOf(op);
  return size;
}

/// Constants are duplicated in each piece.
bool isConstant(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<memref::GetGlobalOp>(op);
}

/// Stack buffers stay in place, before the pieces that use them.
bool staysInPlace(Operation &op) {
  return isConstant(&op) || isa<memref::AllocaOp>(op);
}

/// Whether its stack size depends on computed values.
bool isDynamicAlloca(Operation &op) {
  return isa<memref::AllocaOp>(op) && op.getNumOperands() > 0;
}

/// Whether it is computed in vector registers or otherwise cannot be passed to a function.
bool staysWithUsers(Value value) {
  return !isa<IntegerType, IndexType, FloatType, MemRefType>(value.getType());
}

bool hasVectors(Block &block) {
  return llvm::any_of(block,
                      [](Operation &op) { return llvm::any_of(op.getResults(), staysWithUsers); });
}

/// Whether vectors come from outside the block: every piece could need them.
bool takesVectors(Block &block) {
  SetVector<Value> taken(block.args_begin(), block.args_end());
  getUsedValuesDefinedAbove(*block.getParent(), taken);
  return llvm::any_of(taken, [](Value value) {
    Operation *op = value.getDefiningOp();
    return staysWithUsers(value) && !(op && isConstant(op));
  });
}

/// The operation in the block that contains the last use of a value that must stay with its users.
Operation *lastUser(Operation &op) {
  Operation *last = &op;
  for (Value result : op.getResults())
    if (staysWithUsers(result))
      for (Operation *user : result.getUsers())
        if (Operation *here = op.getBlock()->findAncestorOpInBlock(*user);
            last->isBeforeInBlock(here))
          last = here;
  return last;
}

SmallVector<Piece> piecesOf(Block &block, size_t goal) {
  SmallVector<Piece> pieces(1);
  size_t size = 0;
  Operation *last = &block.front(); // A piece ends only after the last user of such values.
  for (Operation &op : block.without_terminator()) {
    if (staysInPlace(op))
      continue;
    pieces.back().push_back(&op);
    size += sizeOf(op);
    if (Operation *user = lastUser(op); last->isBeforeInBlock(user))
      last = user;
    if (size < goal || op.isBeforeInBlock(last))
      continue;
    pieces.emplace_back();
    size = 0;
  }
  return pieces;
}

/// Makes a function independent of the surrounding code: values from outside become arguments, and
/// constants are duplicated. Returns the arguments to call it with.
SmallVector<Value> isolate(func::FuncOp function) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(function.getBody(), used);
  OpBuilder b = OpBuilder::atBlockBegin(&function.front());
  SmallVector<Value> inputs;
  IRMapping own;
  for (Value value : used) {
    if (Operation *op = value.getDefiningOp(); op && isConstant(op)) {
      b.clone(*op, own);
      continue;
    }
    inputs.push_back(value);
    own.map(value, function.front().addArgument(value.getType(), value.getLoc()));
  }
  function.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(own.lookupOrDefault(operand.get()));
  });
  return inputs;
}

SmallVector<Value> resultsUsedOutside(func::FuncOp function) {
  auto isOutside = [&](Operation *user) { return !function->isAncestor(user); };
  SmallVector<Value> used;
  for (Operation &op : function.front())
    for (Value result : op.getResults())
      if (llvm::any_of(result.getUsers(), isOutside))
        used.push_back(result);
  return used;
}

struct CutFunctions final : cpu::impl::CutFunctionsBase<CutFunctions> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function->hasAttr(cpu::passthroughAttr)) // Tuned loops have it.
        function.walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks) // Inner blocks first: the walk is post-order.
      if (block->getParent()->hasOneBlock() && llvm::none_of(*block, isDynamicAlloca))
        cut(*block);
  }

  void cut(Block &block) {
    size_t goal = hasVectors(block) ? vectorPieceSize : pieceSize;
    if (sizeOf(block) <= 2 * goal || takesVectors(block))
      return;
    for (ArrayRef<Operation *> piece : piecesOf(block, goal))
      if (piece.size() > 1)
        outline(piece);
  }

  void outline(ArrayRef<Operation *> piece) {
    Location loc = piece.front()->getLoc();
    OpBuilder b(&getContext());
    b.setInsertionPointAfter(piece.back());
    func::FuncOp function = makeFunction(b, loc, piece);
    SmallVector<Value> outputs = resultsUsedOutside(function);
    SmallVector<Value> inputs = isolate(function);
    function.setType(
        b.getFunctionType(TypeRange(ValueRange(inputs)), TypeRange(ValueRange(outputs))));
    b.setInsertionPoint(function);
    auto call = func::CallOp::create(b, loc, function, inputs);
    function->moveBefore(getOperation().getBody(), getOperation().getBody()->end());
    for (auto [output, result] : llvm::zip(outputs, call.getResults()))
      output.replaceUsesWithIf(
          result, [&](OpOperand &use) { return !function->isAncestor(use.getOwner()); });
    b.setInsertionPointToEnd(&function.front());
    func::ReturnOp::create(b, loc, outputs);
  }

  /// LLVM must not inline it again.
  func::FuncOp makeFunction(OpBuilder &b, Location loc, ArrayRef<Operation *> piece) {
    auto from = piece.front()->getParentOfType<func::FuncOp>();
    std::string name = (from.getName() + ".piece" + Twine(numPieces++)).str();
    auto function = func::FuncOp::create(b, loc, name, b.getFunctionType({}, {}));
    function.setPrivate();
    function->setAttr(cpu::passthroughAttr, b.getStrArrayAttr({"noinline"}));
    Block *body = function.addEntryBlock();
    for (Operation *op : piece)
      op->moveBefore(body, body->end());
    return function;
  }

  unsigned numPieces = 0;
};

} // namespace
