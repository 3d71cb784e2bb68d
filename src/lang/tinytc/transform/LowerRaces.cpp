/// Races on local memory and reads of uninitialised local memory, for --checked: the runtime
/// records the accesses of each group. Accesses by a subgroup as a whole are not races among its
/// work-items.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

static constexpr StringLiteral rule = "tinytc.checked.9", unwrittenRule = "tinytc.checked.12";

/// The size that divides the position of every element of all allocations.
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

/// Called at the beginning of a region, and where all have waited.
void CoreLowering::orderAccesses(bool arePoints) {
  if (accesses)
    core::callRuntime(b, sites.module, loc, "tessera_rt_accesses_order",
                      {accesses, number(arePoints)});
}

Value CoreLowering::localOffset(Value address) {
  auto asNumber = [&](Value pointer) -> Value {
    return LLVM::PtrToIntOp::create(b, loc, i64, pointer);
  };
  return make<arith::SubIOp>(asNumber(address), asNumber(local));
}

void CoreLowering::noteAccess(const Place &place, Type element, Access access, By who) {
  constexpr int64_t matrix = int64_t(1) << 32; // As in runtime/Generated.h.
  if (!accesses || !place.isLocal)
    return;
  auto note = [&](Value address, Value accessor, Value members = {}) {
    Value offset = localOffset(address);
    touchAt(address, access, accessor);
    core::callRuntime(b, sites.module, loc, "tessera_rt_accesses_note",
                      {accesses, offset, accessor, members ? members : number(-1),
                       number(int64_t(access)), groupId, sites.number(b, {loc, "", rule})});
  };
  bool isTogether = who != By::WorkItem;
  Value subgroup = make<arith::XOrIOp>(subgroupId, number(who == By::Matrix ? ~matrix : -1));
  Value first = firstPoint ? firstPoint : make<arith::MulIOp>(subgroupId, number(lanes));
  if (who == By::Subgroup && mask) {
    Value bits = LLVM::BitcastOp::create(b, loc, b.getIntegerType(lanes), mask);
    return note(place.address, subgroup,
                lanes < 64 ? Value(arith::ExtUIOp::create(b, loc, i64, bits)) : bits);
  }
  if (isTogether && !hasLanes(place.address) && !place.step)
    return note(place.address, subgroup);
  Value at = addresses(element, place), active = activeLanes();
  forEach(number(0), number(lanes), number(1), [&](Value lane) {
    when(LLVM::ExtractElementOp::create(b, loc, active, lane), [&] {
      note(LLVM::ExtractElementOp::create(b, loc, at, lane),
           isTogether ? subgroup : make<arith::AddIOp>(first, lane));
    });
  });
}

//===-- Uninitialised memory ----------------------------------------------===//

void CoreLowering::beginMemory(ir::AllocaOp op) {
  int64_t bytes = *op.getType().extent() * ir::bytesOf(op.getType().getElement());
  if (accesses)
    core::callRuntime(b, sites.module, loc, "tessera_rt_accesses_begin",
                      {accesses, number(*op.getOffset()), number(bytes)});
}

/// In collective regions, which have no accessor, the whole group accesses the memory.
void CoreLowering::touchAt(Value address, Access access, Value accessor) {
  constexpr int64_t group = INT64_MIN; // As in runtime/Generated.h.
  core::callRuntime(b, sites.module, loc, "tessera_rt_accesses_touch",
                    {accesses, localOffset(address), accessor ? accessor : number(group),
                     number(int64_t(access)), groupId, sites.number(b, {loc, "", unwrittenRule})});
}

void CoreLowering::touch(const Tensor &tensor, Access access) {
  if (!accesses || !tensor.type.isLocal())
    return;
  auto touchFrom = [&](auto &self, Value address, size_t mode) -> void {
    if (mode == tensor.sizes.size())
      return touchAt(address, access);
    forEach(number(0), tensor.sizes[mode], number(1), [&](Value at) {
      Value offset = make<arith::MulIOp>(at, tensor.strides[mode]);
      self(self, pointerAt(tensor.type.getElement(), address, offset), mode + 1);
    });
  };
  touchFrom(touchFrom, tensor.pointer, 0);
}

/// A factor that is known only at run time is not tested for zero, so the output does not count as
/// read then.
void CoreLowering::noteOperands(ir::BlasOp op) {
  for (Value input : op.getInputs())
    touch(tensor(input), Access::Read);
  bool isRead = op.getBeta().getDefiningOp<ir::ConstantOp>() && !ir::isConstant(op.getBeta(), 0);
  if (isRead)
    touch(tensor(op.getOutput()), Access::Read);
  touch(tensor(op.getOutput()), Access::Write);
}
