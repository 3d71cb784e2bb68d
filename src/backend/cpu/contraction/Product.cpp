#include "backend/cpu/contraction/Product.h"
#include "backend/cpu/Passes.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::cpu;

Type View::element() const {
  return cast<MemRefType>(memory.getType()).getElementType();
}

bool View::isDense(Axis axis) const {
  return strides[axis] && constantOf(strides[axis]) == 1;
}

View View::from(KernelBuilder &b, unsigned axis, Value i) const {
  View moved = *this;
  if (strides[axis])
    moved.offset = add(b, offset, multiply(b, i, strides[axis]));
  return moved;
}

static void forEachOf(View &view, llvm::function_ref<void(Value &)> change) {
  change(view.memory);
  change(view.offset);
  for (Value &stride : view.strides)
    if (stride)
      change(stride);
}

static void forEachOf(ElementBody &body, llvm::function_ref<void(Value &)> change) {
  for (ElementBody::Input &input : body.inputs) {
    if (input.view)
      forEachOf(*input.view, change);
    if (input.scalar)
      change(input.scalar);
  }
  for (auto &[outside, here] : body.captured)
    change(here);
}

void Product::forEachValue(llvm::function_ref<void(Value &)> change) {
  for (Value &size : sizes)
    change(size);
  for (View *view : {&lhs, &rhs, &result})
    forEachOf(*view, change);
  forEachOf(start, change);
  forEachOf(finish, change);
  if (finish)
    forEachOf(output, change);
  if (streams)
    change(streams);
}

static void describe(const View &view, llvm::raw_ostream &out) {
  out << 'w' << int(view.widening) << view.isDepthFlat;
  for (Value stride : view.strides)
    out << (stride ? '1' : '0');
}

/// Prints the operations of a body, with operands by number: bodies with equal text compute the
/// same.
static void describe(const ElementBody &body, llvm::raw_ostream &out) {
  if (!body)
    return;
  llvm::DenseMap<Value, unsigned> numbers;
  for (Value argument : body.block->getArguments())
    numbers.try_emplace(argument, numbers.size());
  for (auto [outside, here] : body.captured)
    numbers.try_emplace(outside, numbers.size());
  for (Operation &op : *body.block) {
    out << op.getName() << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      out << ' ' << numbers.lookup(operand);
    for (Value result : op.getResults()) {
      out << ':' << result.getType();
      numbers.try_emplace(result, numbers.size());
    }
    out << ';';
  }
  for (const ElementBody::Input &input : body.inputs) {
    out << (input.isSum ? 's' : input.scalar ? 'c' : 'v');
    if (input.view)
      describe(*input.view, out);
  }
}

std::string Product::structure() const {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << int(accumulation) << 'o' << numOuter << 'd' << dropsSums << 's' << bool(streams);
  for (const View *view : {&lhs, &rhs, &result})
    describe(*view, out);
  out << '>';
  describe(start, out);
  out << '>';
  describe(finish, out);
  if (finish)
    describe(output, out);
  return text;
}

static void move(KernelBuilder &b, View &view, unsigned axis, Value i) {
  view = view.from(b, axis, i);
}

static void move(KernelBuilder &b, ElementBody &body, unsigned axis, Value i) {
  for (ElementBody::Input &input : body.inputs)
    if (input.view)
      move(b, *input.view, axis, i);
}

SmallVector<unsigned> Product::depthAxes() const {
  SmallVector<unsigned> axes;
  for (unsigned axis = Outer + numOuter; axis < sizes.size(); ++axis)
    axes.push_back(axis);
  axes.push_back(Depth);
  return axes;
}

Product Product::part(KernelBuilder &b, unsigned axis, Value begin, Value size) const {
  Product part = from(b, axis, begin);
  part.sizes[axis] = size;
  return part;
}

Product Product::from(KernelBuilder &b, unsigned axis, Value i) const {
  Product moved = *this;
  for (View *view : {&moved.lhs, &moved.rhs, &moved.result})
    move(b, *view, axis, i);
  move(b, moved.start, axis, i);
  move(b, moved.finish, axis, i);
  if (finish)
    move(b, moved.output, axis, i);
  return moved;
}

/// The whole memory block of a buffer, from its start and with unlimited length.
static Value flatten(KernelBuilder &b, Value base, Type element) {
  auto flat = MemRefType::get({ShapedType::kDynamic}, element);
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  return memref::ReinterpretCastOp::create(b, flat, base, zero,
                                           OpFoldResult(index(b, int64_t(1) << 60)), one);
}

static Value valueOf(KernelBuilder &b, OpFoldResult number) {
  return getValueOrCreateConstantIndexOp(b, b.getLoc(), number);
}

/// The distance in memory for the given steps in each dimension.
static Value distance(KernelBuilder &b, ArrayRef<OpFoldResult> strides, ArrayRef<int64_t> steps) {
  Value total = index(b, 0);
  for (auto [stride, step] : llvm::zip(strides, steps))
    if (step)
      total = add(b, total, multiply(b, valueOf(b, stride), step));
  return total;
}

/// The loops of a group step together: the stride of the innermost one is the group's.
View cpu::viewOf(KernelBuilder &b, Value buffer, AffineMap map, ArrayRef<schedule::Group> axes) {
  auto type = cast<MemRefType>(buffer.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  auto stepsOf = [&](unsigned loop) {
    return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
      return core::coefficientsOf(expr, map.getNumDims())[loop];
    });
  };
  View view;
  view.memory = flatten(b, metadata.getBaseBuffer(), type.getElementType());
  view.offset = add(b, valueOf(b, metadata.getConstifiedMixedOffset()),
                    distance(b, strides, stepsOf(map.getNumDims())));
  for (const schedule::Group &axis : axes) {
    bool isUsed = !axis.empty() && map.isFunctionOfDim(axis.back());
    view.strides.push_back(isUsed ? distance(b, strides, stepsOf(axis.back())) : Value());
  }
  return view;
}

SmallVector<schedule::Group> cpu::axesOf(const schedule::LoopGroups &groups) {
  SmallVector<schedule::Group> axes{groups.row, groups.column, groups.depth};
  llvm::append_range(axes, groups.outer);
  llvm::append_range(axes, groups.outerDepth);
  return axes;
}

/// From any operand whose shape determines it.
static Value sizeOfLoop(KernelBuilder &b, linalg::LinalgOp op, unsigned loop) {
  Value size;
  for (OpOperand &operand : op->getOpOperands()) {
    schedule::Access access{cast<ShapedType>(operand.get().getType()),
                            op.getMatchingIndexingMap(&operand)};
    if (std::optional<unsigned> dim = access.dimOf(loop); dim && (!size || !constantOf(size)))
      size = b.createOrFold<memref::DimOp>(operand.get(), *dim);
  }
  return size;
}

Product cpu::productOf(KernelBuilder &b, linalg::LinalgOp op, const core::Contraction &contraction,
                       const schedule::LoopGroups &groups) {
  Product product;
  SmallVector<schedule::Group> axes = axesOf(groups);
  for (const schedule::Group &axis : axes) {
    Value size = index(b, 1);
    for (unsigned loop : axis)
      size = multiply(b, size, sizeOfLoop(b, op, loop));
    product.sizes.push_back(size);
  }
  product.numOuter = groups.outer.size();
  product.accumulation = contraction.accumulation;
  View *views[] = {&product.lhs, &product.rhs, &product.result};
  SmallVector<schedule::Access> accesses = schedule::accessesOf(op);
  SmallVector<int64_t> sizes = schedule::loopSizesOf(accesses);
  schedule::Group depthLoops;
  for (const schedule::Group &axis : ArrayRef(axes).drop_front(Outer + product.numOuter))
    llvm::append_range(depthLoops, axis);
  llvm::append_range(depthLoops, groups.depth);
  for (auto [operand, view, access] : llvm::zip(op->getOpOperands(), views, accesses)) {
    *view = viewOf(b, operand.get(), op.getMatchingIndexingMap(&operand), axes);
    view->isDepthFlat = schedule::areOne(access, depthLoops, sizes);
  }
  product.lhs.widening = contraction.widenings[core::Lhs];
  product.rhs.widening = contraction.widenings[core::Rhs];
  if (groups.isSwapped)
    std::swap(product.lhs, product.rhs);
  return product;
}

Value cpu::widen(KernelBuilder &b, Value value, core::Widening widening, Type target) {
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    target = VectorType::get(vector.getShape(), target);
  switch (widening) {
  case core::Widening::None:
    return value;
  case core::Widening::Float:
    return arith::ExtFOp::create(b, target, value);
  case core::Widening::Signed:
    return arith::ExtSIOp::create(b, target, value);
  case core::Widening::Unsigned:
    return arith::ExtUIOp::create(b, target, value);
  }
  llvm_unreachable("covered switch");
}

/// Fused sums do not use vector.fma, whose llvm.fmuladd LLVM may split.
Value cpu::multiplyAdd(KernelBuilder &b, core::Accumulation accumulation, Value x, Value y,
                       Value sum) {
  switch (accumulation) {
  case core::Accumulation::Fused:
    return math::FmaOp::create(b, x, y, sum);
  case core::Accumulation::Separate:
    return arith::AddFOp::create(b, sum, arith::MulFOp::create(b, x, y));
  case core::Accumulation::Integer:
    return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, x, y));
  }
  llvm_unreachable("covered switch");
}
