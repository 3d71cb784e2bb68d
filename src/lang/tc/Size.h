/// Size expressions: integers that are known before any tensor-wide loop runs. Immutable, and kept
/// in a canonical form, so that equal expressions are the same pointer; constants fold.
#ifndef TESSERA_LANG_TC_SIZE_H
#define TESSERA_LANG_TC_SIZE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>

namespace tessera::tc {

class SizeNode;
class SizeContext;

/// An unknown integer: a size variable, which is never negative, or a rank-0
/// integer input, which may be anything.
struct SizeSymbol {
  std::string name;
  bool isNonNegative = true;
};

/// A handle; cheap to copy. Two of one context are equal as expressions if they compare equal; the
/// reverse holds for linear ones.
class Size {
public:
  enum Kind { Constant, Symbol, Sum, Product, FloorDiv, Mod, Min, Max };

  Size() = default;
  explicit operator bool() const { return node; }
  bool operator==(const Size &) const = default;

  Kind kind() const;
  /// The value of a constant; nullopt for others.
  std::optional<int64_t> constant() const;
  /// For a symbol: its number in the context.
  unsigned symbol() const;
  /// Every size is a sum: its terms without the constant, each with its coefficient, and the
  /// constant. What is neither sum nor constant has itself as its only term.
  struct Term;
  llvm::ArrayRef<Term> terms() const;
  int64_t offset() const;
  /// For the other kinds: both sides, or all factors.
  llvm::ArrayRef<Size> operands() const;
  /// As a reader would write it: "floor((H - KH) / 2) + 1".
  std::string str() const;
  /// For tables: the same for equal expressions of one context.
  const SizeNode *key() const { return node; }

private:
  friend class SizeContext;
  explicit Size(const SizeNode *node) : node(node) {}
  const SizeNode *node = nullptr;
};

struct Size::Term {
  int64_t coefficient;
  Size atom; ///< Neither constant nor sum.
};

/// Creates and owns sizes. Overflow of 64 bits is remembered, never wrapped: see `overflowed`. The
/// result is then null, and so is the result of every operation on a null size.
class SizeContext {
public:
  SizeContext();
  ~SizeContext();

  Size symbol(SizeSymbol symbol); ///< A new one.

  Size constant(int64_t value);
  Size add(Size a, Size b);
  Size sub(Size a, Size b);
  Size mul(Size a, Size b);
  /// Towards minus infinity; the remainder has the sign of the divisor. By zero: null.
  Size floorDiv(Size a, Size b);
  Size ceilDiv(Size a, Size b);
  Size mod(Size a, Size b);
  Size min(Size a, Size b);
  Size max(Size a, Size b);

  /// The value for these symbols; nullopt on overflow or division by zero.
  std::optional<int64_t> evaluate(Size size, llvm::ArrayRef<int64_t> symbols) const;
  /// Whether any operation so far has overflowed 64 bits, or nested sizes too deeply.
  bool overflowed() const;

  /// Constant bounds that hold for all values of the symbols; nullopt if there is none.
  std::optional<int64_t> lowerBound(Size size) const;
  std::optional<int64_t> upperBound(Size size) const;
  /// a <= b: true or false if that holds for all values of the symbols, otherwise nullopt.
  std::optional<bool> isAtMost(Size a, Size b);
  /// Draws on the budget of all proofs; false when it is used up. The budget bounds the time for a
  /// program of any size to a second or two, and always gives the same result.
  bool spend(uint64_t effort);

private:
  Size intern(const SizeNode &prototype);
  Size fail();
  Size sum(llvm::ArrayRef<Size::Term> terms, int64_t offset);
  Size scale(Size size, int64_t factor);
  Size product(llvm::ArrayRef<Size> factors);
  Size divideTerms(Size size, int64_t divisor, Size &remainder);
  Size floorDivBy(Size dividend, int64_t divisor);
  Size extreme(Size::Kind kind, Size a, Size b);
  void flatten(Size::Kind kind, Size size, llvm::SmallVectorImpl<Size> &candidates);
  bool isNeverNegative(Size size);

  struct State;
  std::unique_ptr<State> state;
};

} // namespace tessera::tc

#endif
