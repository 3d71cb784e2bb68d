#include "lang/tc/Size.h"
#include "lang/tc/SizeNode.h"
#include "lang/tc/SizeProof.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MathExtras.h"
#include <deque>

namespace tessera::tc {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using Term = Size::Term;

/// Beyond this, phases that recurse over sizes could run out of stack.
static constexpr unsigned maxDepth = 1000;
/// A product of sums with more terms than this stays a product.
static constexpr size_t maxTerms = 64;
/// Each pair of them is compared.
static constexpr size_t maxExtremeOperands = 12;

struct SizeContext::State {
  llvm::BumpPtrAllocator arena;
  std::deque<SizeSymbol> symbols;
  llvm::FoldingSet<SizeNode> nodes;
  unsigned numNodes = 0;
  bool overflowed = false;
  uint64_t effortLeft = 20'000'000;
  llvm::DenseMap<const SizeNode *, bool> proofs; ///< What is never negative.
};

SizeContext::SizeContext() : state(std::make_unique<State>()) {}
SizeContext::~SizeContext() = default;

Size::Kind Size::kind() const {
  return node->kind;
}
ArrayRef<Term> Size::terms() const {
  return node->terms;
}
ArrayRef<Size> Size::operands() const {
  return node->operands;
}
unsigned Size::symbol() const {
  return node->value;
}
std::optional<int64_t> Size::constant() const {
  return node && node->kind == Constant ? std::optional(node->value) : std::nullopt;
}
int64_t Size::offset() const {
  return node->kind == Constant || node->kind == Sum ? node->value : 0;
}

void SizeNode::Profile(llvm::FoldingSetNodeID &key) const {
  key.AddInteger(kind);
  key.AddInteger(value);
  if (kind == Size::Sum)
    for (const Term &term : terms) {
      key.AddInteger(term.coefficient);
      key.AddPointer(term.atom.key());
    }
  for (Size operand : operands)
    key.AddPointer(operand.key());
}

Size SizeContext::fail() {
  state->overflowed = true;
  return {};
}

bool SizeContext::overflowed() const {
  return state->overflowed;
}

Size SizeContext::intern(const SizeNode &prototype) {
  llvm::FoldingSetNodeID key;
  prototype.Profile(key);
  void *position;
  if (const SizeNode *known = state->nodes.FindNodeOrInsertPos(key, position))
    return Size(known);
  unsigned depth = 0;
  for (Size operand : prototype.operands)
    depth = std::max(depth, operand.node->depth);
  for (const Term &term : prototype.terms)
    depth = std::max(depth, term.atom.node->depth);
  if (depth >= maxDepth)
    return fail();
  auto *node = new (state->arena.Allocate<SizeNode>()) SizeNode(prototype);
  node->terms = node->terms.copy(state->arena);
  node->operands = node->operands.copy(state->arena);
  node->id = state->numNodes++;
  node->depth = depth + 1;
  if (node->kind == Size::Symbol)
    node->name = state->symbols[node->value].name;
  else if (node->kind == Size::Constant)
    node->interval = {node->value, node->value};
  else
    node->interval = intervalOf(*node);
  if (node->kind != Size::Constant && node->kind != Size::Sum)
    node->terms = ArrayRef<Term>(*new (state->arena.Allocate<Term>()) Term{1, Size(node)});
  state->nodes.InsertNode(node, position);
  return Size(node);
}

Size SizeContext::symbol(SizeSymbol symbol) {
  state->symbols.push_back(std::move(symbol));
  SizeNode node = SizeNode::make(Size::Symbol, state->symbols.size() - 1, {}, {});
  if (state->symbols.back().isNonNegative)
    node.interval.lower = 0;
  return intern(node);
}

Size SizeContext::constant(int64_t value) {
  return intern(SizeNode::make(Size::Constant, value, {}, {}));
}

Size SizeContext::sum(ArrayRef<Term> terms, int64_t offset) {
  if (terms.empty())
    return constant(offset);
  if (terms.size() == 1 && terms[0].coefficient == 1 && offset == 0)
    return terms[0].atom;
  return intern(SizeNode::make(Size::Sum, offset, terms, {}));
}

Size SizeContext::add(Size a, Size b) {
  if (!a || !b)
    return {};
  int64_t offset;
  if (llvm::AddOverflow(a.offset(), b.offset(), offset))
    return fail();
  SmallVector<Term> merged;
  ArrayRef<Term> left = a.terms(), right = b.terms();
  while (!left.empty() || !right.empty()) {
    if (right.empty() || (!left.empty() && left[0].atom.node->id < right[0].atom.node->id)) {
      merged.push_back(left.consume_front());
      continue;
    }
    Term term = right.consume_front();
    if (!left.empty() && left[0].atom == term.atom)
      if (llvm::AddOverflow(left.consume_front().coefficient, term.coefficient, term.coefficient))
        return fail();
    if (term.coefficient != 0)
      merged.push_back(term);
  }
  return sum(merged, offset);
}

Size SizeContext::scale(Size size, int64_t factor) {
  if (!size || factor == 1)
    return size;
  if (factor == 0)
    return constant(0);
  int64_t offset;
  if (llvm::MulOverflow(size.offset(), factor, offset))
    return fail();
  SmallVector<Term> scaled(size.terms());
  for (Term &term : scaled)
    if (llvm::MulOverflow(term.coefficient, factor, term.coefficient))
      return fail();
  return sum(scaled, offset);
}

Size SizeContext::sub(Size a, Size b) {
  return add(a, scale(b, -1));
}

/// The product of factors that are not constants; products among them are flattened.
Size SizeContext::product(ArrayRef<Size> factors) {
  SmallVector<Size> flat;
  for (Size factor : factors)
    if (factor.kind() == Size::Product)
      flat.append(factor.operands().begin(), factor.operands().end());
    else
      flat.push_back(factor);
  llvm::stable_sort(flat, [](Size a, Size b) { return a.node->id < b.node->id; });
  return intern(SizeNode::make(Size::Product, 0, {}, flat));
}

Size SizeContext::mul(Size a, Size b) {
  if (!a || !b)
    return {};
  if (auto factor = b.constant())
    return scale(a, *factor);
  if (auto factor = a.constant())
    return scale(b, *factor);
  if (a.terms().size() * b.terms().size() > maxTerms)
    return product({a, b});
  // (A + a)(B + b) = (A + a)*b + B*a + A*B
  Size result = add(scale(a, b.offset()), scale(sum(b.terms(), 0), a.offset()));
  for (const Term &left : a.terms())
    for (const Term &right : b.terms()) {
      int64_t coefficient;
      if (llvm::MulOverflow(left.coefficient, right.coefficient, coefficient))
        return fail();
      result = add(result, scale(product({left.atom, right.atom}), coefficient));
    }
  return result;
}

Size SizeContext::min(Size a, Size b) {
  return extreme(Size::Min, a, b);
}
Size SizeContext::max(Size a, Size b) {
  return extreme(Size::Max, a, b);
}

/// k*min(a, b) + c is min(k*a + c, k*b + c), or the max of them for a negative k.
static std::optional<Term> onlyTerm(Size size, Size::Kind wanted) {
  if (size.terms().size() != 1)
    return std::nullopt;
  Term term = size.terms()[0];
  Size::Kind mirrored = wanted == Size::Min ? Size::Max : Size::Min;
  return term.atom.kind() == (term.coefficient > 0 ? wanted : mirrored) ? std::optional(term)
                                                                        : std::nullopt;
}

/// Appends the operands of the min or max.
void SizeContext::flatten(Size::Kind kind, Size size, SmallVectorImpl<Size> &candidates) {
  auto term = onlyTerm(size, kind);
  if (!term)
    return candidates.push_back(size);
  for (Size operand : term->atom.operands())
    candidates.push_back(add(scale(operand, term->coefficient), constant(size.offset())));
}

Size SizeContext::extreme(Size::Kind kind, Size a, Size b) {
  if (!a || !b)
    return {};
  SmallVector<Size> candidates, kept;
  flatten(kind, a, candidates);
  flatten(kind, b, candidates);
  auto makesNeedless = [&](Size one, Size other) {
    if (one == other || candidates.size() > maxExtremeOperands)
      return one == other;
    return kind == Size::Min ? isAtMost(one, other) == true : isAtMost(other, one) == true;
  };
  for (Size candidate : candidates) {
    if (!candidate)
      return {};
    if (llvm::any_of(kept, [&](Size other) { return makesNeedless(other, candidate); }))
      continue;
    llvm::erase_if(kept, [&](Size other) { return makesNeedless(candidate, other); });
    kept.push_back(candidate);
  }
  llvm::stable_sort(kept, [](Size a, Size b) { return a.node->id < b.node->id; });
  return kept.size() == 1 ? kept[0] : intern(SizeNode::make(kind, 0, {}, kept));
}

bool SizeContext::spend(uint64_t effort) {
  if (state->effortLeft < effort)
    return false;
  state->effortLeft -= effort;
  return true;
}

/// Whether it holds for all values of the symbols.
bool SizeContext::isNeverNegative(Size size) {
  if (auto bound = lowerBound(size); bound && *bound >= 0)
    return true;
  if (size.constant())
    return false;
  auto [known, isNew] = state->proofs.try_emplace(size.node, false);
  if (!isNew)
    return known->second;
  bool proved = SizeProof(*this).assumeNegative(size).solve() == SizeProof::Impossible;
  return state->proofs[size.node] = proved;
}

std::optional<bool> SizeContext::isAtMost(Size a, Size b) {
  bool overflowedBefore = state->overflowed;
  Size difference = sub(b, a), excess = sub(sub(a, b), constant(1));
  state->overflowed = overflowedBefore; // A failed proof is not an error of the program.
  if (difference && isNeverNegative(difference))
    return true;
  return excess && isNeverNegative(excess) ? std::optional(false) : std::nullopt;
}

} // namespace tessera::tc
