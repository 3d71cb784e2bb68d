#include "lang/tinytc/ir/Raise.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::ir;
using llvm::SmallVector;

//===-- Regions -----------------------------------------------------------===//

/// A terminator without values has no source text.
tinytc::Region *Raising::body(mlir::Region &region) {
  SmallVector<Inst *> insts;
  for (mlir::Operation &op : region.front())
    if (!op.hasTrait<mlir::OpTrait::IsTerminator>() || op.getNumOperands() > 0)
      insts.push_back(raiseInst(op));
  tinytc::Region result;
  result.body = program.keep<Inst *>(insts);
  return program.make(result);
}

tinytc::Region *Raising::scopedBody(mlir::Region &region) {
  names->enter();
  tinytc::Region *result = body(region);
  names->leave();
  return result;
}

/// Names of results are not visible in regions, which may reuse them.
Inst *Raising::raiseInst(mlir::Operation &op) {
  Inst *inst = program.make(Inst{{}, {}, raiseNode(op)});
  inst->results = define(op.getResults(), op.getLoc());
  return inst;
}

Raising::Node Raising::raiseNode(mlir::Operation &op) {
  return llvm::TypeSwitch<mlir::Operation *, Node>(&op)
      .Case<AllocaOp, LifetimeStopOp, ParallelOp, ForeachOp, ForOp, IfOp, YieldOp, BarrierOp,
            ConstantOp, ir::BinaryOp, ir::UnaryOp, ir::CompareOp, CastOp, BuiltinOp, SubviewOp,
            ExpandOp, FuseOp, SizeOp, LoadOp, StoreOp, CoopLoadOp, CoopStoreOp, CoopMulAddOp,
            CoopScaleOp, BroadcastOp, ir::SubgroupOp, ir::BlasOp>(
          [&](auto each) { return node(each); })
      .Default([](mlir::Operation *) { return Broken(); });
}

//===-- Collective operations and control ---------------------------------===//

Raising::Node Raising::node(AllocaOp op) {
  mlir::Builder builder(op.getContext());
  Alloca result{nullptr, typeRef(op.getType())};
  if (op.getAlignmentAttr())
    result.attributes = dictionary(builder.getNamedAttr("alignment", op.getAlignmentAttr()));
  return result;
}

Raising::Node Raising::node(LifetimeStopOp op) {
  return LifetimeStop{use(op.getOperand())};
}

static tinytc::BlasOp blasOf(ir::BlasOp op) {
  return llvm::TypeSwitch<mlir::Operation *, tinytc::BlasOp>(op)
#define TINYTC_BLAS(name, text, transposes, inputs)                                                \
  .Case<name##Op>([](auto) { return tinytc::BlasOp::name; })
#include "lang/tinytc/Operators.def"
      ;
}

Raising::Node Raising::node(ir::BlasOp op) {
  Blas blas{blasOf(op)};
  for (auto [index, isTransposed] : llvm::enumerate(op.getTransposes()))
    blas.isTransposed[index] = isTransposed;
  if (auto cumsum = mlir::dyn_cast<CumsumOp>(op.getOperation()))
    blas.mode.value = cumsum.getMode();
  blas.isAtomic = op.getAtomic();
  blas.alpha = use(op.getAlpha());
  blas.beta = use(op.getBeta());
  blas.output = use(op.getOutput());
  SmallVector<mlir::Value> inputs;
  llvm::append_range(inputs, op.getInputs());
  blas.inputs = uses(inputs);
  return blas;
}

Raising::Node Raising::node(ParallelOp op) {
  return Parallel{scopedBody(op.getBody())};
}

Raising::Node Raising::node(ForeachOp op) {
  Foreach loop;
  loop.from = uses(op.getFrom());
  loop.to = uses(op.getTo());
  names->enter();
  loop.variables = defineArguments(op.getBody().front());
  loop.type = typeRef(op.getFrom().front().getType());
  loop.body = body(op.getBody());
  names->leave();
  return loop;
}

/// Numbers that stand for booleans become booleans.
static mlir::Attribute unrollOf(ForOp op) {
  mlir::Builder builder(op.getContext());
  int64_t unroll = *op.getUnroll();
  return unroll > 0 ? mlir::Attribute(op.getUnrollAttr()) : builder.getBoolAttr(unroll == 0);
}

Raising::Node Raising::node(ForOp op) {
  For loop;
  loop.from = use(op.getFrom());
  loop.to = use(op.getTo());
  if (op.getStep())
    loop.step = use(op.getStep());
  llvm::MutableArrayRef<Operand> initials = uses(op.getInitials());
  names->enter();
  llvm::ArrayRef<Value *> variables = defineArguments(op.getBody().front());
  loop.variable = variables.front();
  loop.type = typeRef(op.getFrom().getType());
  SmallVector<Carried> carried;
  for (auto [value, initial] : llvm::zip_equal(variables.drop_front(), initials))
    carried.push_back({value, initial});
  loop.carried = program.keep<Carried>(carried);
  loop.types = typeRefs(op.getResultTypes());
  loop.body = body(op.getBody());
  names->leave();
  mlir::Builder builder(op.getContext());
  if (op.getUnroll())
    loop.attributes = dictionary(builder.getNamedAttr("unroll", unrollOf(op)));
  return loop;
}

Raising::Node Raising::node(IfOp op) {
  If branch;
  branch.condition = use(op.getCondition());
  branch.types = typeRefs(op.getResultTypes());
  branch.thenRegion = scopedBody(op.getThenRegion());
  branch.elseRegion = op.hasElse() ? scopedBody(op.getElseRegion()) : nullptr;
  return branch;
}

Raising::Node Raising::node(YieldOp op) {
  return Yield{uses(op.getValues())};
}

Raising::Node Raising::node(BarrierOp op) {
  return Barrier{op.getGlobal(), op.getLocal()};
}

//===-- Values ------------------------------------------------------------===//

Raising::Node Raising::node(ConstantOp op) {
  return Constant{literal(op.getValue()), {}, typeRef(op.getType())};
}

Raising::Node Raising::node(ir::BinaryOp op) {
  return tinytc::Binary{static_cast<tinytc::BinaryOp>(op.getFunction()), use(op.getLhs()),
                        use(op.getRhs()), typeRef(op.getType())};
}

Raising::Node Raising::node(ir::UnaryOp op) {
  return tinytc::Unary{static_cast<tinytc::UnaryOp>(op.getFunction()), use(op.getOperand()),
                       typeRef(op.getType())};
}

Raising::Node Raising::node(ir::CompareOp op) {
  return tinytc::Compare{static_cast<tinytc::CompareOp>(op.getFunction()), use(op.getLhs()),
                         use(op.getRhs()), typeRef(op.getType())};
}

Raising::Node Raising::node(CastOp op) {
  return Cast{use(op.getOperand()), typeRef(op.getType())};
}

Raising::Node Raising::node(BuiltinOp op) {
  return tinytc::Builtin{static_cast<tinytc::Builtin::Kind>(op.getKind()),
                         static_cast<tinytc::Builtin::Axis>(op.getAxis()), typeRef(op.getType())};
}

//===-- Memory ------------------------------------------------------------===//

Raising::Node Raising::node(SubviewOp op) {
  SmallVector<Slice> slices;
  for (auto [mode, offset, size] : llvm::enumerate(op.mixedOffsets(), op.mixedSizes())) {
    Slice slice;
    slice.offset = useMixed(offset);
    if (op.keepsMode(mode))
      slice.size = useMixed(size);
    slices.push_back(slice);
  }
  return Subview{use(op.getOperand()), program.keep<Slice>(slices), typeRef(op.getType())};
}

Raising::Node Raising::node(ExpandOp op) {
  SmallVector<Operand> factors;
  for (mlir::OpFoldResult factor : op.mixedFactors())
    factors.push_back(useMixed(factor));
  return Expand{use(op.getOperand()),
                {int64_t(op.getMode())},
                program.keep<Operand>(factors),
                typeRef(op.getType())};
}

Raising::Node Raising::node(FuseOp op) {
  return Fuse{
      use(op.getOperand()), {int64_t(op.getFrom())}, {int64_t(op.getTo())}, typeRef(op.getType())};
}

Raising::Node Raising::node(SizeOp op) {
  return Size{use(op.getOperand()), {int64_t(op.getMode())}, typeRef(op.getType())};
}

Raising::Node Raising::node(LoadOp op) {
  return Load{use(op.getOperand()), uses(op.getIndices()), typeRef(op.getType())};
}

Raising::Node Raising::node(StoreOp op) {
  Store store{static_cast<tinytc::StoreFlag>(op.getFlag()), use(op.getValue()), use(op.getTarget()),
              uses(op.getIndices()), std::nullopt};
  if (op.getBefore())
    store.type = typeRef(op.getBefore().getType());
  return store;
}

//===-- Subgroups ---------------------------------------------------------===//

Raising::Node Raising::node(CoopLoadOp op) {
  return CoopLoad{op.getTransposed(),  static_cast<CheckedFlag>(op.getChecked()),
                  use(op.getSource()), use(op.getRow()),
                  use(op.getColumn()), typeRef(op.getType())};
}

Raising::Node Raising::node(CoopStoreOp op) {
  CoopStore store{op.getTransposed(),
                  static_cast<CheckedFlag>(op.getChecked()),
                  static_cast<tinytc::StoreFlag>(op.getFlag()),
                  use(op.getMatrix()),
                  use(op.getTarget()),
                  use(op.getRow()),
                  use(op.getColumn()),
                  std::nullopt};
  if (op.getBefore())
    store.type = typeRef(op.getBefore().getType());
  return store;
}

Raising::Node Raising::node(CoopMulAddOp op) {
  return CoopMulAdd{use(op.getA()), use(op.getB()), use(op.getC()), typeRef(op.getType())};
}

Raising::Node Raising::node(CoopScaleOp op) {
  return CoopScale{use(op.getScalar()), use(op.getMatrix()), typeRef(op.getType())};
}

Raising::Node Raising::node(BroadcastOp op) {
  return Broadcast{use(op.getValue()), use(op.getLane()), typeRef(op.getType())};
}

Raising::Node Raising::node(ir::SubgroupOp op) {
  return tinytc::SubgroupOp{static_cast<tinytc::SubgroupOp::Op>(op.getFunction()),
                            static_cast<tinytc::SubgroupOp::Form>(op.getForm()),
                            use(op.getOperand()), typeRef(op.getType())};
}
