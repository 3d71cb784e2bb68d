#include "schedule/LoopGroups.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;
using core::LoopRole;

std::optional<unsigned> Access::dimOf(unsigned loop) const {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

namespace {

/// Static strides, or dynamic ones; nothing for tensors and buffers without gaps.
std::optional<SmallVector<int64_t>> stridesOf(ShapedType type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || buffer.getLayout().isIdentity())
    return std::nullopt;
  return buffer.getStridesAndOffset().first;
}

bool areUnit(ArrayRef<int64_t> sizes) {
  return llvm::all_of(sizes, [](int64_t size) { return size == 1; });
}

/// Whether stepping through all of `inner` is one step of `outer`.
bool areOne(const Access &access, unsigned outer, unsigned inner) {
  std::optional<unsigned> first = access.dimOf(outer), second = access.dimOf(inner);
  if (!first || !second)
    return !first && !second;
  ArrayRef<int64_t> shape = access.type.getShape();
  std::optional<SmallVector<int64_t>> strides = stridesOf(access.type);
  if (!strides)
    return *first < *second && areUnit(shape.slice(*first + 1, *second - *first - 1));
  int64_t step = (*strides)[*second], size = shape[*second];
  return !ShapedType::isDynamic(step) && !ShapedType::isDynamic(size) &&
         (*strides)[*first] == step * size;
}

/// An unknown size counts as a large one.
int64_t weightOf(const Group &group, ArrayRef<int64_t> sizes) {
  int64_t size = sizeOf(group, sizes);
  return ShapedType::isDynamic(size) ? std::numeric_limits<int64_t>::max() : size;
}

class Grouping {
public:
  Grouping(const core::Contraction &contraction, ArrayRef<Access> accesses, ArrayRef<int64_t> sizes)
      : roles(contraction.roles), accesses(accesses), sizes(sizes) {}

  std::optional<LoopGroups> run() {
    std::optional<unsigned> lane = laneLoop();
    if (!lane && llvm::any_of(loopsInResult(), [&](unsigned loop) { return sizes[loop] != 1; }))
      return std::nullopt;
    result.isSwapped = lane && roles[*lane] == LoopRole::Row;
    if (result.isSwapped)
      swapRoles();
    SmallVector<Group> batch = groupsOf(LoopRole::Batch), rows = groupsOf(LoopRole::Row),
                       columns = groupsOf(LoopRole::Column);
    if (lane)
      result.column = take(roles[*lane] == LoopRole::Batch ? batch : columns, *lane);
    if (lane && roles[*lane] == LoopRole::Batch && largest(columns) > largest(rows)) {
      result.isSwapped = true;
      std::swap(rows, columns);
    }
    result.row = takeLargest(rows);
    result.outerDepth = groupsOf(LoopRole::Depth);
    result.depth = result.outerDepth.empty() ? Group{} : result.outerDepth.pop_back_val();
    for (auto &rest : {batch, rows, columns})
      llvm::append_range(result.outer, rest);
    return std::move(result);
  }

private:
  /// In the order in which the result has them in memory.
  SmallVector<unsigned> loopsInResult() {
    SmallVector<unsigned> loops;
    for (AffineExpr expr : accesses[core::Result].map.getResults())
      loops.push_back(cast<AffineDimExpr>(expr).getPosition());
    return loops;
  }

  std::optional<unsigned> laneLoop() {
    SmallVector<unsigned> loops = loopsInResult();
    for (unsigned loop : llvm::reverse(loops))
      if (sizes[loop] != 1 && accesses[core::Result].isDenseAlong(loop))
        return loop;
    return std::nullopt;
  }

  void swapRoles() {
    for (LoopRole &role : roles)
      if (role == LoopRole::Row || role == LoopRole::Column)
        role = role == LoopRole::Row ? LoopRole::Column : LoopRole::Row;
  }

  /// Neighbours become one loop where every operand allows it. The order of depth is the
  /// contraction's own; others are in the order of the result's memory. Loops of one iteration are
  /// none.
  SmallVector<Group> groupsOf(LoopRole role) {
    SmallVector<unsigned> loops;
    if (role == LoopRole::Depth)
      llvm::append_range(loops, llvm::seq<unsigned>(0, roles.size()));
    else
      loops = loopsInResult();
    SmallVector<Group> groups;
    for (unsigned loop : loops) {
      if (roles[loop] != role || sizes[loop] == 1)
        continue;
      if (!groups.empty() && canJoin(groups.back().back(), loop))
        groups.back().push_back(loop);
      else
        groups.push_back({loop});
    }
    return groups;
  }

  bool canJoin(unsigned outer, unsigned inner) {
    return llvm::all_of(accesses,
                        [&](const Access &access) { return areOne(access, outer, inner); });
  }

  static Group take(SmallVector<Group> &groups, unsigned loop) {
    auto found =
        llvm::find_if(groups, [&](const Group &group) { return llvm::is_contained(group, loop); });
    Group group = *found;
    groups.erase(found);
    return group;
  }

  int64_t largest(ArrayRef<Group> groups) {
    int64_t weight = 0;
    for (const Group &group : groups)
      weight = std::max(weight, weightOf(group, sizes));
    return weight;
  }

  Group takeLargest(SmallVector<Group> &groups) {
    int64_t weight = largest(groups);
    for (const Group &group : llvm::reverse(groups))
      if (weightOf(group, sizes) == weight)
        return take(groups, group.front());
    return {};
  }

  SmallVector<LoopRole> roles;
  ArrayRef<Access> accesses;
  ArrayRef<int64_t> sizes;
  LoopGroups result;
};

} // namespace

bool Access::isDenseAlong(unsigned loop) const {
  std::optional<unsigned> dim = dimOf(loop);
  if (!dim)
    return false;
  if (std::optional<SmallVector<int64_t>> strides = stridesOf(type))
    return (*strides)[*dim] == 1;
  return areUnit(type.getShape().drop_front(*dim + 1));
}

std::optional<LoopGroups> schedule::groupLoops(const core::Contraction &contraction,
                                               ArrayRef<Access> accesses) {
  SmallVector<int64_t> sizes = loopSizesOf(accesses);
  return Grouping(contraction, accesses, sizes).run();
}

SmallVector<Access> schedule::accessesOf(linalg::LinalgOp op) {
  SmallVector<Access> accesses;
  for (OpOperand &operand : op->getOpOperands())
    accesses.push_back(
        {cast<ShapedType>(operand.get().getType()), op.getMatchingIndexingMap(&operand)});
  return accesses;
}

SmallVector<int64_t> schedule::loopSizesOf(ArrayRef<Access> accesses) {
  SmallVector<int64_t> sizes;
  for (unsigned loop = 0; loop < accesses.front().map.getNumDims(); ++loop) {
    sizes.push_back(ShapedType::kDynamic);
    for (const Access &access : accesses)
      if (std::optional<unsigned> dim = access.dimOf(loop))
        if (int64_t size = access.type.getDimSize(*dim); !ShapedType::isDynamic(size))
          sizes.back() = size;
  }
  return sizes;
}

int64_t schedule::sizeOf(const Group &group, ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (unsigned loop : group) {
    if (ShapedType::isDynamic(sizes[loop]))
      return ShapedType::kDynamic;
    product *= sizes[loop];
  }
  return product;
}
