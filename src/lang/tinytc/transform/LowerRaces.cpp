/// Races on local memory, for --checked: the runtime has a record of the accesses of each group.
/// What a subgroup does as a whole is no race among its work-items.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

static constexpr StringLiteral rule = "tinytc.checked.9";

/// Elements of all allocations stand at multiples of it.
static int64_t smallestElement(func::FuncOp kernel) {
  int64_t bytes = 16;
  kernel.walk([&](ir::AllocaOp op) {
    bytes = std::min<int64_t>(bytes, ir::bytesOf(op.getResult().getType().getElement()));
  });
  return bytes;
}

void CoreLowering::beginAccesses(int64_t bytes) {
  SmallVector<Value> arguments{number(bytes), number(smallestElement(source)),
                               number(ir::subgroupSizeOf(source)),
                               sites.number(b, {loc, "", rule})};
  StringRef name = "tessera_rt_accesses_create";
  auto type = b.getFunctionType(ValueRange(arguments).getTypes(), pointerType);
  core::declareRuntime(sites.module, name, type);
  accesses = func::CallOp::create(b, loc, name, pointerType, arguments).getResult(0);
}

CoreLowering::Access CoreLowering::accessOf(ir::StoreFlag flag) {
  switch (flag) {
  case ir::StoreFlag::Atomic:
    return Access::AtomicWrite;
  case ir::StoreFlag::AtomicAdd:
    return Access::Add;
  default:
    return Access::Write;
  }
}

/// At the beginning of a region, and where all have waited.
void CoreLowering::orderAccesses(bool arePoints) {
  if (accesses)
    core::callRuntime(b, sites.module, loc, "tessera_rt_accesses_order",
                      {accesses, number(arePoints)});
}

/// `isTogether`: by the subgroup as a whole.
void CoreLowering::noteAccess(const Place &place, Type element, Access access, bool isTogether) {
  if (!accesses || !place.isLocal)
    return;
  auto asNumber = [&](Value pointer) -> Value {
    return LLVM::PtrToIntOp::create(b, loc, i64, pointer);
  };
  auto note = [&](Value address, Value who) {
    Value offset = make<arith::SubIOp>(asNumber(address), asNumber(local));
    core::callRuntime(b, sites.module, loc, "tessera_rt_accesses_note",
                      {accesses, offset, who, number(int64_t(access)), groupId,
                       sites.number(b, {loc, "", rule})});
  };
  Value subgroup = make<arith::XOrIOp>(subgroupId, number(-1));
  if (isTogether && !hasLanes(place.address) && !place.step)
    return note(place.address, subgroup);
  Value first = firstPoint ? firstPoint : make<arith::MulIOp>(subgroupId, number(lanes));
  Value at = addresses(element, place), active = activeLanes();
  forEach(number(0), number(lanes), number(1), [&](Value lane) {
    when(LLVM::ExtractElementOp::create(b, loc, active, lane), [&] {
      note(LLVM::ExtractElementOp::create(b, loc, at, lane),
           isTogether ? subgroup : make<arith::AddIOp>(first, lane));
    });
  });
}
