#include "lang/weld/transform/Fusion.h"

using namespace mlir;
using namespace tessera::weld::ir;
namespace transform = tessera::weld::transform;

bool transform::bodyMayFail(ForOp loop) {
  return llvm::any_of(loop.block(), [](Operation &op) { return mayFail(&op); });
}

bool transform::failsBetween(Operation *first, Operation *second) {
  for (Operation *op = first->getNextNode(); op && op != second; op = op->getNextNode())
    if (mayFail(op))
      return true;
  return false;
}

unsigned transform::placeOf(const IteratorOperands &iterator,
                            SmallVectorImpl<IteratorOperands> &all) {
  for (auto [place, other] : llvm::enumerate(all))
    if (iterator.isSameAs(other))
      return place;
  all.push_back(iterator);
  return all.size() - 1;
}

void transform::takeAnnotations(ForOp made, ForOp first, ForOp second) {
  NamedAttrList all(first->getAttrOfType<DictionaryAttr>(annotationsAttr));
  if (auto others = second->getAttrOfType<DictionaryAttr>(annotationsAttr))
    for (NamedAttribute each : others)
      if (annotation(first, each.getName()) != "false")
        all.set(each.getName(), each.getValue());
  if (!all.empty())
    made->setAttr(annotationsAttr, all.getDictionary(made.getContext()));
}
