/// Which types match, and sizes that follow from constants alone: `v{0...3}` has type `[?]`, but
/// three elements.
#include "lang/ttl/Check.h"
#include "lang/ttl/Constant.h"

using namespace tessera;
using namespace tessera::ttl;

static bool contradict(int64_t left, int64_t right) {
  return left != Type::dynamic && right != Type::dynamic && left != right;
}

static bool sizesAgree(const Type &a, const Type &b) {
  auto sizes = llvm::zip_equal(a.sizes, b.sizes);
  return llvm::none_of(sizes, [](auto pair) { return std::apply(contradict, pair); });
}

static bool isCompatible(const Type &declared, const Type &actual) {
  if (!declared.isMatrix() || !actual.isMatrix())
    return declared == actual;
  return declared.element == actual.element && declared.rank() == actual.rank() &&
         sizesAgree(declared, actual);
}

bool Checker::matches(const Type &declared, const Type &actual) const {
  return options.pedantic ? declared == actual : isCompatible(declared, actual);
}

bool Checker::onlyPedantic(const Type &declared, const Type &actual) const {
  return options.pedantic && declared != actual && isCompatible(declared, actual);
}

/// The type with all sizes that are known, for comparisons and messages.
Type Checker::exactType(const Expr &expr) const {
  Type type = expr.type;
  if (auto known = exactSizes.find(&expr.bare()); known != exactSizes.end())
    type.sizes = known->second;
  return type;
}

void Checker::noteSliceSizes(const Slice &slice, const Expr &self, const Type &type) {
  llvm::SmallVector<int64_t> sizes(type.sizes);
  for (auto [size, index] : llvm::zip_equal(sizes, slice.indices)) {
    auto *range = index->bare().as<Binary>();
    if (index->type.kind != Type::Range || !range)
      continue;
    auto begin = constantValue(*range->lhs), end = constantValue(*range->rhs);
    if (begin && end && *begin <= *end)
      size = *end - *begin;
  }
  if (type.sizes != llvm::ArrayRef(sizes))
    noteSizes(self, sizes);
}

/// Checks the sizes of elementwise operands, whose types agree.
void Checker::checkElementwiseSizes(const Binary &op, const Expr &self) {
  Type lhs = exactType(*op.lhs), rhs = exactType(*op.rhs);
  if (lhs == op.lhs->type && rhs == op.rhs->type)
    return;
  llvm::SmallVector<int64_t> sizes;
  bool agree = true;
  for (auto [left, right] : llvm::zip_equal(lhs.sizes, rhs.sizes)) {
    sizes.push_back(left == Type::dynamic ? right : left);
    agree &= !contradict(left, right);
  }
  if (agree)
    return noteSizes(self, sizes);
  failIfRun(self.range, diag::ShapesDiffer, spelling(op.op), lhs.str(), rhs.str())
      .label(op.lhs->range, "`{0}`", lhs.str())
      .label(op.rhs->range, "`{0}`", rhs.str());
}

/// Checks the inner sizes of `#`; the types of its operands agree.
void Checker::checkInnerSizes(const Binary &op, const Expr &self) {
  Type lhs = exactType(*op.lhs), rhs = exactType(*op.rhs);
  if (lhs == op.lhs->type && rhs == op.rhs->type)
    return;
  int64_t left = lhs.sizes[1], right = rhs.sizes[0];
  noteSizes(self, {lhs.sizes[0], rhs.sizes[1]});
  if (contradict(left, right))
    failIfRun(self.range, diag::InnerSizesDiffer, left, right)
        .label(op.lhs->range, "{0}", counted(left, "column", "columns"))
        .label(op.rhs->range, "{0}", counted(right, "row", "rows"));
}

/// Checks the sizes of an initializer, an assigned value, an argument or a result, whose types
/// agree.
void Checker::checkValueSizes(const Type &declared, const Expr &value) {
  if (!declared.isMatrix())
    return;
  Type exact = exactType(value);
  if (!sizesAgree(declared, exact))
    failIfRun(value.range, diag::SizesContradict, program.excerpt(value.range), exact.str(),
              declared.str());
}
