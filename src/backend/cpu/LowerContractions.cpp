#include "backend/cpu/Passes.h"
#include "backend/cpu/contraction/Kernel.h"
#include "backend/cpu/contraction/Streaming.h"
#include "mlir/IR/Matchers.h"
#include "schedule/TileOrder.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_LOWERCONTRACTIONS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Moves a product into its own function: constants are duplicated there, everything else is
/// passed.
class KernelFunction {
public:
  KernelFunction(ModuleOp module, const cpu::Product &outside) : module(module), product(outside) {
    key.push_back(StringAttr::get(module.getContext(), product.structure()));
    product.forEachValue([&](Value &value) {
      Attribute constant;
      if (matchPattern(value, m_Constant(&constant)))
        return key.push_back(constant);
      arguments.push_back(value);
      key.push_back(TypeAttr::get(value.getType()));
    });
  }

  /// Products with equal descriptions can share a function.
  ArrayRef<Attribute> description() const { return key; }
  ValueRange operands() const { return arguments; }

  func::FuncOp emit(StringRef name, const schedule::Contraction &schedule) {
    auto b = cpu::KernelBuilder::atBlockEnd(module.getLoc(), module.getBody());
    auto type = b.getFunctionType(TypeRange(ValueRange(arguments)), {});
    auto function = func::FuncOp::create(b, name, type);
    function.setPrivate();
    function->setAttr(cpu::passthroughAttr, b.getStrArrayAttr({cpu::kernelAttr}));
    b.setInsertionPointToStart(function.addEntryBlock());
    unsigned next = 0;
    product.forEachValue([&](Value &value) {
      if (matchPattern(value, m_Constant()))
        value = b.clone(*value.getDefiningOp())->getResult(0);
      else
        value = function.getArgument(next++);
    });
    cpu::emitKernel(b, product, schedule);
    func::ReturnOp::create(b);
    return function;
  }

private:
  ModuleOp module;
  cpu::Product product;
  SmallVector<Value> arguments;
  SmallVector<Attribute> key;
};

/// Other contractions become plain loops. If each column has its own lhs, vectors of it are read in
/// place, along columns or, with the kernel `inner`, along depth.
bool hasKernel(const cpu::Product &product, const schedule::Contraction &schedule) {
  if (!cpu::canSum(product.element()))
    return false;
  return !product.lhs.stride(cpu::Column) || product.lhs.isDense(cpu::Column) ||
         schedule.kernel == schedule::Contraction::Kernel::Inner;
}

/// A dense tensor may become a slice as a buffer, so the result may no longer be dense along the
/// same loop.
std::optional<schedule::LoopGroups> groupLoops(linalg::LinalgOp op,
                                               const core::Contraction &contraction,
                                               schedule::Contraction &schedule) {
  SmallVector<schedule::Access> accesses = schedule::accessesOf(op);
  if (schedule.isPrepacked())
    return schedule::groupInTileOrder(contraction, accesses);
  if (schedule.across)
    if (auto groups = schedule::groupLoops(contraction, accesses, /*isAcross=*/true))
      return groups;
  schedule.across = 0;
  return schedule::groupLoops(contraction, accesses);
}

/// The kernel `inner` needs operands that are dense along depth, which a slice may not be.
void adapt(schedule::Contraction &schedule, const cpu::Product &product) {
  bool isDense = product.lhs.isDense(cpu::Depth) && product.rhs.isDense(cpu::Depth);
  if (schedule.kernel == schedule::Contraction::Kernel::Inner && !isDense)
    schedule.kernel = schedule::Contraction::Kernel::Blocked;
}

/// The multiplications up to which a product is not divided among threads, and up to which its
/// operands are read in place.
constexpr int64_t maxUndivided = 4 << 20, maxUnpacked = 1 << 16;

bool isBlocked(const schedule::Contraction &schedule) {
  return schedule.kernel == schedule::Contraction::Kernel::Blocked;
}

/// For few rows and columns. If code for every tile size would be too much, tiles are low and one
/// vector wide, which wastes little.
schedule::Contraction unpacked(schedule::Contraction schedule, const cpu::Product &product) {
  constexpr int64_t lowTile = 12;
  schedule.packLhs = schedule.packRhs = schedule.packLate = schedule.prefetch = 0;
  schedule.depth = schedule.height = schedule.width = 0;
  schedule.parallelOuter = 1;
  if (cpu::isOpen(product, schedule))
    return schedule;
  schedule.rows = std::min(schedule.rows, lowTile);
  schedule.vectors = 1;
  return schedule;
}

/// Vector multiply-adds that may be emitted inline: per product, since LLVM would keep too much of
/// a larger one in registers across products; and per function, since inlining each product costs
/// LLVM as much time as compiling one function that all equal products share.
constexpr int64_t mostInPlace = 128, mostOfFunction = 512;

/// Returns nullopt if a size is unknown or the product is not fully unrolled.
std::optional<int64_t> straightWork(const cpu::Product &product,
                                    const schedule::Contraction &schedule) {
  int64_t count = 1;
  for (auto [axis, size] : llvm::enumerate(product.sizes)) {
    std::optional<int64_t> known = cpu::constantOf(size);
    if (!known)
      return std::nullopt;
    count *= axis == cpu::Column ? llvm::divideCeil(*known, schedule.lanes) : *known;
  }
  bool isStraight = schedule.kernel == schedule::Contraction::Kernel::Unrolled;
  return isStraight ? std::optional(count) : std::nullopt;
}

/// One of many products whose operands come from memory: prefetching works best if a row of rhs is
/// read at once instead of in parts.
schedule::Contraction inOneGo(schedule::Contraction schedule, const cpu::Product &product) {
  constexpr int64_t mostVectors = 4;
  std::optional<int64_t> rows = cpu::constantOf(product.sizes[cpu::Row]),
                         columns = cpu::constantOf(product.sizes[cpu::Column]);
  int64_t vectors = llvm::divideCeil(columns.value_or(0), schedule.lanes);
  bool isRead = product.rhs.isDense(cpu::Column) && !schedule.packRhs && !schedule.packLhs;
  // Rows of rhs take registers as well.
  int64_t most = (schedule.rows * schedule.vectors - (vectors - schedule.vectors)) /
                 std::max<int64_t>(vectors, 1);
  if (!isRead || rows.value_or(0) < 1 || vectors <= schedule.vectors || vectors > mostVectors ||
      most < 1)
    return schedule;
  schedule.rows = llvm::divideCeil(*rows, llvm::divideCeil(*rows, most));
  schedule.vectors = vectors;
  return schedule;
}

struct LowerContractions final : cpu::impl::LowerContractionsBase<LowerContractions> {
  using LowerContractionsBase::LowerContractionsBase;

  void runOnOperation() override {
    SmallVector<std::pair<linalg::LinalgOp, core::Contraction>> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        if (std::optional<core::Contraction> contraction = core::matchContraction(op))
          found.push_back({op, *contraction});
    });
    for (auto &[op, contraction] : found)
      if (failed(lower(op, contraction)))
        return signalPassFailure();
  }

  LogicalResult lower(linalg::LinalgOp op, const core::Contraction &contraction) {
    auto attribute = op->getAttrOfType<DictionaryAttr>(schedule::scheduleAttr);
    if (!attribute) {
      if (!staysSeparate(op, contraction))
        lowerNaively(op, contraction);
      return success();
    }
    std::string error;
    auto schedule = schedule::Contraction::fromAttribute(attribute, error);
    if (!schedule)
      return op.emitOpError() << "has an invalid schedule: " << error;
    auto groups = groupLoops(op, contraction, *schedule);
    if (!groups)
      return lowerNaively(op, contraction), success();
    auto around = cpu::neighborhoodOf(op, contraction, *groups, schedule->across,
                                      getAnalysis<AliasAnalysis>());
    cpu::KernelBuilder b(op.getLoc(), around.last());
    bool mayStream = cpu::isOnlyWritten(around); // Before views of it are made.
    cpu::Product product = around.product(b);
    adapt(*schedule, product);
    if (schedule->usesTiles() && !hasTilesFor(product))
      return op.emitOpError() << "has an invalid schedule: the processor has no "
                                 "tile registers for these operands";
    if (!hasKernel(product, *schedule))
      return lowerNaively(op, contraction), success();
    if (mayStream)
      product.streams = cpu::streamsResult(b, cast<scf::ParallelOp>(op->getParentOp()), product,
                                           *schedule, smallestStream);
    emitForPlace(b, product, *schedule, isInParallel(op));
    around.erase();
    return success();
  }

  static bool isInParallel(Operation *op) {
    return op->getParentOfType<scf::ParallelOp>() || op->getParentOfType<scf::ForallOp>();
  }

  /// Inside a parallel loop, small products run on one thread. For unknown sizes, small products
  /// get a version that packs nothing.
  void emitForPlace(cpu::KernelBuilder &b, const cpu::Product &product,
                    schedule::Contraction schedule, bool isInParallel) {
    if (!isInParallel || product.numOuter > 0 || !isBlocked(schedule))
      return emit(b, product, schedule);
    Value work = cpu::index(b, 1);
    for (Value size : product.sizes)
      work = cpu::multiply(b, work, size);
    if (std::optional<int64_t> known = cpu::constantOf(work)) {
      schedule.parallelOuter |= *known <= maxUndivided;
      return emit(b, product, inOneGo(schedule, product));
    }
    cpu::when(
        b, cpu::isLess(b, work, cpu::index(b, maxUnpacked)),
        [&] { emit(b, product, unpacked(schedule, product)); },
        [&] { emit(b, product, schedule); });
  }

  bool hasTilesFor(const cpu::Product &product) {
    Type lhs = product.lhs.element(), sum = product.element();
    if (lhs != product.rhs.element() || product.lhs.stride(cpu::Column))
      return false;
    return (bfloatTiles && lhs.isBF16() && sum.isF32()) ||
           (byteTiles && lhs.isInteger(8) && sum.isInteger(32));
  }

  bool isInPlace(cpu::KernelBuilder &b, const cpu::Product &product,
                 const schedule::Contraction &schedule) {
    std::optional<int64_t> work = straightWork(product, schedule);
    if (!work || *work > mostInPlace)
      return false;
    Operation *parent = b.getInsertionBlock()->getParentOp();
    auto function = isa<func::FuncOp>(parent) ? cast<func::FuncOp>(parent)
                                              : parent->getParentOfType<func::FuncOp>();
    int64_t &sum = workInPlace[function];
    sum += *work;
    return sum <= mostOfFunction;
  }

  /// Emits a few small products inline; otherwise all equal products share one function.
  void emit(cpu::KernelBuilder &b, const cpu::Product &product,
            const schedule::Contraction &schedule) {
    Attribute attribute = schedule.toAttribute(getContext());
    if (isInPlace(b, product, schedule))
      return cpu::emitKernel(b, product, schedule);
    KernelFunction kernel(getOperation(), product);
    SmallVector<Attribute> key(kernel.description());
    key.push_back(attribute);
    func::FuncOp &function = kernels[ArrayAttr::get(&getContext(), key)];
    if (!function)
      function = kernel.emit("contraction." + std::to_string(kernels.size() - 1), schedule);
    func::CallOp::create(b, function, kernel.operands());
  }

  /// Without fused multiply-add, each product would call a function. If the program allows two
  /// roundings, the sum is lowered as an ordinary reduction.
  bool staysSeparate(linalg::LinalgOp op, const core::Contraction &contraction) {
    bool mayRoundTwice = contraction.isReorderable && isa<linalg::GenericOp>(op) &&
                         op.getBlock()->getOps<math::FmaOp>().empty();
    return !fusedProducts && mayRoundTwice;
  }

  /// The oracle's form: k innermost and ascending.
  static void lowerNaively(linalg::LinalgOp op, const core::Contraction &contraction) {
    OpBuilder builder(op);
    auto body = [&](OpBuilder &nested, Location loc, ValueRange v) {
      cpu::KernelBuilder b(loc, nested);
      Type element = v[core::Result].getType();
      Value lhs = cpu::widen(b, v[core::Lhs], contraction.widenings[core::Lhs], element);
      Value rhs = cpu::widen(b, v[core::Rhs], contraction.widenings[core::Rhs], element);
      linalg::YieldOp::create(
          b, cpu::multiplyAdd(b, contraction.accumulation, lhs, rhs, v[core::Result]));
    };
    linalg::GenericOp::create(builder, op.getLoc(), TypeRange{}, op.getDpsInputs(),
                              op.getDpsInits(), op.getIndexingMapsArray(),
                              op.getIteratorTypesArray(), body);
    op.erase();
  }

  llvm::DenseMap<Attribute, func::FuncOp> kernels;
  llvm::DenseMap<Operation *, int64_t> workInPlace; ///< Per function.
};

} // namespace
