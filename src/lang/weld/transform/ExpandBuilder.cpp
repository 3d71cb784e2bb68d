#include "lang/weld/transform/ExpandBuilder.h"

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld::transform;

//===-- What a builder becomes --------------------------------------------===//

/// The builder after a use of it; null if that is not known.
static Value nextOf(OpOperand &use, ForOp loop) {
  Operation *user = use.getOwner();
  if (auto merge = dyn_cast<MergeOp>(user))
    return merge.getResult();
  if (auto inner = dyn_cast<ForOp>(user))
    return inner.builderArguments()[use.getOperandNumber() - inner.getIterators().size()];
  if (!isa<YieldOp>(user))
    return Value();
  Operation *parent = user->getParentOp();
  if (parent == loop || isa<IfOp, ForOp>(parent))
    return parent->getResult(use.getOperandNumber());
  return Value();
}

static bool yieldsAlike(Value value, const llvm::DenseSet<Value> &derived) {
  auto branch = value.getDefiningOp<IfOp>();
  if (!branch)
    return true;
  unsigned number = cast<OpResult>(value).getResultNumber();
  return derived.contains(branch.thenYield().getValues()[number]) &&
         derived.contains(branch.elseYield().getValues()[number]);
}

std::optional<llvm::DenseSet<Value>> tessera::weld::transform::derivedFrom(ForOp loop,
                                                                           unsigned builder) {
  llvm::DenseSet<Value> derived;
  SmallVector<Value> waiting{loop.builderArguments()[builder]};
  while (!waiting.empty()) {
    Value value = waiting.pop_back_val();
    if (!derived.insert(value).second || value == loop.getResult(builder))
      continue;
    for (OpOperand &use : value.getUses()) {
      Value next = nextOf(use, loop);
      if (!next || (next.getDefiningOp() == loop && next != loop.getResult(builder)))
        return std::nullopt;
      waiting.push_back(next);
    }
  }
  bool isWhole = derived.erase(loop.getResult(builder));
  if (!isWhole || !llvm::all_of(derived, [&](Value value) { return yieldsAlike(value, derived); }))
    return std::nullopt;
  return derived;
}

SmallVector<MergeOp> tessera::weld::transform::mergesInto(ForOp loop,
                                                          const llvm::DenseSet<Value> &derived) {
  SmallVector<MergeOp> merges;
  loop.walk([&](MergeOp merge) {
    if (derived.contains(merge.getTarget()))
      merges.push_back(merge);
  });
  return merges;
}

//===-- Rewriting ---------------------------------------------------------===//

ExpandBuilder::Values ExpandBuilder::clone(Block &block, Value builder, const Values &values,
                                           OpBuilder &to) {
  current[builder] = values;
  cloneOps(block, to);
  return expanded(block.getTerminator()->getOperands());
}

ExpandBuilder::Values ExpandBuilder::expanded(ValueRange values) {
  Values result;
  for (Value value : values)
    if (derived.contains(value))
      llvm::append_range(result, current.lookup(value));
    else
      result.push_back(mapping.lookupOrDefault(value));
  return result;
}

/// The values that replace the results of an operation, in order.
void ExpandBuilder::mapResults(ValueRange results, ValueRange made) {
  size_t numKept = llvm::count_if(results, [&](Value v) { return !derived.contains(v); });
  size_t numEach =
      numKept == results.size() ? 0 : (made.size() - numKept) / (results.size() - numKept);
  for (Value result : results) {
    if (derived.contains(result)) {
      current[result] = Values(made.take_front(numEach));
      made = made.drop_front(numEach);
      continue;
    }
    mapping.map(result, made.front());
    made = made.drop_front();
  }
}

void ExpandBuilder::cloneOps(Block &block, OpBuilder &to) {
  auto isExpanded = [&](Operation &op) {
    return llvm::any_of(op.getResults(), [&](Value v) { return derived.contains(v); });
  };
  for (Operation &op : block.without_terminator()) {
    if (!isExpanded(op))
      to.clone(op, mapping);
    else if (auto merge = dyn_cast<MergeOp>(op))
      current[merge.getResult()] = onMerge(to, merge, current.lookup(merge.getTarget()));
    else if (auto branch = dyn_cast<IfOp>(op))
      cloneIf(branch, to);
    else
      cloneFor(cast<ForOp>(op), to);
  }
}

void ExpandBuilder::cloneIf(IfOp op, OpBuilder &to) {
  auto made =
      IfOp::create(to, op.getLoc(), TypeRange(), mapping.lookupOrDefault(op.getCondition()));
  SmallVector<Type> types;
  for (auto [from, into] : {std::pair(&op.thenBlock(), &made.thenBlock()),
                            std::pair(&op.elseBlock(), &made.elseBlock())}) {
    OpBuilder inner = OpBuilder::atBlockEnd(into);
    cloneOps(*from, inner);
    Values yielded = expanded(from->getTerminator()->getOperands());
    YieldOp::create(inner, from->getTerminator()->getLoc(), yielded);
    types.assign(ValueRange(yielded).getTypes().begin(), ValueRange(yielded).getTypes().end());
  }
  // The number of results is known only now.
  auto final = IfOp::create(to, op.getLoc(), types, made.getCondition());
  final->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  final.getThenRegion().takeBody(made.getThenRegion());
  final.getElseRegion().takeBody(made.getElseRegion());
  made.erase();
  mapResults(op.getResults(), final.getResults());
}

void ExpandBuilder::cloneFor(ForOp op, OpBuilder &to) {
  SmallVector<IteratorOperands> iterators = op.iteratorList();
  for (IteratorOperands &iterator : iterators)
    for (Value &operand : iterator.operands)
      operand = mapping.lookupOrDefault(operand);
  auto made = ForOp::create(to, op.getLoc(), iterators, expanded(op.getBuilders()));
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  SmallVector<Value> from(op.builderArguments()), into(made.builderArguments());
  mapResults(from, into);
  mapping.map(op.index(), made.index());
  for (auto [old, fresh] : llvm::zip(op.elements(), made.elements()))
    mapping.map(old, fresh);
  OpBuilder inner = OpBuilder::atBlockEnd(&made.block());
  cloneOps(op.block(), inner);
  YieldOp::create(inner, op.yield().getLoc(), expanded(op.yield().getValues()));
  mapResults(op.getResults(), made.getResults());
}
