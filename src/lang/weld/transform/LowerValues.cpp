/// Bytes, C functions, assertions.
#include "core/Attributes.h"
#include "lang/weld/transform/CoreLowering.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

Leaves CoreLowering::lower(ir::SerializeOp op) {
  Type type = op.getOperand().getType();
  Layout bytes = layoutOf(op.getType());
  Value slot = stackSlot(bytes);
  call("tessera_rt_serialize", {},
       {typeTable(describe(type)), spill(type, leaves(op.getOperand())), region,
        site("OutOfMemory"), slot});
  return load(bytes, slot);
}

Leaves CoreLowering::lower(ir::DeserializeOp op) {
  Layout layout = layoutOf(op.getType());
  Value slot = stackSlot(layout);
  call("tessera_rt_deserialize", {},
       {typeTable(describe(op.getType())), spill(op.getBytes().getType(), leaves(op.getBytes())),
        region, site("DeserializationError"), slot});
  return load(layout, slot);
}

Leaves CoreLowering::lower(ir::AssertOp op) {
  Value condition = leaf(op.getCondition());
  Value one = arith::ConstantIntOp::create(b, loc, 1, 1);
  trapIf(make<arith::XOrIOp>(condition, one), "AssertionError: the condition is false", {});
  return {condition};
}

static bool holdsVectors(Type type) {
  auto fields = dyn_cast<ir::StructType>(type);
  return isa<ir::VecType>(type) || (fields && llvm::any_of(fields.getFields(), holdsVectors));
}

/// void callee(T1 *, ..., Tn *, R *)
Leaves CoreLowering::lower(ir::CudfOp op) {
  SmallVector<Value> arguments;
  for (Value argument : op.getArguments())
    arguments.push_back(spill(argument.getType(), leaves(argument)));
  Layout layout = layoutOf(op.getResult().getType());
  arguments.push_back(stackSlot(layout));
  call(op.getCallee(), {}, arguments);
  target->setAttr(core::callsOutAttr, b.getUnitAttr());
  Type type = op.getResult().getType();
  if (holdsVectors(type))
    call("tessera_rt_check_result", {},
         {typeTable(describe(type)), arguments.back(),
          site(("InvalidResult of `" + op.getCallee() + "`").str())});
  return load(layout, arguments.back());
}
