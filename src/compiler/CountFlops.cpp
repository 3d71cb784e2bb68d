#include "compiler/CountFlops.h"
#include "compiler/Dialects.h"
#include "compiler/KnownValues.h"
#include "compiler/Pipeline.h"
#include "core/Attributes.h"
#include "core/Counted.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tessera;
using core::Stage;

namespace {

using Count = std::optional<Flops>; ///< Nullopt: it depends on values.
constexpr Flops none = {};

Count plus(Count a, Count b) {
  return a && b ? Count({a->single + b->single, a->wide + b->wide}) : std::nullopt;
}

/// Zero stays zero, even for an unknown number of times.
Count times(Count each, std::optional<int64_t> count) {
  if (each == none)
    return none;
  return each && count ? Count({each->single * *count, each->wide * *count}) : std::nullopt;
}

std::optional<int64_t> product(llvm::ArrayRef<std::optional<int64_t>> sizes) {
  int64_t result = 1;
  for (std::optional<int64_t> size : sizes) {
    if (!size)
      return std::nullopt;
    result *= *size;
  }
  return result;
}

/// Loops whose work depends on their variables are counted iteration by iteration, up to this
/// total.
constexpr int64_t maxIterations = 100'000;

/// A loop, or one dimension of a loop nest.
struct LoopRange {
  Value variable;
  std::optional<int64_t> lower, upper, step;

  std::optional<int64_t> count() const {
    if (!lower || !upper || !step || *step <= 0)
      return std::nullopt;
    return std::max<int64_t>(0, (*upper - *lower + *step - 1) / *step);
  }
};

class Counter {
public:
  explicit Counter(KnownValues values = KnownValues(), bool countsEach = false)
      : values(std::move(values)), iterationsLeft(countsEach ? maxIterations : 0) {}

  Count ofFunction(func::FuncOp function) {
    if (function.isExternal()) // The runtime's.
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
      return ofCall(call);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return ofLoop(loop.getRegion(), rangesOf(loop.getInductionVar(), loop.getLowerBound(),
                                               loop.getUpperBound(), loop.getStep()));
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      return ofLoop(loop.getRegion(), rangesOf(loop.getInductionVars(), loop.getLowerBound(),
                                               loop.getUpperBound(), loop.getStep()));
    if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
      return ofBranch(op);
    if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
      return times(ofRegion(op->getRegion(0)), product(loopSizes(linalg)));
    if (op->getNumRegions() != 0)
      return ofOtherRegions(op);
    return isArithmetic(op) ? ofArithmetic(op) : none;
  }

  Count ofCall(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (!callee.isExternal())
      for (auto [formal, actual] : llvm::zip_equal(callee.getArguments(), call.getOperands()))
        values.bind(formal, values.of(actual));
    return ofFunction(callee);
  }

  llvm::SmallVector<LoopRange> rangesOf(ValueRange variables, ValueRange lower, ValueRange upper,
                                        ValueRange step) {
    llvm::SmallVector<LoopRange> ranges;
    for (auto [variable, from, to, by] : llvm::zip_equal(variables, lower, upper, step))
      ranges.push_back({variable, values.of(from), values.of(to), values.of(by)});
    return ranges;
  }

  /// A body that does the same in all iterations is counted once.
  Count ofLoop(Region &body, llvm::ArrayRef<LoopRange> ranges) {
    llvm::SmallVector<std::optional<int64_t>> counts;
    for (const LoopRange &range : ranges)
      counts.push_back(range.count());
    std::optional<int64_t> total = product(counts);
    Count each = ofRegion(body);
    if (each || !total || ranges.size() != 1 || (iterationsLeft -= *total) < 0)
      return times(each, total);
    Count sum = none;
    for (int64_t index = 0; sum && index < *total; ++index) {
      values.bind(ranges[0].variable, *ranges[0].lower + index * *ranges[0].step);
      sum = plus(sum, ofRegion(body));
    }
    values.bind(ranges[0].variable, std::nullopt);
    return sum;
  }

  /// The sizes of the loops: static ones, and known sizes of memrefs.
  llvm::SmallVector<std::optional<int64_t>> loopSizes(linalg::LinalgOp op) {
    llvm::SmallVector<std::optional<int64_t>> sizes, loops;
    for (OpOperand &operand : op->getOpOperands())
      for (int64_t dim = 0, rank = op.getRank(&operand); dim < rank; ++dim) {
        int64_t size = op.getShape(&operand)[dim];
        bool isKnown = !ShapedType::isDynamic(size);
        sizes.push_back(isKnown ? size : values.sizeOf(operand.get(), dim));
      }
    for (AffineExpr place : op.getShapesToLoopsMap().getResults())
      loops.push_back(sizes[cast<AffineDimExpr>(place).getPosition()]);
    return loops;
  }

  static Flops ofArithmetic(Operation *op) {
    Type type = op->getResult(0).getType();
    double count = isa<math::FmaOp, vector::FMAOp>(op) ? 2 : 1;
    if (auto vector = dyn_cast<VectorType>(type))
      count *= double(vector.getNumElements());
    return getElementTypeOrSelf(type).isF64() ? Flops{0, count} : Flops{count, 0};
  }

  Count ofBranch(Operation *branch) {
    if (auto op = dyn_cast<scf::IfOp>(branch))
      if (std::optional<int64_t> condition = values.of(op.getCondition()))
        return ofRegion(*condition ? op.getThenRegion() : op.getElseRegion());
    Count first = ofRegion(branch->getRegion(0));
    bool isSame = llvm::all_of(branch->getRegions(),
                               [&](Region &region) { return ofRegion(region) == first; });
    return isSame ? first : std::nullopt;
  }

  /// The number of executions is unknown.
  Count ofOtherRegions(Operation *op) {
    Count count = none;
    for (Region &region : op->getRegions())
      count = plus(count, times(ofRegion(region), std::nullopt));
    return count;
  }

  static bool isArithmetic(Operation *op) {
    if (op->getNumResults() != 1 ||
        !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
      return false;
    return isa<vector::FMAOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
               arith::RemFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
               arith::MinNumFOp>(op) ||
           isa_and_nonnull<math::MathDialect>(op->getDialect());
  }

  KnownValues values;
  int64_t iterationsLeft;
  llvm::SmallPtrSet<Operation *, 8> active; ///< Recursive functions are not counted.
};

/// Restricts the entry to tensors of exactly these sizes; casts pass them on to its body.
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

/// A module that is lowered to be counted.
class Lowered {
public:
  Lowered(const Language &language, const Checked &program, const CompileOptions &options)
      : options(options), context(registryOf(options), MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    module = language.lower(program, options.language, context);
    this->options.dialect = language.dialect;
    this->options.target.optLevel = 2;
    this->options.expandsMath = false;
  }

  func::FuncOp entry() { return findEntry(*module, options.language.entry); }
  /// For languages that lower to loops directly.
  void markCounted() {
    module->getOperation()->setAttr(core::countedAttr, UnitAttr::get(&context));
  }
  bool advance(Stage from, Stage to) {
    PassManager pm(&context);
    buildPipeline(pm, options, from, to);
    return succeeded(pm.run(*module));
  }

private:
  static DialectRegistry registryOf(const CompileOptions &options) {
    DialectRegistry registry;
    registerDialects(registry, *options.backend);
    return registry;
  }

  CompileOptions options;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

std::optional<Flops> tessera::countFlops(const Language &language, const Checked &program,
                                         const CompileOptions &options,
                                         llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes) {
  if (options.from > Stage::Optimized)
    return std::nullopt;
  Lowered lowered(language, program, options);
  if (!lowered.entry())
    return std::nullopt;
  specialize(lowered.entry(), shapes);
  // Sizes propagate to every operation by the time the module is `optimized`.
  if (!lowered.advance(Stage::Core, Stage::Optimized))
    return std::nullopt;
  return Counter().ofFunction(lowered.entry());
}

std::optional<Flops> tessera::countKernelFlops(const Language &language, const Checked &program,
                                               const CompileOptions &options,
                                               const KernelLaunch &launch) {
  if (options.from > Stage::Scheduled)
    return std::nullopt;
  Lowered lowered(language, program, options);
  lowered.markCounted();
  if (!lowered.advance(language.dialect ? Stage::Ast : Stage::Core, Stage::Core) ||
      !lowered.entry())
    return std::nullopt;
  func::FuncOp entry = lowered.entry();
  KnownValues values(launch.memory);
  values.bind(entry.getArgument(0), reinterpret_cast<int64_t>(launch.arguments));
  values.bind(entry.getArgument(1), reinterpret_cast<int64_t>(launch.launch));
  return Counter(std::move(values), /*countsEach=*/true).ofFunction(entry);
}
