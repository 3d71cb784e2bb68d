#include "lang/weld/transform/Cheap.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera::weld::ir;
namespace transform = tessera::weld::transform;

static constexpr unsigned maxCheapOps = 8;

bool transform::isBounded(Operation &op) {
  return !op.walk([](Operation *inner) {
              auto binary = dyn_cast<BinaryOp>(inner);
              bool comparesMore = binary && !laneType(binary.getLhs().getType());
              return comparesMore ||
                             isa<CompareOp, ForOp, IterateOp, SortOp, SerializeOp, ToVecOp>(inner)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

bool transform::isHarmless(Operation &op) {
  return isMemoryEffectFree(&op) && isSpeculatable(&op) && isBounded(op);
}

bool transform::isHarmless(Block &block) {
  return llvm::all_of(block.without_terminator(), [](Operation &op) { return isHarmless(op); });
}

/// Functions, and comparisons of anything but scalars, consist of many instructions.
bool transform::isLong(Operation &op) {
  auto unary = dyn_cast<UnaryOp>(op);
  auto binary = dyn_cast<BinaryOp>(op);
  return op.getNumRegions() || (unary && unary.getFunction() > Unary::Not) ||
         (binary &&
          (binary.getFunction() == Binary::Pow || !laneType(binary.getLhs().getType()))) ||
         isa<CompareOp, OptLookupOp, KeyExistsOp, SerializeOp, ToVecOp, MakeVecOp>(op);
}

std::optional<llvm::SetVector<Operation *>> transform::cheapSlice(ForOp op, ValueRange values) {
  llvm::SetVector<Operation *> slice;
  SmallVector<Value> open(values);
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *def = next.getDefiningOp();
    if (llvm::is_contained(op.builderArguments(), next))
      return std::nullopt;
    if (!def || def->getBlock() != &op.block() || !slice.insert(def))
      continue;
    if (!isMemoryEffectFree(def) || !isSpeculatable(def) || isLong(*def))
      return std::nullopt;
    llvm::append_range(open, def->getOperands());
  }
  return slice;
}

bool transform::isCheap(Block &block) {
  unsigned count = 0;
  for (Operation &op : block.without_terminator()) {
    if (isLong(op))
      return false;
    count += !isa<ConstantOp, MergeOp, FieldOp, MakeStructOp>(op);
  }
  return count <= maxCheapOps;
}
