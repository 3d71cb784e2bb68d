#include "lang/tinytc/ir/Uniformity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::tinytc::ir;

using Interval = std::optional<std::pair<int64_t, int64_t>>;

static constexpr Form varying{Spread::Varying};

static Form uniformForm(Spread spread, Interval range = std::nullopt) {
  return {spread, 0, range};
}

/// The form of one of two values, where control flow joins and all work-items agree which one.
static Form join(const Form &left, const Form &right) {
  if (left == right)
    return left;
  if (left.spread <= Spread::Subgroup && right.spread <= Spread::Subgroup)
    return uniformForm(std::max(left.spread, right.spread));
  bool haveOneStride = left.spread == right.spread && left.stride == right.stride;
  return haveOneStride ? Form{left.spread, left.stride} : varying;
}

static Form laneForm(int64_t stride, Interval range) {
  return stride ? Form{Spread::Lane, stride, range} : uniformForm(Spread::Subgroup, range);
}

Uniformity::Uniformity(Operation *function) : function(function) {
  SmallVector<Operation *> regions;
  function->walk([&](Operation *op) {
    if (isa<ParallelOp, ForeachOp>(op))
      regions.push_back(op);
  });
  for (Operation *op : regions)
    do {
      hasChanged = false;
      if (auto loop = dyn_cast<ForeachOp>(op))
        visitForeach(loop);
      visitBlock(op->getRegion(0).front());
    } while (hasChanged);
}

Form Uniformity::of(Value value) const {
  auto known = forms.find(value);
  if (known != forms.end())
    return known->second;
  Form form;
  if (std::optional<int64_t> number = constantInt(value))
    form.range = {*number, *number};
  return form;
}

/// Forms only ever become less precise, so that the analysis of loops terminates.
void Uniformity::set(Value value, Form form) {
  auto [known, isNew] = forms.try_emplace(value, form);
  Form joined = isNew ? form : join(known->second, form);
  hasChanged |= isNew || !(joined == known->second);
  known->second = joined;
}

/// The spread of a value that is as uniform as the least uniform of these.
Spread Uniformity::together(ValueRange values) const {
  Spread spread = Spread::Group;
  for (Value value : values)
    spread = std::max(spread, of(value).spread);
  return spread == Spread::Lane ? Spread::Varying : spread;
}

//===-- Control -----------------------------------------------------------===//

Spread Uniformity::decisionOf(Operation *op) const {
  if (auto branch = dyn_cast<IfOp>(op))
    return together(branch.getCondition());
  auto loop = dyn_cast<ForOp>(op);
  return loop ? together(loop->getOperands().drop_back(loop.getInitials().size())) : Spread::Group;
}

void Uniformity::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

void Uniformity::visit(Operation *op) {
  if (auto loop = dyn_cast<ForOp>(op))
    return visitFor(loop);
  if (auto branch = dyn_cast<IfOp>(op))
    return visitIf(branch);
  for (Value result : op->getResults())
    set(result, compute(op));
}

/// The range of a variable that runs from `from` to `to`.
static Interval rangeBetween(Value from, Value to) {
  std::optional<int64_t> first = constantInt(from), end = constantInt(to);
  bool isKnown = first && end && *first < *end;
  return isKnown ? Interval({*first, *end - 1}) : std::nullopt;
}

void Uniformity::visitForeach(ForeachOp op) {
  for (auto [index, variable] : llvm::enumerate(op.getVariables())) {
    Interval range = rangeBetween(op.getFrom()[index], op.getTo()[index]);
    set(variable, index == 0 ? laneForm(1, range) : uniformForm(Spread::Subgroup, range));
  }
}

/// A value from an iteration or a branch may differ among subgroups.
static Form under(Spread decision, Form form) {
  if (decision != Spread::Group && form.spread == Spread::Group)
    form.spread = Spread::Subgroup;
  return form;
}

/// A subgroup shares its matrices, so it does not part where one is chosen.
static Form outOf(Spread decision, Form form, Type type) {
  bool isParted = decision == Spread::Varying && !isa<CoopMatrixType>(type);
  return isParted ? varying : under(decision, form);
}

/// Work-items that leave a loop at different times have values of different iterations.
void Uniformity::visitFor(ForOp op) {
  Spread decision = decisionOf(op);
  bool isTogether = !op.getStep() || isUniform(op.getStep());
  Form start = under(decision, of(op.getFrom()));
  start.range = rangeBetween(op.getFrom(), op.getTo());
  set(op.getVariable(), isTogether ? start : varying);
  for (auto [argument, initial] : llvm::zip_equal(op.getCarried(), op.getInitials()))
    set(argument, under(decision, of(initial)));
  visitBlock(op.getBody().front());
  for (auto [argument, yielded, result] :
       llvm::zip_equal(op.getCarried(), op.yield().getValues(), op.getResults())) {
    set(argument, under(decision, of(yielded)));
    set(result, outOf(decision, of(argument), result.getType()));
  }
}

void Uniformity::visitIf(IfOp op) {
  for (Region &region : op->getRegions())
    if (!region.empty())
      visitBlock(region.front());
  for (OpResult result : op->getResults()) {
    unsigned index = result.getResultNumber();
    Form form = join(of(op.thenYield().getValues()[index]), of(op.elseYield().getValues()[index]));
    set(result, outOf(decisionOf(op), form, result.getType()));
  }
}

//===-- Operations --------------------------------------------------------===//

Form Uniformity::compute(Operation *op) const {
  return llvm::TypeSwitch<Operation *, Form>(op)
      .Case([&](BinaryOp each) { return binary(each); })
      .Case([&](CastOp each) { return cast(each); })
      .Case([&](BuiltinOp each) { return builtin(each); })
      .Case([&](ConstantOp each) { return of(each.getResult()); })
      // Others may write in between, so nothing more is known of memory.
      .Case([&](LoadOp each) {
        Spread least =
            isa<GroupType>(each.getOperand().getType()) ? Spread::Group : Spread::Subgroup;
        return uniformForm(std::max(least, together(each->getOperands())));
      })
      .Case<CoopLoadOp, CoopStoreOp, CoopMulAddOp, CoopScaleOp, BroadcastOp>(
          [&](auto) { return uniformForm(Spread::Subgroup); })
      .Case([&](SubgroupOp each) {
        return each.getForm() == ReductionForm::Reduce ? uniformForm(Spread::Subgroup) : varying;
      })
      .Case([&](StoreOp) { return varying; })
      .Default([&](Operation *each) {
        bool isMatrix = isa<CoopMatrixType>(each->getResult(0).getType());
        return isMatrix ? uniformForm(Spread::Subgroup) : Form{together(each->getOperands())};
      });
}

static bool fits(Interval range, Type type) {
  if (!range)
    return false;
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return llvm::isIntN(bits, range->first) && llvm::isIntN(bits, range->second);
}

/// Drops the range if the type may be too narrow.
Form Uniformity::wrapped(Form form, Type type) const {
  if (form.range && !fits(form.range, type)) // Only integers have ranges.
    form.range = std::nullopt;
  return form;
}

static Interval combine(Binary function, Interval left, Interval right) {
  if (!left || !right)
    return std::nullopt;
  SmallVector<int64_t, 4> ends;
  for (int64_t a : {left->first, left->second})
    for (int64_t b : {right->first, right->second}) {
      int64_t end;
      bool overflows = function == Binary::Add   ? llvm::AddOverflow(a, b, end)
                       : function == Binary::Sub ? llvm::SubOverflow(a, b, end)
                                                 : llvm::MulOverflow(a, b, end);
      if (overflows)
        return std::nullopt;
      ends.push_back(end);
    }
  auto [least, most] = std::minmax_element(ends.begin(), ends.end());
  return std::pair(*least, *most);
}

/// Sums of forms with a stride, and products with constants, have strides, too.
Form Uniformity::binary(BinaryOp op) const {
  Form left = of(op.getLhs()), right = of(op.getRhs());
  Binary function = op.getFunction();
  bool isLinear = llvm::is_contained({Binary::Add, Binary::Sub, Binary::Mul}, function) &&
                  isInteger(op.getType());
  Interval range = isLinear ? combine(function, left.range, right.range) : std::nullopt;
  Spread spread = std::max(left.spread, right.spread);
  if (spread != Spread::Lane)
    return wrapped(
        uniformForm(isa<CoopMatrixType>(op.getType()) ? Spread::Subgroup : spread, range),
        op.getType());
  int64_t stride = 0;
  bool overflows = !isLinear;
  if (function == Binary::Mul) {
    const Form &factor = left.spread == Spread::Lane ? right : left;
    bool isKnown = factor.range && factor.range->first == factor.range->second;
    overflows |=
        !isKnown || llvm::MulOverflow(left.stride + right.stride, factor.range->first, stride);
  } else if (isLinear) {
    overflows |= function == Binary::Add ? llvm::AddOverflow(left.stride, right.stride, stride)
                                         : llvm::SubOverflow(left.stride, right.stride, stride);
  }
  return overflows ? varying : wrapped(laneForm(stride, range), op.getType());
}

/// A sum in a narrower type may have wrapped between two lanes; variables of loops have not.
Form Uniformity::cast(CastOp op) const {
  Form form = of(op.getOperand());
  Type from = op.getOperand().getType(), to = op.getType();
  if (isa<CoopMatrixType>(to))
    return uniformForm(Spread::Subgroup);
  if (!isInteger(to))
    return uniformForm(together(op.getOperand()));
  if (form.spread != Spread::Lane)
    return wrapped(form, to);
  auto variable = dyn_cast<BlockArgument>(op.getOperand());
  bool isExact = form.range || from.isIndex() || from.isInteger(64) ||
                 (variable && isa<ForeachOp>(variable.getOwner()->getParentOp()));
  return isExact ? wrapped(form, to) : varying;
}

Form Uniformity::builtin(BuiltinOp op) const {
  int64_t size = subgroupSizeOf(function), numSubgroups = numSubgroupsOf(function);
  switch (op.getKind()) {
  case Builtin::SubgroupId:
    return uniformForm(numSubgroups == 1 ? Spread::Group : Spread::Subgroup,
                       std::pair<int64_t, int64_t>(0, numSubgroups - 1));
  case Builtin::SubgroupLocalId:
    return laneForm(1, std::pair<int64_t, int64_t>(0, size - 1));
  case Builtin::NumSubgroups:
    return uniformForm(Spread::Group, std::pair<int64_t, int64_t>(1, numSubgroups));
  case Builtin::SubgroupSize:
    return uniformForm(Spread::Group, std::pair(size, size));
  case Builtin::GroupId:
  case Builtin::NumGroups:
    return Form();
  }
  llvm_unreachable("no such builtin");
}
