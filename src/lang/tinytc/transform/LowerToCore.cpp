/// From the dialect to core in buffer form: the function, its arguments, its work-groups, and each
/// operation.
#include "core/Attributes.h"
#include "core/Counted.h"
#include "core/Kernel.h"
#include "lang/tinytc/Device.h"
#include "lang/tinytc/transform/CoreLowering.h"
#include "lang/tinytc/transform/GroupWork.h"
#include "lang/tinytc/transform/Passes.h"
#include "lang/tinytc/transform/ToCore.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::tinytc;
using core::KernelParameter;

CoreLowering::CoreLowering(func::FuncOp source, core::Sites &sites)
    : source(source), sites(sites), isCounted(sites.module->hasAttr(core::countedAttr)),
      isChecked(!isCounted && sites.module->hasAttr(checkedAttr)),
      sharesCollectives(hasManyCollectives(source)), b(source.getContext()), loc(source.getLoc()),
      pointerType(LLVM::LLVMPointerType::get(source.getContext())), i64(b.getI64Type()),
      i1(b.getI1Type()), uniformity(source) {}

//===-- What callers see --------------------------------------------------===//

static SmallVector<int64_t, 4> numbersFor(ArrayRef<int64_t> numbers) {
  return SmallVector<int64_t, 4>(llvm::map_range(numbers, [](int64_t number) {
    return number == ir::dynamic ? KernelParameter::dynamic : number;
  }));
}

static SmallVector<int64_t, 4> divisors(DictionaryAttr attributes, StringRef name) {
  SmallVector<int64_t, 4> all;
  if (auto list = attributes.getAs<ArrayAttr>(name))
    for (Attribute number : list)
      all.push_back(cast<IntegerAttr>(number).getInt());
  return all;
}

static void describeElement(Type type, KernelParameter &parameter) {
  auto complex = dyn_cast<ComplexType>(type);
  parameter.isComplex = bool(complex);
  Type part = complex ? complex.getElementType() : type;
  parameter.element =
      part.isIndex() ? core::ElementType{core::ElementType::Int, 64} : *core::elementOf(part);
}

static void describeMemory(ir::MemrefType type, KernelParameter &parameter) {
  describeElement(type.getElement(), parameter);
  parameter.shape = numbersFor(type.getShape());
  parameter.strides = numbersFor(type.getStrides());
}

static KernelParameter describe(func::FuncOp kernel, unsigned index) {
  KernelParameter parameter;
  Type type = kernel.getArgumentTypes()[index];
  if (auto name = kernel.getArgAttrOfType<StringAttr>(index, core::nameAttr))
    parameter.name = name.str();
  if (auto memref = dyn_cast<ir::MemrefType>(type)) {
    parameter.kind = KernelParameter::Kind::Memref;
    describeMemory(memref, parameter);
  } else if (auto group = dyn_cast<ir::GroupType>(type)) {
    parameter.kind = KernelParameter::Kind::Group;
    describeMemory(group.getMember(), parameter);
    parameter.count = numbersFor(group.getSize())[0];
    parameter.offset = numbersFor(group.getOffset())[0];
  } else {
    describeElement(type, parameter);
  }
  auto promised = kernel.getArgAttrOfType<DictionaryAttr>(index, ir::attributesAttr);
  if (!promised || parameter.kind == KernelParameter::Kind::Scalar)
    return parameter;
  if (auto alignment = promised.getAs<IntegerAttr>("alignment"))
    parameter.alignment = alignment.getInt();
  parameter.shapeDivisors = divisors(promised, "shape_gcd");
  parameter.strideDivisors = divisors(promised, "stride_gcd");
  return parameter;
}

static std::vector<KernelParameter> describe(func::FuncOp kernel) {
  std::vector<KernelParameter> parameters;
  for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
    parameters.push_back(describe(kernel, index));
  return parameters;
}

/// kernel(arguments, launch), both pointers. The name differs from those of all functions that it
/// calls, whatever the source names them.
void CoreLowering::declare(StringAttr name) {
  b.setInsertionPoint(source);
  target = func::FuncOp::create(b, loc, ("entry." + name.getValue()).str(),
                                b.getFunctionType({pointerType, pointerType}, {}));
  b.setInsertionPointToEnd(target.addEntryBlock());
  Attribute entry = source->getAttr(core::entryAttr);
  target->setAttr(core::entryAttr, entry ? entry : name);
  target->setAttr(core::buffersAttr, b.getUnitAttr());
  SmallVector<Attribute> rows;
  for (const KernelParameter &parameter : describe(source))
    rows.push_back(parameter.attribute(b.getContext()));
  target->setAttr(core::kernelAttr, b.getArrayAttr(rows));
}

static Value fieldAt(OpBuilder &b, Location loc, Type fields, Value base,
                     ArrayRef<int32_t> position) {
  SmallVector<LLVM::GEPArg> indices{0};
  indices.append(position.begin(), position.end());
  return LLVM::GEPOp::create(b, loc, base.getType(), fields, base, indices);
}

Leaves CoreLowering::argumentLeaves(Type type, LLVM::LLVMStructType fields, unsigned &next) {
  Leaves all;
  Value arguments = target.getArgument(0);
  if (ir::isComplex(type)) {
    Type part = cast<ComplexType>(type).getElementType();
    for (int32_t number : {0, 1})
      all.push_back(loadScalar(part, fieldAt(b, loc, fields, arguments, {int32_t(next), number})));
    ++next;
    return all;
  }
  for (Type leaf : leafTypes(type)) {
    Type stored = fields.getBody()[next];
    Value loaded = loadScalar(stored, fieldAt(b, loc, fields, arguments, {int32_t(next++)}));
    all.push_back(leaf == stored ? loaded
                                 : compareInts(arith::CmpIPredicate::ne, loaded, fill(stored, 0)));
  }
  return all;
}

void CoreLowering::bindParameters() {
  LLVM::LLVMStructType fields = core::argumentsType(b.getContext(), describe(source));
  unsigned next = 0;
  for (BlockArgument parameter : source.getArguments())
    values[parameter] = argumentLeaves(parameter.getType(), fields, next);
}

//===-- The function ------------------------------------------------------===//

/// One byte if all tensors are empty, because each needs an address.
static int64_t localBytesOf(func::FuncOp kernel) {
  if (!kernel->hasAttr(ir::localBytesAttr))
    transform::planLocalMemory(kernel);
  int64_t bytes = kernel->getAttrOfType<IntegerAttr>(ir::localBytesAttr).getInt();
  kernel.walk([&](ir::AllocaOp) { bytes = std::max<int64_t>(bytes, 1); });
  return bytes;
}

void CoreLowering::run() {
  declare(source.getSymNameAttr());
  bindParameters();
  numGroups = loadScalar(i64, target.getArgument(1));
  int64_t localBytes = localBytesOf(source);
  if (localBytes)
    local = stackSlot(b.getI8Type(), localBytes, device::defaultAlignment);
  Value zero = core::constantIndex(b, loc, 0), one = core::constantIndex(b, loc, 1);
  Value count = arith::IndexCastOp::create(b, loc, b.getIndexType(), numGroups);
  groups = scf::ParallelOp::create(b, loc, zero, count, one);
  groups->setAttr(core::grainAttr, b.getI64IntegerAttr(grainOf(source)));
  Operation *end = func::ReturnOp::create(b, loc);
  b.setInsertionPointToStart(groups.getBody());
  groupId = arith::IndexCastOp::create(b, loc, i64, groups.getInductionVars()[0]);
  if (isChecked && local)
    beginAccesses(localBytes);
  lowerBlock(source.front());
  if (accesses)
    core::callRuntime(b, sites.module, loc, "tessera_rt_accesses_free", accesses);
  b.setInsertionPoint(end);
  source.erase();
}

//===-- Values ------------------------------------------------------------===//

/// LLVM has no vectors of 9, 17, ... bfloats, not even to copy them: such columns are kept as
/// integers.
static Type keptColumn(Type type) {
  auto column = dyn_cast<VectorType>(type);
  bool isBfloat = column && column.getElementType().isBF16();
  return isBfloat ? column.clone(IntegerType::get(type.getContext(), 16)) : type;
}

SmallVector<Type> CoreLowering::leafTypes(Type type) {
  auto numDynamic = [](ArrayRef<int64_t> numbers) {
    return size_t(llvm::count(numbers, ir::dynamic));
  };
  if (type.isIndex())
    return {i64};
  if (auto complex = dyn_cast<ComplexType>(type))
    return {complex.getElementType(), complex.getElementType()};
  SmallVector<Type> all{pointerType};
  if (auto memref = dyn_cast<ir::MemrefType>(type)) {
    all.append(numDynamic(memref.getShape()) + numDynamic(memref.getStrides()), i64);
    return all;
  }
  if (auto group = dyn_cast<ir::GroupType>(type)) {
    ir::MemrefType member = group.getMember();
    all.append(numDynamic(member.getShape()) + numDynamic(member.getStrides()), pointerType);
    all.append(numDynamic(group.getSize()) + numDynamic(group.getOffset()), i64);
    return all;
  }
  if (auto matrix = dyn_cast<ir::CoopMatrixType>(type)) {
    all.clear();
    for (Type part : leafTypes(matrix.getComponent()))
      if (isInMemory(matrix))
        all.push_back(pointerType);
      else
        all.append(matrix.getColumns(), keptColumn(VectorType::get(matrix.getRows(), part)));
    return all;
  }
  return {type};
}

SmallVector<Type> CoreLowering::laneTypes(Value value) {
  SmallVector<Type> types = leafTypes(value.getType());
  if (lanes && isVarying(value))
    for (Type &type : types)
      type = vectorOf(type);
  return types;
}

Leaves CoreLowering::leaves(Value value) {
  auto kept = slots.find(value);
  if (kept == slots.end())
    return values.find(value)->second;
  Leaves loaded;
  for (auto [slot, type] : llvm::zip_equal(kept->second, laneTypes(value)))
    loaded.push_back(isInMemory(value.getType())
                         ? matrixOfSubgroup(value.getType(), slot)
                         : loadScalar(type, pointerAt(type, slot, subgroupId)));
  return loaded;
}

void CoreLowering::bind(ValueRange results, ArrayRef<Value> leaves) {
  for (Value result : results) {
    size_t count = leafTypes(result.getType()).size();
    Leaves own(leaves.take_front(count));
    if (isInMemory(result.getType()))
      own = knownHome(result).value_or(own);
    else if (isa<ir::CoopMatrixType>(result.getType()))
      for (Value &column : own)
        column = reinterpreted(column, keptColumn(column.getType()));
    values[result] = own;
    leaves = leaves.drop_front(count);
  }
}

void CoreLowering::lowerBlock(mlir::Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      lowerOp(op);
}

void CoreLowering::lowerOp(Operation &op) {
  Location outer = loc;
  loc = op.getLoc();
  if (isChecked) {
    checkMatrixOp(op);
    llvm::TypeSwitch<Operation *>(&op)
        .Case<ir::SubviewOp, ir::ExpandOp, ir::FuseOp>([&](auto view) { checkView(view); })
        .Case([&](ir::BlasOp blas) {
          checkShapes(blas);
          noteOperands(blas);
        })
        .Case([&](ir::ForOp loop) { checkStep(loop); })
        .Case([&](ir::BinaryOp binary) { checkOperands(binary); })
        .Case([&](ir::CastOp cast) { checkRange(cast); })
        .Case([&](ir::BroadcastOp broadcast) { checkLane(broadcast); });
  }
  auto blas = dyn_cast<ir::BlasOp>(&op);
  if (blas && !isCounted && isShared(blas))
    forBothAlone([&] { lowerKnown(op); });
  else if (blas && canShare(blas))
    callShared(blas);
  else
    bind(op.getResults(), lowerKnown(op));
  if (!isCounted) {
    for (Value result : op.getResults())
      if (isInMemory(result.getType()))
        own(result);
    leaveDead(op);
  }
  loc = outer;
}

Leaves CoreLowering::lowerKnown(Operation &op) {
  if (isCounted)
    if (std::optional<Leaves> counted = lowerCounted(op))
      return *counted;
  return llvm::TypeSwitch<Operation *, Leaves>(&op)
      .Case<ir::AllocaOp, ir::LifetimeStopOp, ir::AxpbyOp, ir::CumsumOp, ir::SumOp, ir::GemmOp,
            ir::GemvOp, ir::GerOp, ir::HadamardOp, ir::ParallelOp, ir::ForeachOp, ir::ForOp,
            ir::IfOp, ir::BarrierOp, ir::ConstantOp, ir::BinaryOp, ir::UnaryOp, ir::CompareOp,
            ir::CastOp, ir::BuiltinOp, ir::SubviewOp, ir::ExpandOp, ir::FuseOp, ir::SizeOp,
            ir::LoadOp, ir::StoreOp, ir::CoopLoadOp, ir::CoopStoreOp, ir::CoopMulAddOp,
            ir::CoopScaleOp, ir::BroadcastOp, ir::SubgroupOp>(
          [&](auto known) { return lower(known); });
}

void tinytc::lowerToCore(ModuleOp module) {
  core::Sites sites(module);
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (!function.isExternal())
      CoreLowering(function, sites).run();
  sites.attach();
  module->removeAttr(checkedAttr);
  module->removeAttr(core::countedAttr);
}

/// Only `tessera opt` can pass invalid functions: the verifier of the dialect checks operations,
/// not whether a function can be a kernel.
static LogicalResult checkKernel(func::FuncOp function) {
  if (!function->hasAttr(ir::subgroupSizeAttr) || !function->hasAttr(ir::workGroupSizeAttr))
    return function.emitOpError() << "is not a kernel: it lacks `" << ir::subgroupSizeAttr
                                  << "` or `" << ir::workGroupSizeAttr << "`";
  auto isParameter = [](Type type) {
    return ir::isCarried(type) ? !isa<ir::CoopMatrixType>(type)
                               : isa<ir::MemrefType, ir::GroupType>(type);
  };
  if (function.getNumResults() || !llvm::all_of(function.getArgumentTypes(), isParameter))
    return function.emitOpError(
        "is not a kernel: it has results, or parameters of other types than "
        "numbers, memrefs and groups");
  WalkResult walked = function.front().walk([](Operation *op) {
    if (isa<ir::TinytcDialect>(op->getDialect()) || isa<func::ReturnOp>(op))
      return WalkResult::advance();
    op->emitOpError("is not allowed in a kernel, which may contain only operations of tinytc");
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

namespace {

struct LowerToCore final : PassWrapper<LowerToCore, OperationPass<ModuleOp>> {
  StringRef getArgument() const override { return "tinytc-lower-to-core"; }
  StringRef getDescription() const override { return "kernels in buffer form [core.9]"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, LLVM::LLVMDialect, linalg::LinalgDialect, math::MathDialect,
                memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(checkKernel(function)))
        return signalPassFailure();
    lowerToCore(getOperation());
  }
};

} // namespace

std::unique_ptr<Pass> tinytc::createLowerToCore() {
  return std::make_unique<LowerToCore>();
}
