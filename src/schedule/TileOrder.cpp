#include "schedule/TileOrder.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::schedule;
using core::LoopRole;

Tiles schedule::tilesFor(const core::Contraction &contraction, ArrayRef<Access> accesses) {
  auto elementOf = [&](core::Operand operand) { return accesses[operand].type.getElementType(); };
  Type lhs = elementOf(core::Lhs), sum = elementOf(core::Result);
  if (lhs != elementOf(core::Rhs) || !contraction.isReorderable)
    return Tiles::None;
  if (lhs.isBF16() && sum.isF32())
    return Tiles::Bfloat;
  return lhs.isInteger(8) && sum.isInteger(32) ? Tiles::Byte : Tiles::None;
}

namespace {

/// Classifies loops by their role and by how they index the operands.
class TileLoops {
public:
  TileLoops(const core::Contraction &contraction, ArrayRef<Access> accesses, bool isSwapped)
      : roles(contraction.roles), lhs(accesses[isSwapped ? core::Rhs : core::Lhs]),
        rhs(accesses[isSwapped ? core::Lhs : core::Rhs]), result(accesses[core::Result]),
        sizes(loopSizesOf(accesses)), isSwapped(isSwapped),
        group(tileGroupBytes * 8 / lhs.type.getElementTypeBitWidth()) {}

  std::optional<LoopGroups> run() {
    auto inGroup = take(LoopRole::Depth, group, [&](unsigned loop) {
      return lhs.strideOf(loop) == 1 && rhs.strideOf(loop) == 1;
    });
    auto line =
        take(LoopRole::Depth, tileSide, [&](unsigned loop) { return lhs.strideOf(loop) == group; });
    auto column = take(columnRole(), tileSide, [&](unsigned loop) {
      return rhs.strideOf(loop) == group && result.strideOf(loop) == 1;
    });
    auto row = take(rowRole(), tileSide, [&](unsigned loop) { return loop == nearestRow(); });
    if (!inGroup || !line || !column || !row)
      return std::nullopt;
    LoopGroups groups;
    groups.isSwapped = isSwapped;
    groups.isInTileOrder = true;
    groups.row = {*row}, groups.column = {*column}, groups.depth = {*inGroup};
    Group rows = takeLast(rowRole()), columns = takeLast(columnRole()),
          depth = takeLast(LoopRole::Depth);
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (!isTaken(loop))
        (roles[loop] == LoopRole::Depth ? groups.outerDepth : groups.outer).push_back({loop});
    groups.outer.append({rows, columns});
    groups.outerDepth.append({depth, Group{*line}});
    return groups;
  }

private:
  LoopRole rowRole() const { return isSwapped ? LoopRole::Column : LoopRole::Row; }
  LoopRole columnRole() const { return isSwapped ? LoopRole::Row : LoopRole::Column; }

  /// Loops of size 1 count as taken.
  bool isTaken(unsigned loop) const { return sizes[loop] == 1 || llvm::is_contained(taken, loop); }

  std::optional<unsigned> take(LoopRole role, int64_t size,
                               llvm::function_ref<bool(unsigned)> fits) {
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (roles[loop] == role && sizes[loop] == size && !isTaken(loop) && fits(loop)) {
        taken.push_back(loop);
        return loop;
      }
    return std::nullopt;
  }

  Group takeLast(LoopRole role) {
    for (unsigned loop = sizes.size(); loop-- > 0;)
      if (roles[loop] == role && !isTaken(loop)) {
        taken.push_back(loop);
        return {loop};
      }
    return {};
  }

  /// The row loop within a tile. Any distance between rows is allowed; the smallest is best.
  std::optional<unsigned> nearestRow() const {
    std::optional<unsigned> nearest;
    auto distance = [&](unsigned loop) { return uint64_t(lhs.strideOf(loop)); };
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (roles[loop] == rowRole() && sizes[loop] == tileSide)
        if (!nearest || distance(loop) < distance(*nearest))
          nearest = loop;
    return nearest;
  }

  ArrayRef<LoopRole> roles;
  const Access &lhs, &rhs, &result;
  SmallVector<int64_t> sizes;
  bool isSwapped;
  int64_t group;
  SmallVector<unsigned> taken;
};

} // namespace

std::optional<LoopGroups> schedule::groupInTileOrder(const core::Contraction &contraction,
                                                     ArrayRef<Access> accesses) {
  if (contraction.hasWindows || tilesFor(contraction, accesses) == Tiles::None)
    return std::nullopt;
  auto groups = TileLoops(contraction, accesses, /*isSwapped=*/false).run();
  return groups ? groups : TileLoops(contraction, accesses, /*isSwapped=*/true).run();
}
