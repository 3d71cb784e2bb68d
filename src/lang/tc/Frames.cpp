#include "lang/tc/Inference.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::tc;

/// Each makes proofs more expensive.
static constexpr size_t maxAssumptions = 8;
static constexpr size_t maxParts = 8;

void FrameInference::run() {
  for (const Stmt *stmt : frame.def->body)
    std::visit([&](const auto &node) { infer(node, *stmt); }, stmt->node);
}

const Shape *FrameInference::shapeOf(const Tensor &tensor) const {
  auto found = frame.tensors.find(&tensor);
  return found == frame.tensors.end() ? nullptr : &found->second;
}

/// In a call: errors that the def has for all sizes have been reported in the def.
bool FrameInference::fails() {
  shared.inferred.isCorrect = false;
  return isEntry() || shared.isTrial || !shared.bindings.empty() ||
         shared.isCorrectAlone(*frame.def);
}

void FrameInference::infer(const Comprehension &statement, const Stmt &self) {
  if (!StatementInference(*this, statement, self).run())
    return leaveOut(*statement.tensor);
  Shape shape(llvm::ArrayRef(frame.variables[&statement]).take_front(statement.indices.size()));
  if (!checkBytes(*statement.tensor, shape, statement.target))
    return leaveOut(*statement.tensor);
  define(*statement.tensor, shape, statement.target, /*isCall=*/false);
}

//===- Preconditions ----------------------------------------------------------------------------===

/// slack >= 0 as a reader would write it: no term is negative on either side.
static std::pair<Size, Size> sides(Size slack, SizeContext &sizes) {
  Size smaller = sizes.constant(0), larger = smaller;
  for (const Size::Term &term : slack.terms())
    if (term.coefficient < 0)
      smaller = sizes.sub(smaller, sizes.mul(sizes.constant(term.coefficient), term.atom));
    else
      larger = sizes.add(larger, sizes.mul(sizes.constant(term.coefficient), term.atom));
  Size offset = sizes.constant(slack.offset());
  if (larger.constant())
    larger = sizes.add(larger, offset);
  else
    smaller = sizes.sub(smaller, offset);
  return {smaller, larger};
}

void FrameInference::addPrecondition(Precondition condition) {
  if (condition.state == Precondition::False)
    shared.inferred.isCorrect = false;
  else if (condition.smaller) {
    shared.assumptions.push_back(sizes.sub(condition.larger, condition.smaller));
    if (condition.isEquality)
      shared.assumptions.push_back(sizes.sub(condition.smaller, condition.larger));
  }
  frame.preconditions.push_back(std::move(condition));
}

Report FrameInference::warn(SourceRange where, const std::string &needed, const std::string &why) {
  return fail(where, diag::NotProved, needed, why).hint("it is checked in every call");
}

Facts FrameInference::assumptionsAbout(Size size) const {
  llvm::DenseSet<const SizeNode *> symbols;
  auto remember = [&](Size symbol) { return symbols.insert(symbol.key()), false; };
  auto isKnown = [&](Size symbol) { return symbols.contains(symbol.key()); };
  mentions(size, remember);
  Facts facts;
  for (Size assumption : shared.assumptions)
    if (assumption && facts.size() < maxAssumptions && mentions(assumption, isKnown))
      facts.push_back(assumption);
  return facts;
}

std::optional<bool> FrameInference::isNeverNegative(Size slack) {
  std::optional<bool> holds = sizes.isAtMost(sizes.constant(0), slack);
  Facts facts = holds || !slack ? Facts() : assumptionsAbout(slack);
  if (facts.empty())
    return holds;
  SizeProof proof(sizes);
  for (Size fact : facts)
    proof.assume(fact);
  return proof.assumeNegative(slack).solve() == SizeProof::Impossible ? std::optional(true)
                                                                      : std::nullopt;
}

/// x + min(a, b) is not negative if x + a and x + b are not; and so on.
static void splitMinima(Size slack, SizeContext &sizes, llvm::SmallVectorImpl<Size> &parts) {
  for (const Size::Term &term : slack.terms()) {
    if (term.atom.kind() != (term.coefficient > 0 ? Size::Min : Size::Max))
      continue;
    Size factor = sizes.constant(term.coefficient),
         rest = sizes.sub(slack, sizes.mul(factor, term.atom));
    for (Size operand : term.atom.operands())
      if (Size part = sizes.add(rest, sizes.mul(factor, operand)); part && parts.size() < maxParts)
        splitMinima(part, sizes, parts);
      else
        parts.push_back(part ? part : slack);
    return;
  }
  parts.push_back(slack);
}

Verdict FrameInference::require(Size slack, SourceRange where, bool isSilent) {
  return requireParts(sizes.constant(1), slack, where, isSilent);
}

Verdict FrameInference::requireIf(Size isAny, Size slack, SourceRange where) {
  return requireParts(isAny, slack, where, /*isSilent=*/false);
}

Verdict FrameInference::requireParts(Size isAny, Size slack, SourceRange where, bool isSilent) {
  if (!slack)
    return Verdict::Unknown;
  requirement.clear();
  llvm::SmallVector<Size> parts;
  splitMinima(slack, sizes, parts);
  Verdict verdict = Verdict::Proved;
  for (Size part : parts)
    verdict = std::max(verdict, requirePart(isAny, part, where, isSilent));
  return verdict;
}

Verdict FrameInference::requirePart(Size isAny, Size slack, SourceRange where, bool isSilent) {
  std::optional<bool> holds = isNeverNegative(slack);
  if (holds == true)
    return Verdict::Proved;
  Precondition condition;
  condition.where = where;
  condition.state = holds == false ? Precondition::False : Precondition::Unknown;
  condition.isSilent = isSilent;
  std::tie(condition.smaller, condition.larger) = sides(slack, sizes);
  condition.text = condition.smaller.str() + " <= " + condition.larger.str();
  std::string before = std::move(requirement);
  requireIf(isAny, std::move(condition));
  requirement = (before.empty() ? "" : before + " and ") + requirement;
  return holds == false ? Verdict::False : Verdict::Unknown;
}

/// If a product is too large for an integer, the condition is required for all sizes.
void FrameInference::requireIf(Size isAny, Precondition condition) {
  Size smaller = sizes.mul(isAny, condition.smaller), larger = sizes.mul(isAny, condition.larger);
  if (smaller && larger)
    condition.smaller = smaller, condition.larger = larger;
  requirement = condition.text;
  addPrecondition(std::move(condition));
}

Verdict FrameInference::requireEqual(Size a, Size b, SourceRange where) {
  std::optional<bool> isAbove = isNeverNegative(sizes.sub(b, a)),
                      isBelow = isNeverNegative(sizes.sub(a, b));
  if (isAbove == true && isBelow == true)
    return Verdict::Proved;
  bool isFalse = isAbove == false || isBelow == false;
  Precondition condition;
  condition.where = where;
  condition.state = isFalse ? Precondition::False : Precondition::Unknown;
  condition.smaller = a;
  condition.larger = b;
  condition.isEquality = true;
  requirement = condition.text = a.str() + " == " + b.str();
  addPrecondition(std::move(condition));
  return isFalse ? Verdict::False : Verdict::Unknown;
}

//===- Definitions ------------------------------------------------------------------------------===

void FrameInference::define(const Tensor &tensor, const Shape &shape, const Name &where,
                            bool isCall) {
  if (unknown.contains(&tensor))
    return;
  if (!shapeOf(tensor)) {
    frame.tensors[&tensor] = shape;
    if (tensor.kind == Tensor::Output && tensor.declared)
      checkAnnotation(tensor, shape, where);
  } else if (isCall)
    checkSame(tensor, shape, where);
  else
    checkPart(tensor, shape, where);
}

/// No memory has room for more bytes than a 64-bit integer can count.
bool FrameInference::checkBytes(const Tensor &tensor, const Shape &shape, const Name &where) {
  int64_t bytes = std::max(bitsOf(tensor.element) / 8, 1u);
  std::string extents;
  bool isTooLarge = false;
  for (const Range &range : shape) {
    Size extent = sizes.sub(range.upper, range.lower);
    if (!extent.constant() || extent.constant() == 0)
      return true;
    isTooLarge |= llvm::MulOverflow(bytes, *extent.constant(), bytes);
    extents += (extents.empty() ? "" : " x ") + extent.str();
  }
  if (isTooLarge && fails())
    fail(where.range, diag::TensorTooLarge, where.text, extents, spelling(tensor.element));
  return !isTooLarge;
}

/// The sizes that the type of a return states [tc.type.12].
void FrameInference::checkAnnotation(const Tensor &tensor, const Shape &shape, const Name &where) {
  for (auto [number, range] : llvm::enumerate(shape)) {
    const Dimension &dimension = tensor.declared->dimensions[number];
    Size declared =
        dimension.name.empty() ? sizes.constant(dimension.size) : frame.sizes[dimension.variable];
    Size extent = sizes.sub(range.upper, range.lower);
    Verdict verdict = requireEqual(declared, extent, dimension.range);
    if (verdict == Verdict::False && fails())
      fail(dimension.range, diag::AnnotatedSize, number, tensor.name.text,
           shared.program.excerpt(dimension.range), extent.str())
          .note(where.range, "it is defined here");
    else if (verdict == Verdict::Unknown && warns())
      warn(dimension.range, requirement,
           llvm::formatv("`{0}` has {1} elements in dimension {2}", tensor.name.text, extent.str(),
                         number));
  }
}

/// Checks that a later statement covers the whole tensor or a part of it [tc.order.8].
void FrameInference::checkPart(const Tensor &tensor, const Shape &shape, const Name &where) {
  for (auto [number, part, whole] : llvm::enumerate(shape, *shapeOf(tensor))) {
    Verdict below = require(sizes.sub(part.lower, whole.lower), where.range);
    std::string needed = below == Verdict::Unknown ? requirement : "";
    Verdict above = require(sizes.sub(whole.upper, part.upper), where.range);
    if (above == Verdict::Unknown)
      needed += (needed.empty() ? "" : " and ") + requirement;
    if (below == Verdict::False || above == Verdict::False) {
      if (fails())
        fail(where.range, diag::LeavesRange, part.str(), number, where.text, whole.str())
            .note(tensor.name.range, "it was defined here");
    } else if (!needed.empty() && warns())
      warn(where.range, needed,
           llvm::formatv(
               "dimension {0} of `{1}` was defined with the range {2}, but this covers {3}", number,
               where.text, whole.str(), part.str()));
  }
}

/// Checks that the result of a call has the range of the tensor, all of which it replaces.
void FrameInference::checkSame(const Tensor &tensor, const Shape &shape, const Name &where) {
  for (auto [number, range, whole] : llvm::enumerate(shape, *shapeOf(tensor)))
    for (auto [found, known] : {std::pair(range.lower, whole.lower), {range.upper, whole.upper}}) {
      Verdict verdict = requireEqual(found, known, where.range);
      if (verdict == Verdict::False && fails())
        fail(where.range, diag::OtherRange, range.str(), number, where.text, whole.str())
            .note(tensor.name.range, "it was defined here");
      if (verdict == Verdict::False)
        break;
      if (verdict == Verdict::Unknown && warns())
        warn(where.range, requirement,
             llvm::formatv("dimension {0} of `{1}` was defined with the range {2}", number,
                           where.text, whole.str()));
    }
}
