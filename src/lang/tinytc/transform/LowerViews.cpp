/// Views: other sizes and strides of the same memory, no copies.
#include "lang/tinytc/transform/CoreLowering.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;

Tensor CoreLowering::tensor(Value memref) {
  auto type = cast<ir::MemrefType>(memref.getType());
  Leaves all = leaves(memref);
  ArrayRef<Value> rest = ArrayRef(all).drop_front();
  auto take = [&](int64_t known) -> Value {
    if (known != ir::dynamic)
      return number(known);
    Value next = rest.front();
    rest = rest.drop_front();
    return next;
  };
  Tensor tensor{type, all[0], {}, {}};
  for (int64_t size : type.getShape())
    tensor.sizes.push_back(take(size));
  for (int64_t stride : type.getStrides())
    tensor.strides.push_back(take(stride));
  return tensor;
}

/// The sizes and strides that the type leaves open.
Leaves CoreLowering::leavesOf(const Tensor &tensor) {
  Leaves all{tensor.pointer};
  for (auto [size, known] : llvm::zip_equal(tensor.sizes, tensor.type.getShape()))
    if (known == ir::dynamic)
      all.push_back(size);
  for (auto [stride, known] : llvm::zip_equal(tensor.strides, tensor.type.getStrides()))
    if (known == ir::dynamic)
      all.push_back(stride);
  return all;
}

Value CoreLowering::mixed(OpFoldResult value) {
  if (auto known = dyn_cast<Attribute>(value))
    return number(cast<IntegerAttr>(known).getInt());
  return leaves(cast<Value>(value))[0];
}

/// Makes the leaves of a varying value vectors, even if its operands are not.
static void spread(Leaves &leaves, llvm::function_ref<Value(Value)> inLanes) {
  for (Value &leaf : leaves)
    leaf = inLanes(leaf);
}

Leaves CoreLowering::lower(ir::SubviewOp op) {
  Tensor from = tensor(op.getOperand()), to{op.getResult().getType(), from.pointer, {}, {}};
  Value offset = number(0);
  for (auto [mode, begin] : llvm::enumerate(op.mixedOffsets()))
    offset = make<arith::AddIOp>(offset, make<arith::MulIOp>(mixed(begin), from.strides[mode]));
  to.pointer = pointerAt(from.type.getElement(), from.pointer, offset);
  SmallVector<OpFoldResult> sizes = op.mixedSizes();
  for (int64_t mode : op.keptModes()) {
    to.sizes.push_back(mixed(sizes[mode]));
    to.strides.push_back(from.strides[mode]);
  }
  Leaves all = leavesOf(to);
  if (lanes && isVarying(op.getResult()))
    spread(all, [&](Value leaf) { return inLanes(leaf); });
  return all;
}

Leaves CoreLowering::lower(ir::ExpandOp op) {
  Tensor from = tensor(op.getOperand()), to{op.getResult().getType(), from.pointer, {}, {}};
  for (int64_t mode = 0; mode < from.type.order(); ++mode) {
    if (mode != int64_t(op.getMode())) {
      to.sizes.push_back(from.sizes[mode]);
      to.strides.push_back(from.strides[mode]);
      continue;
    }
    Value stride = from.strides[mode];
    for (OpFoldResult factor : op.mixedFactors()) {
      to.sizes.push_back(mixed(factor));
      to.strides.push_back(stride);
      stride = make<arith::MulIOp>(stride, to.sizes.back());
    }
  }
  Leaves all = leavesOf(to);
  if (lanes && isVarying(op.getResult()))
    spread(all, [&](Value leaf) { return inLanes(leaf); });
  return all;
}

Leaves CoreLowering::lower(ir::FuseOp op) {
  Tensor from = tensor(op.getOperand()), to{op.getResult().getType(), from.pointer, {}, {}};
  for (int64_t mode = 0; mode < from.type.order(); ++mode) {
    if (mode > int64_t(op.getFrom()) && mode <= int64_t(op.getTo())) {
      to.sizes.back() = make<arith::MulIOp>(to.sizes.back(), from.sizes[mode]);
      continue;
    }
    to.sizes.push_back(from.sizes[mode]);
    to.strides.push_back(from.strides[mode]);
  }
  Leaves all = leavesOf(to);
  if (lanes && isVarying(op.getResult()))
    spread(all, [&](Value leaf) { return inLanes(leaf); });
  return all;
}

Leaves CoreLowering::lower(ir::SizeOp op) {
  if (isa<ir::MemrefType>(op.getOperand().getType()))
    return {tensor(op.getOperand()).sizes[op.getMode()]};
  auto group = cast<ir::GroupType>(op.getOperand().getType());
  if (group.getSize() != ir::dynamic)
    return {number(group.getSize())};
  Leaves all = leaves(op.getOperand());
  return {all[all.size() - (group.getOffset() == ir::dynamic ? 2 : 1)]};
}
