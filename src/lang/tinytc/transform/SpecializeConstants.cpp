#include "lang/tinytc/transform/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tessera::tinytc::transform {
#define GEN_PASS_DEF_SPECIALIZECONSTANTS
#include "lang/tinytc/transform/Passes.h.inc"
} // namespace tessera::tinytc::transform

using namespace mlir;
using namespace tessera::tinytc::ir;
using namespace tessera::tinytc;

namespace {

/// Discards diagnostics about invalid types and operations.
struct Silence : ScopedDiagnosticHandler {
  explicit Silence(MLIRContext *context)
      : ScopedDiagnosticHandler(context, [](Diagnostic &) { return success(); }) {}
};

/// Gives all views the most precise types that they can have; then resets those that an operation
/// does not accept together, until all operations are valid.
struct SpecializeConstants : transform::impl::SpecializeConstantsBase<SpecializeConstants> {
  void runOnOperation() override {
    views.clear(); // One object runs on many functions.
    fixed.clear();
    getOperation().walk([&](Operation *op) {
      if (isa<ViewLikeOpInterface>(op))
        views.push_back(op);
    });
    do
      inferTypes();
    while (rejectSome());
    for (Operation *view : views)
      rewrite(view);
  }

private:
  MemrefType typeOf(Value memref) const {
    auto known = types.find(memref);
    return known == types.end() ? cast<MemrefType>(memref.getType()) : known->second;
  }

  void inferTypes() {
    types.clear();
    for (Operation *view : views) {
      MemrefType type = isFixed(view) ? nullptr : infer(view);
      if (!type)
        fixed.insert(view);
      types[view->getResult(0)] = type ? type : cast<MemrefType>(view->getResult(0).getType());
    }
  }

  /// A known number that a view can state, if it is not less than `least`: a size of 0 would remove
  /// the mode.
  static int64_t knownOf(OpFoldResult value, int64_t least) {
    if (auto attr = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attr).getInt();
    std::optional<int64_t> number = constantInt(cast<Value>(value));
    return number && *number >= least ? *number : dynamic;
  }

  bool isFixed(Operation *view) const { return fixed.contains(view); }

  /// Null if there is no such type.
  MemrefType infer(Operation *view) const {
    auto old = cast<MemrefType>(view->getResult(0).getType());
    MemrefType from = typeOf(view->getOperand(0));
    SmallVector<int64_t> shape(old.getShape()), strides(old.getStrides());
    llvm::TypeSwitch<Operation *>(view)
        .Case([&](SubviewOp op) { inferSubview(op, from, shape, strides); })
        .Case([&](ExpandOp op) { inferExpand(op, from, shape, strides); })
        .Case([&](FuseOp op) { inferFuse(op, from, shape, strides); });
    Silence silence(view->getContext());
    return MemrefType::getChecked([&] { return view->emitError(); }, view->getContext(),
                                  ArrayRef<int64_t>(shape), old.getElement(),
                                  ArrayRef<int64_t>(strides), old.getSpace());
  }

  static void inferSubview(SubviewOp op, MemrefType from, SmallVectorImpl<int64_t> &shape,
                           SmallVectorImpl<int64_t> &strides) {
    SmallVector<OpFoldResult> sizes = op.mixedSizes();
    for (auto [target, mode] : llvm::enumerate(op.keptModes())) {
      shape[target] = knownOf(sizes[mode], 1);
      strides[target] = from.stride(mode);
    }
  }

  /// Copies the other sizes and strides of the operand; those after `last` move by `shift`.
  static void copyOthers(MemrefType from, int64_t first, int64_t last, int64_t shift,
                         SmallVectorImpl<int64_t> &shape, SmallVectorImpl<int64_t> &strides) {
    for (int64_t mode = 0; mode < from.order(); ++mode) {
      if (mode >= first && mode <= last)
        continue;
      int64_t target = mode < first ? mode : mode + shift;
      shape[target] = from.size(mode);
      strides[target] = from.stride(mode);
    }
  }

  static void inferExpand(ExpandOp op, MemrefType from, SmallVectorImpl<int64_t> &shape,
                          SmallVectorImpl<int64_t> &strides) {
    int64_t mode = op.getMode(), stride = from.stride(mode);
    copyOthers(from, mode, mode, op.numFactors() - 1, shape, strides);
    for (auto [index, factor] : llvm::enumerate(op.mixedFactors())) {
      shape[mode + index] = knownOf(factor, 0);
      strides[mode + index] = stride;
      stride = product(stride, shape[mode + index]);
    }
  }

  static void inferFuse(FuseOp op, MemrefType from, SmallVectorImpl<int64_t> &shape,
                        SmallVectorImpl<int64_t> &strides) {
    int64_t first = op.getFrom(), last = op.getTo();
    copyOthers(from, first, last, first - last, shape, strides);
    shape[first] = 1;
    for (int64_t mode = first; mode <= last; ++mode)
      shape[first] = product(shape[first], from.size(mode));
    strides[first] = from.stride(first);
  }

  //===-- What others accept ------------------------------------------------===//

  /// Whether `isFine` holds while the operands have their new types.
  bool accepts(Operation *op, llvm::function_ref<bool()> isFine) {
    SmallVector<Type> old;
    for (Value operand : op->getOperands()) {
      old.push_back(operand.getType());
      if (isa<MemrefType>(operand.getType()))
        operand.setType(typeOf(operand));
    }
    bool result = isFine();
    while (!old.empty()) { // In reverse, because an operand may occur twice.
      Type type = old.pop_back_val();
      op->getOperand(old.size()).setType(type);
    }
    return result;
  }

  static bool isValid(Operation *op) {
    Silence silence(op->getContext());
    return succeeded(op->getName().verifyInvariants(op));
  }

  bool fix(Operation *op) {
    bool isNew = false;
    for (Value operand : op->getOperands())
      for (Operation *view = operand.getDefiningOp(); isa_and_nonnull<ViewLikeOpInterface>(view);
           view = view->getOperand(0).getDefiningOp())
        isNew |= fixed.insert(view).second;
    return isNew;
  }

  /// Contradictions in the program itself are kept: they are undefined at run time.
  bool rejectSome() {
    bool isAgain = false;
    getOperation().walk([&](Operation *op) {
      if (isa<BlasOp>(op) && !accepts(op, [&] { return isValid(op); }))
        isAgain |= fix(op);
    });
    for (Operation *view : views)
      if (!acceptsView(view)) {
        isAgain |= fixed.insert(view).second;
        isAgain |= fix(view);
      }
    return isAgain;
  }

  /// Whether the specialized view is valid. Views that keep their types, and contradictory numbers,
  /// can prevent that.
  bool acceptsView(Operation *view) {
    return accepts(view, [&] {
      Operation *specialized = specialize(view);
      bool isFine = isValid(specialized);
      specialized->erase();
      return isFine;
    });
  }

  //===-- Rewriting ---------------------------------------------------------===//

  static SmallVector<OpFoldResult> known(ArrayRef<OpFoldResult> list, int64_t least) {
    SmallVector<OpFoldResult> result(list);
    for (OpFoldResult &value : result)
      if (int64_t number = knownOf(value, least); number != dynamic)
        value = Builder(value.getContext()).getIndexAttr(number);
    return result;
  }

  /// Creates the view with its known sizes, before the old one.
  Operation *specialize(Operation *view) {
    OpBuilder builder(view);
    MemrefType type = typeOf(view->getResult(0));
    Location loc = view->getLoc();
    if (auto op = dyn_cast<SubviewOp>(view))
      return SubviewOp::create(builder, loc, type, op.getOperand(), known(op.mixedOffsets(), 0),
                               isFixed(view) ? op.mixedSizes() : known(op.mixedSizes(), 1));
    if (auto op = dyn_cast<ExpandOp>(view))
      return ExpandOp::create(builder, loc, type, op.getOperand(), op.getMode(),
                              isFixed(view) ? op.mixedFactors() : known(op.mixedFactors(), 0));
    auto op = cast<FuseOp>(view);
    return FuseOp::create(builder, loc, type, op.getOperand(), op.getFrom(), op.getTo());
  }

  void rewrite(Operation *view) {
    view->replaceAllUsesWith(specialize(view));
    view->erase();
  }

  SmallVector<Operation *> views; ///< Operands before their users.
  llvm::DenseMap<Value, MemrefType> types;
  llvm::DenseSet<Operation *> fixed;
};

} // namespace
