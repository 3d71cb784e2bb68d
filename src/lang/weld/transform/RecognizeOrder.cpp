#include "lang/weld/ir/Sizes.h"
#include "lang/weld/transform/Passes.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_RECOGNIZEORDER
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera::weld::ir;
using namespace tessera::weld;

namespace {

/// Runs a comparator on two elements of which only the order of their keys is known.
class Comparator {
public:
  explicit Comparator(SortOp sort) : sort(sort) {}

  /// The sign that the comparator yields for keys in this order; nullopt if that depends on more.
  std::optional<int> signFor(int order) {
    relation = order;
    std::optional<int64_t> value = evaluate(sort.yield().getValues()[0]);
    if (!value)
      return std::nullopt;
    return *value > 0 ? 1 : *value < 0 ? -1 : 0;
  }

  ArrayRef<int64_t> path() const { return keyPath; }

private:
  /// The number of the element of which a value is a field, and the path to the field.
  std::optional<unsigned> fieldOf(Value value, SmallVectorImpl<int64_t> &way) {
    while (auto field = value.getDefiningOp<FieldOp>()) {
      way.insert(way.begin(), field.getIndex());
      value = field.getOperand();
    }
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &sort.getComparator().front())
      return std::nullopt;
    return argument.getArgNumber();
  }

  std::optional<int64_t> compare(BinaryOp op) {
    SmallVector<int64_t> left, right;
    std::optional<unsigned> lhs = fieldOf(op.getLhs(), left), rhs = fieldOf(op.getRhs(), right);
    if (!lhs || !rhs || *lhs == *rhs || left != right || !isScalar(op.getLhs().getType()))
      return std::nullopt;
    if (hasKey && left != keyPath)
      return std::nullopt;
    hasKey = true;
    keyPath = left;
    int order = *lhs == 0 ? relation : -relation;
    switch (op.getFunction()) {
    case Binary::Less:
      return order < 0;
    case Binary::LessEqual:
      return order <= 0;
    case Binary::Greater:
      return order > 0;
    case Binary::GreaterEqual:
      return order >= 0;
    case Binary::Equal:
      return order == 0;
    case Binary::NotEqual:
      return order != 0;
    default:
      return std::nullopt;
    }
  }

  std::optional<int64_t> evaluate(Value value) {
    if (std::optional<int64_t> constant = constantInt(value))
      return constant;
    if (auto binary = value.getDefiningOp<BinaryOp>())
      return compare(binary);
    if (auto unary = value.getDefiningOp<UnaryOp>()) {
      std::optional<int64_t> operand = evaluate(unary.getOperand());
      if (!operand)
        return std::nullopt;
      if (unary.getFunction() == Unary::Not)
        return !*operand;
      // The least number of a type is its own negation.
      return llvm::SignExtend64(-uint64_t(*operand), value.getType().getIntOrFloatBitWidth());
    }
    if (auto select = value.getDefiningOp<SelectOp>()) {
      std::optional<int64_t> condition = evaluate(select.getCondition());
      if (!condition)
        return std::nullopt;
      return evaluate(*condition ? select.getOnTrue() : select.getOnFalse());
    }
    if (auto branch = value.getDefiningOp<IfOp>()) {
      std::optional<int64_t> condition = evaluate(branch.getCondition());
      if (!condition)
        return std::nullopt;
      YieldOp yield = *condition ? branch.thenYield() : branch.elseYield();
      return evaluate(yield.getValues()[cast<OpResult>(value).getResultNumber()]);
    }
    return std::nullopt;
  }

  SortOp sort;
  int relation = 0;
  bool hasKey = false;
  SmallVector<int64_t> keyPath;
};

} // namespace

static void recognize(SortOp sort) {
  if (mayFail(sort))
    return;
  Comparator comparator(sort);
  std::optional<int> less = comparator.signFor(-1), equal = comparator.signFor(0),
                     greater = comparator.signFor(1);
  if (!less || !greater || equal != 0 || *less != -*greater || *less == 0)
    return;
  sort.setOrder(*less < 0 ? "ascending" : "descending");
  sort.setPath(comparator.path());
}

namespace {

struct RecognizeOrder : transform::impl::RecognizeOrderBase<RecognizeOrder> {
  void runOnOperation() override { getOperation().walk(recognize); }
};

} // namespace
