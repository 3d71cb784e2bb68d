#include "schedule/LoopGroups.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;
using core::LoopRole;

std::optional<unsigned> Access::dimOf(unsigned loop) const {
  return map.getResultPosition(getAffineDimExpr(loop, map.getContext()));
}

namespace {

int64_t times(int64_t a, int64_t b) {
  bool isKnown = !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b);
  return isKnown ? a * b : ShapedType::kDynamic;
}

/// Whether the elements are contiguous in row-major order.
bool isRowMajor(ShapedType type) {
  auto buffer = dyn_cast<MemRefType>(type);
  return !buffer || buffer.getLayout().isIdentity();
}

SmallVector<int64_t> stridesOf(ShapedType type) {
  if (!isRowMajor(type))
    return cast<MemRefType>(type).getStridesAndOffset().first;
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim)
    strides[dim] = times(strides[dim + 1], type.getDimSize(dim + 1));
  return strides;
}

bool areUnit(ArrayRef<int64_t> sizes) {
  return llvm::all_of(sizes, [](int64_t size) { return size == 1; });
}

/// Whether stepping through all of `inner` equals one step of `outer`: by their strides or, for
/// dynamic sizes, because they are adjacent dimensions.
bool areOne(const Access &access, unsigned outer, unsigned inner, ArrayRef<int64_t> sizes) {
  if (!access.isUsedBy(outer) || !access.isUsedBy(inner))
    return !access.isUsedBy(outer) && !access.isUsedBy(inner);
  int64_t step = times(access.strideOf(inner), sizes[inner]);
  if (!ShapedType::isDynamic(step) && access.strideOf(outer) == step)
    return true;
  std::optional<unsigned> first = access.dimOf(outer), second = access.dimOf(inner);
  return first && second && *first < *second && isRowMajor(access.type) &&
         llvm::count_if(
             access.map.getResults(),
             [&](AffineExpr expr) {
               return expr.isFunctionOfDim(outer) || expr.isFunctionOfDim(inner);
             }) == 2 &&
         areUnit(access.type.getShape().slice(*first + 1, *second - *first - 1));
}

/// An unknown size counts as large.
int64_t weightOf(const Group &group, ArrayRef<int64_t> sizes) {
  int64_t size = sizeOf(group, sizes);
  return ShapedType::isDynamic(size) ? std::numeric_limits<int64_t>::max() : size;
}

class Grouping {
public:
  Grouping(const core::Contraction &contraction, ArrayRef<Access> accesses, ArrayRef<int64_t> sizes,
           bool isAcross)
      : roles(contraction.roles), accesses(accesses), sizes(sizes), isAcross(isAcross) {}

  std::optional<LoopGroups> run() {
    std::optional<unsigned> lane = laneLoop();
    if (!lane && llvm::any_of(loopsInResult(), [&](unsigned loop) { return sizes[loop] != 1; }))
      return std::nullopt;
    if (isAcross && (!lane || roles[*lane] == LoopRole::Batch))
      return std::nullopt;
    result.isSwapped = lane && roles[*lane] == (isAcross ? LoopRole::Column : LoopRole::Row);
    if (result.isSwapped)
      swapRoles();
    SmallVector<Group> batch = groupsOf(LoopRole::Batch), rows = groupsOf(LoopRole::Row),
                       columns = groupsOf(LoopRole::Column);
    if (isAcross) {
      result.row = take(rows, *lane);
      result.column = takeLargest(columns);
      if (result.column.empty())
        return std::nullopt;
    } else if (lane) {
      result.column = take(roles[*lane] == LoopRole::Batch ? batch : columns, *lane);
    }
    if (lane && roles[*lane] == LoopRole::Batch && largest(columns) > largest(rows)) {
      result.isSwapped = true;
      std::swap(rows, columns);
    }
    if (!isAcross)
      result.row = takeLargest(rows);
    result.outerDepth = groupsOf(LoopRole::Depth);
    result.depth = result.outerDepth.empty() ? Group{} : result.outerDepth.pop_back_val();
    for (auto &rest : {batch, rows, columns})
      llvm::append_range(result.outer, rest);
    return std::move(result);
  }

private:
  /// Orders loops as they are in the result's memory.
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

  /// Joins neighboring loops where every operand allows it. Depth loops keep the contraction's
  /// order; others are in the order of the result's memory. Loops of size 1 are dropped.
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
                        [&](const Access &access) { return areOne(access, outer, inner, sizes); });
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
  bool isAcross;
  LoopGroups result;
};

} // namespace

int64_t Access::strideOf(unsigned loop) const {
  SmallVector<int64_t> strides = stridesOf(type);
  int64_t total = 0;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t coefficient = core::coefficientsOf(expr, map.getNumDims())[loop];
    if (coefficient && ShapedType::isDynamic(strides[dim]))
      return ShapedType::kDynamic;
    total += coefficient ? coefficient * strides[dim] : 0;
  }
  return total;
}

bool Access::isDenseAlong(unsigned loop) const {
  return strideOf(loop) == 1;
}

bool schedule::areOne(const Access &access, ArrayRef<unsigned> loops, ArrayRef<int64_t> sizes) {
  for (unsigned i = 1; i < loops.size(); ++i)
    if (!::areOne(access, loops[i - 1], loops[i], sizes))
      return false;
  return true;
}

std::optional<LoopGroups> schedule::groupLoops(const core::Contraction &contraction,
                                               ArrayRef<Access> accesses, bool isAcross) {
  SmallVector<int64_t> sizes = loopSizesOf(accesses);
  return Grouping(contraction, accesses, sizes, isAcross).run();
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
