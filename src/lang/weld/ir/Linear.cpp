#include "lang/weld/ir/Linear.h"
#include "lang/weld/ir/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include <set>

using namespace mlir;
using namespace tessera::weld;
using namespace tessera::weld::ir;

namespace {

/// The uses of one builder, or of one field of a struct of builders.
class Uses {
public:
  explicit Uses(Value value) : value(value) {}

  /// The branches of an `if` are different paths; the bodies of loops and comparators may run
  /// again.
  LogicalResult add(Operation *user) {
    Operation *top = user;
    while (true) {
      Block *block = top->getBlock();
      auto [found, isFirst] = users.try_emplace(block, top);
      if (!isFirst)
        return top != user && found->second == top ? success() : repeated(user, found->second);
      if (block == value.getParentBlock())
        return success();
      top = block->getParentOp();
      if (!isa<IfOp>(top))
        return user->emitOpError("uses a builder from outside ") << top->getName();
    }
  }

private:
  LogicalResult repeated(Operation *user, Operation *earlier) {
    InFlightDiagnostic error = user->emitOpError("uses a builder again");
    error.attachNote(earlier->getLoc()) << "it is used here";
    return error;
  }

  Value value;
  llvm::SmallDenseMap<Block *, Operation *, 4> users; ///< Or the branches that contain them.
};

} // namespace

/// `weld.field` uses one field of a struct of builders; other operations use all fields.
static LogicalResult verifyStruct(Value value, StructType type) {
  SmallVector<Uses> fields(type.getFields().size(), Uses(value));
  for (Operation *user : value.getUsers()) {
    auto field = dyn_cast<FieldOp>(user);
    for (auto [index, uses] : llvm::enumerate(fields))
      if ((!field || field.getIndex() == index) && failed(uses.add(user)))
        return failure();
  }
  return success();
}

static LogicalResult verifyUses(Value value) {
  if (!isBuilderLike(value.getType()))
    return success();
  if (auto type = dyn_cast<StructType>(value.getType()))
    return verifyStruct(value, type);
  Uses uses(value);
  for (Operation *user : value.getUsers())
    if (failed(uses.add(user)))
      return failure();
  return success();
}

LogicalResult ir::verifyLinear(Operation *op) {
  for (Value result : op->getResults())
    if (failed(verifyUses(result)))
      return failure();
  for (Region &region : op->getRegions())
    for (Value argument : region.getArguments())
      if (failed(verifyUses(argument)))
        return failure();
  return success();
}

namespace {

/// A builder, or a field of a struct of builders.
struct Place {
  Value value;
  SmallVector<int64_t> path; ///< The outermost field last.

  bool operator<(const Place &other) const {
    return std::pair(value.getAsOpaquePointer(), path) <
           std::pair(other.value.getAsOpaquePointer(), other.path);
  }
};

/// The builders that a builder comes from; empty if it is new.
SmallVector<Place> originsOf(const Place &place) {
  auto at = [&](Value value) { return Place{value, place.path}; };
  auto result = dyn_cast<OpResult>(place.value);
  if (!result)
    return {};
  unsigned number = result.getResultNumber();
  return TypeSwitch<Operation *, SmallVector<Place>>(result.getOwner())
      .Case([&](MergeOp op) { return SmallVector<Place>{at(op.getTarget())}; })
      .Case([&](ForOp op) { return SmallVector<Place>{at(op.getBuilders()[number])}; })
      .Case([&](IterateOp op) { return SmallVector<Place>{at(op.getInitial())}; })
      .Case([&](IfOp op) {
        return SmallVector<Place>{at(op.thenYield().getValues()[number]),
                                  at(op.elseYield().getValues()[number])};
      })
      .Case([&](FieldOp op) {
        Place outer = at(op.getOperand());
        outer.path.push_back(op.getIndex());
        return SmallVector<Place>{outer};
      })
      .Case([&](MakeStructOp op) {
        if (place.path.empty())
          return SmallVector<Place>();
        Place inner = at(op.getFields()[place.path.back()]);
        inner.path.pop_back();
        return SmallVector<Place>{inner};
      })
      .Default([](Operation *) { return SmallVector<Place>(); });
}

} // namespace

bool ir::isDerivedFrom(Value yielded, Value builder) {
  SmallVector<Place> waiting{{yielded, {}}};
  std::set<Place> seen;
  while (!waiting.empty()) {
    Place place = waiting.pop_back_val();
    if (!seen.insert(place).second || (place.value == builder && place.path.empty()))
      continue;
    SmallVector<Place> origins = originsOf(place);
    if (origins.empty())
      return false;
    llvm::append_range(waiting, origins);
  }
  return true;
}
