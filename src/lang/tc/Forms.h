/// The integers of a statement as sizes. Index variables, and values that are read from tensors,
/// become symbols, so that one algebra serves bounds, indices and conditions.
#ifndef TESSERA_LANG_TC_FORMS_H
#define TESSERA_LANG_TC_FORMS_H

#include "lang/tc/Ranges.h"
#include "lang/tc/SizeProof.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace tessera::tc {

/// What is known where a condition holds: all facts of at least one of these lists. No list means
/// that it never holds, an empty one that nothing is known.
struct Condition {
  llvm::SmallVector<Facts, 2> alternatives = {Facts()};
  bool isExact = true; ///< The facts are equivalent to the condition.

  static Condition unknown() { return {{Facts()}, false}; }
};
Condition both(const Condition &a, const Condition &b);
Condition either(const Condition &a, const Condition &b);

inline bool isIntegral(std::optional<Scalar> type) {
  return type && (kindOf(*type) == ScalarKind::Signed || kindOf(*type) == ScalarKind::Unsigned);
}

/// Whether a wanted symbol occurs in it.
bool mentions(Size size, llvm::function_ref<bool(Size)> wanted);

/// A lower and an upper limit of a value; not exact.
struct RealInterval {
  double least, most;

  bool contains(const RealInterval &inner) const {
    return least <= inner.least && inner.most <= most;
  }
};

class Forms {
public:
  /// For size expressions only; everything else gives null.
  Forms(const Frame &frame, Inferred &inferred) : frame(frame), sizes(inferred.sizes) {}
  /// For a bound, which is computed in 64 bits whatever the types of its parts.
  static Size ofBound(const Expr &expr, const Frame &frame, Inferred &inferred);
  Forms(const Comprehension &statement, const Frame &frame, Inferred &inferred);

  /// Never null in a statement: a value that is not a size, or is too large, is a symbol of which
  /// only the type is known.
  Size of(const Expr &expr);
  /// What holds where the condition has this value.
  Condition condition(const Expr &expr, bool value);

  llvm::ArrayRef<Size> variables() const { return variableSymbols; }
  /// The number of the variable that a symbol stands for.
  std::optional<unsigned> variableOf(Size symbol) const;
  /// Whether the value depends on more than sizes and index variables.
  bool hasData(Size size) const;
  bool hasVariable(Size size) const;
  /// Whether nothing but index variables, and what `?:` chooses by them, can vary in it.
  bool isDetermined(Size size) const;

  /// What holds for the values that were read: the ranges of their types.
  llvm::ArrayRef<Size> dataFacts() const { return typeFacts; }
  /// What holds for the values of `?:`, and for those that may have wrapped around.
  llvm::ArrayRef<Condition> choices() const { return conditionals; }

private:
  Size form(const IntLiteral &literal, const Expr &self);
  Size form(const FloatLiteral &, const Expr &self) { return opaque(self); }
  Size form(const Reference &reference, const Expr &self);
  Size form(const Paren &paren, const Expr &) { return of(*paren.inner); }
  Size form(const Apply &apply, const Expr &self);
  Size form(const Cast &cast, const Expr &self);
  Size form(const Extent &extent, const Expr &self);
  Size form(const Unary &unary, const Expr &self);
  Size form(const Binary &binary, const Expr &self);
  Size form(const Conditional &conditional, const Expr &self);
  Size formOf(const LetClause &let);
  Size element(const Tensor &tensor, llvm::ArrayRef<Expr *> indices, const Expr &self);
  /// A value of which only the type is known.
  Size opaque(const Expr &self);
  Size newData(llvm::StringRef name, std::optional<Scalar> type);
  /// The result of arithmetic, which wraps around in the type it is computed in [tc.own.8].
  Size wrapped(Size value, const Expr &self);
  /// The value converted to a type that may not contain it.
  Size cut(Size value, Scalar type);
  Size lowerBits(Size value, Scalar type);
  Condition cutsTo(Size value, Size result, Scalar type, const RealInterval &interval);
  RealInterval intervalOf(Size size) const;
  RealInterval intervalOfAtom(Size atom) const;
  Condition conditionOf(const LetClause &let, bool value);
  Condition compare(const Binary &binary, bool value);

  const Frame &frame;
  SizeContext &sizes;
  bool hasStatement = false, isBound = false;
  unsigned depth = 0;
  llvm::SmallVector<Size> variableSymbols;
  llvm::DenseMap<const SizeNode *, unsigned> variableNumbers;
  llvm::DenseSet<const SizeNode *> data; ///< And what `?:` chooses.
  llvm::DenseSet<const SizeNode *> chosen;
  llvm::SmallVector<Size> typeFacts;
  llvm::SmallVector<Condition> conditionals;
  llvm::DenseMap<const SizeNode *, RealInterval> intervals; ///< The limits of data.
  std::map<std::pair<const SizeNode *, Scalar>, Size> cuts;
  llvm::DenseMap<const LetClause *, Size> lets;
  llvm::DenseMap<const LetClause *, std::pair<Condition, Condition>> letConditions;
  llvm::DenseMap<const Expr *, Size> opaques;
  /// The same element read twice is the same value.
  std::map<std::pair<const Tensor *, std::vector<const SizeNode *>>, Size> elements;
};

} // namespace tessera::tc

#endif
