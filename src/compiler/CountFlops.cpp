#include "compiler/CountFlops.h"
#include "compiler/Dialects.h"
#include "compiler/Pipeline.h"
#include "core/Attributes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tessera;
using core::Stage;

namespace {

using Count = std::optional<Flops>; ///< Nothing: it depends on values.
constexpr Flops none = {};

Count plus(Count a, Count b) {
  return a && b ? Count({a->single + b->single, a->wide + b->wide}) : std::nullopt;
}

/// Nothing done is nothing done, however often.
Count times(Count each, std::optional<int64_t> count) {
  if (each == none)
    return none;
  return each && count ? Count({each->single * *count, each->wide * *count}) : std::nullopt;
}

std::optional<int64_t> product(llvm::ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    result *= size;
  }
  return result;
}

std::optional<int64_t> tripCount(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return std::max<int64_t>(0, (*upper - *lower + *step - 1) / *step);
}

class Counter {
public:
  Count ofFunction(func::FuncOp function) {
    if (function.isExternal()) // The runtime.
      return none;
    if (!active.insert(function).second)
      return std::nullopt;
    Count count = ofRegion(function.getBody());
    active.erase(function);
    return count;
  }

private:
  Count ofRegion(Region &region) {
    if (!region.empty() && !region.hasOneBlock())
      return std::nullopt;
    Count count = none;
    for (Operation &op : region.getOps())
      count = plus(count, of(&op));
    return count;
  }

  Count of(Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      return ofFunction(
          SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr()));
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return times(ofRegion(loop.getRegion()), tripCount(loop));
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      return ofBranch(op);
    if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
      return times(ofRegion(op->getRegion(0)), product(linalg.getStaticLoopRanges()));
    if (op->getNumRegions() != 0)
      return ofOtherRegions(op);
    return isArithmetic(op) ? ofArithmetic(op) : none;
  }

  static Flops ofArithmetic(Operation *op) {
    double count = isa<math::FmaOp>(op) ? 2 : 1;
    return op->getResult(0).getType().isF64() ? Flops{0, count} : Flops{count, 0};
  }

  Count ofBranch(Operation *branch) {
    Count first = ofRegion(branch->getRegion(0));
    bool isSame = llvm::all_of(branch->getRegions(),
                               [&](Region &region) { return ofRegion(region) == first; });
    return isSame ? first : std::nullopt;
  }

  /// How often they run is not known.
  Count ofOtherRegions(Operation *op) {
    Count count = none;
    for (Region &region : op->getRegions())
      count = plus(count, times(ofRegion(region), std::nullopt));
    return count;
  }

  static bool isArithmetic(Operation *op) {
    if (op->getNumResults() != 1 || !isa<FloatType>(op->getResult(0).getType()))
      return false;
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp,
               arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
               arith::MinNumFOp>(op) ||
           isa_and_nonnull<math::MathDialect>(op->getDialect());
  }

  llvm::SmallPtrSet<Operation *, 8> active; ///< A function that calls itself is not counted.
};

/// The entry for tensors of just these sizes; what it calls is told of them by a cast.
void specialize(func::FuncOp entry, llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes) {
  Block &block = entry.front();
  OpBuilder b = OpBuilder::atBlockBegin(&block);
  for (auto [argument, shape] : llvm::zip(block.getArguments(), shapes)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    argument.setType(RankedTensorType::get(shape, type.getElementType()));
    auto cast = tensor::CastOp::create(b, entry.getLoc(), type, argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
  entry.setFunctionType(
      b.getFunctionType(block.getArgumentTypes(), entry.getFunctionType().getResults()));
}

func::FuncOp findEntry(ModuleOp module, StringRef name) {
  for (auto function : module.getOps<func::FuncOp>())
    if (auto entry = function->getAttrOfType<StringAttr>(core::entryAttr); entry && entry == name)
      return function;
  return nullptr;
}

} // namespace

std::optional<Flops> tessera::countFlops(const Language &language, const Checked &program,
                                         const CompileOptions &options,
                                         llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes) {
  if (options.from > Stage::Optimized)
    return std::nullopt;
  DialectRegistry registry;
  registerDialects(registry, *options.backend);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = language.lower(program, options.language, context);
  func::FuncOp entry = findEntry(*module, options.language.entry);
  if (!entry)
    return std::nullopt;
  specialize(entry, shapes);
  // The sizes reach every operation on the way to `optimized`.
  CompileOptions optimizing = options;
  optimizing.target.optLevel = 2;
  optimizing.expandsMath = false;
  PassManager pm(&context);
  buildPipeline(pm, optimizing, Stage::Core, Stage::Optimized);
  if (failed(pm.run(*module)))
    return std::nullopt;
  return Counter().ofFunction(findEntry(*module, options.language.entry));
}
