/// What memory operations read and write, and which operations may be speculated.
#include "lang/tinytc/ir/Dialect.h"

using namespace mlir;
using namespace tessera::tinytc::ir;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static SideEffects::Resource *memoryOf(Type type) {
  if (cast<MemrefType>(type).isLocal())
    return LocalMemory::get();
  return GlobalMemory::get();
}

static void reads(OpOperand &memref, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &memref, memoryOf(memref.get().getType()));
}
static void writes(OpOperand &memref, Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &memref, memoryOf(memref.get().getType()));
}

static void addBlasEffects(BlasOp op, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemrefType>(operand.get().getType()))
      continue;
    bool isOutput = operand.getOperandNumber() + 1 == op->getNumOperands();
    if (!isOutput || !isConstant(op.getBeta(), 0))
      reads(operand, effects);
    if (isOutput)
      writes(operand, effects);
  }
}

#define TINYTC_BLAS_EFFECTS(Op)                                                                    \
  void Op::getEffects(Effects &effects) {                                                          \
    addBlasEffects(*this, effects);                                                                \
  }
TINYTC_BLAS_EFFECTS(AxpbyOp)
TINYTC_BLAS_EFFECTS(CumsumOp)
TINYTC_BLAS_EFFECTS(GemmOp)
TINYTC_BLAS_EFFECTS(GemvOp)
TINYTC_BLAS_EFFECTS(GerOp)
TINYTC_BLAS_EFFECTS(HadamardOp)
TINYTC_BLAS_EFFECTS(SumOp)
#undef TINYTC_BLAS_EFFECTS

/// Nothing moves across a barrier, whatever it makes visible.
void BarrierOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), LocalMemory::get());
}

/// The pointers of a group never change.
void LoadOp::getEffects(Effects &effects) {
  if (isa<MemrefType>(getOperand().getType()))
    reads(getOperandMutable(), effects);
}

void StoreOp::getEffects(Effects &effects) {
  if (getFlag() == StoreFlag::AtomicAdd)
    reads(getTargetMutable(), effects);
  writes(getTargetMutable(), effects);
}

void CoopLoadOp::getEffects(Effects &effects) {
  reads(getSourceMutable(), effects);
}

void CoopStoreOp::getEffects(Effects &effects) {
  if (getFlag() == StoreFlag::AtomicAdd)
    reads(getTargetMutable(), effects);
  writes(getTargetMutable(), effects);
}

void BroadcastOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), ActiveItems::get());
}

void SubgroupOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), ActiveItems::get());
}

//===-- Speculation -------------------------------------------------------===//

static Speculation::Speculatability when(bool isDefined) {
  return isDefined ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

/// Whether a division or a shift is defined, judging by what is known of its second operand.
Speculation::Speculatability BinaryOp::getSpeculatability() {
  Binary function = getFunction();
  bool divides = function == Binary::Div || function == Binary::Rem;
  bool shifts = function == Binary::Shl || function == Binary::Shr;
  Type type = componentType(getType()); // Null for bools.
  if (!(divides || shifts) || !isInteger(type))
    return Speculation::Speculatable;
  std::optional<int64_t> rhs = constantInt(getRhs());
  int64_t bits = 8 * bytesOf(type);
  return when(rhs && (divides ? *rhs != 0 : *rhs >= 0 && *rhs < bits));
}

Speculation::Speculatability CastOp::getSpeculatability() {
  return when(!isa<FloatType>(componentType(getOperand().getType())) ||
              !isInteger(componentType(getType())));
}

Speculation::Speculatability SubviewOp::getSpeculatability() {
  MemrefType type = getOperand().getType();
  for (auto [mode, offset, size] : llvm::enumerate(getStaticOffsets(), getStaticSizes())) {
    bool isKnown = offset != dynamic && size != dynamic && type.size(mode) != dynamic;
    if (!isKnown || offset + std::max<int64_t>(size, 1) > type.size(mode))
      return Speculation::NotSpeculatable;
  }
  return Speculation::Speculatable;
}

Speculation::Speculatability ExpandOp::getSpeculatability() {
  return when(getFactors().empty() && getOperand().getType().size(getMode()) != dynamic);
}

Speculation::Speculatability FuseOp::getSpeculatability() {
  MemrefType type = getOperand().getType();
  return when(type.hasStaticShape() && !llvm::is_contained(type.getStrides(), dynamic));
}
