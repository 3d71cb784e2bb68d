/// Scalars of TC with their uncertainty. An integer is exact. A float is the result of one correct
/// computation, with a bound for the distance of others: sums may be regrouped, products may be
/// added without rounding, and functions are a few units off [tc.reduce.6, tc.builtin.5].
#ifndef TESSERA_TESTS_RANDOM_TC_NUMBER_H
#define TESSERA_TESTS_RANDOM_TC_NUMBER_H

#include "lang/tc/Syntax.h"

namespace tessera::tc::random {

struct Number {
  int64_t integer = 0;  ///< Value of integers and bools; a uint64 by its bits.
  double real = 0;      ///< Value of floats.
  double error = 0;     ///< Error of floats; infinite if nothing is known.
  double unrounded = 0; ///< For products: the distance of the exact one.

  static Number ofInt(int64_t value) { return {.integer = value}; }
  static Number ofFloat(double value, double error = 0) { return {.real = value, .error = error}; }
  static Number unknown();
  bool isKnown() const { return error <= 1e300; }
  bool isExact() const { return error == 0; }
};

bool isFloating(Scalar type);
bool isHalf(Scalar type);
/// The unit roundoff, the smallest and the largest number of the type used for the computation.
double roundoffOf(Scalar type);
double tiniestOf(Scalar type);
double largestOf(Scalar type);

/// The lower bits, sign- or zero-extended [tc.own.8].
int64_t wrapped(int64_t value, Scalar type);
/// Rounds to the precision of computation: float32 for halves [tc.own.5].
double computed(double value, Scalar type);
/// Rounds to the precision of the type itself, as for a store.
Number stored(const Number &value, Scalar type);

// Returns nullopt for decisions that depend on a float that is not known exactly enough.

std::optional<Number> convert(const Number &value, Scalar from, Scalar to);
/// An explicit cast to a half or bfloat16: rounded once [tc.own.5].
Number castToHalf(const Number &value, Scalar from, Scalar to);
std::optional<bool> compare(BinaryOp op, Scalar type, const Number &lhs, const Number &rhs);
Number negated(const Number &value, Scalar type);
Number arithmetic(BinaryOp op, Scalar type, const Number &lhs, const Number &rhs);
Number smallerOrLarger(bool isMax, Scalar type, const Number &lhs, const Number &rhs);
/// A built-in function other than `min` and `max`.
Number function(Builtin builtin, Scalar type, llvm::ArrayRef<Number> arguments);

/// A reduction in any order and grouping.
class Accumulator {
public:
  /// The value before the first element.
  void start(Reduction reduction, Scalar type, const Number &value);
  void add(const Number &value);
  /// Not yet rounded to halves.
  Number result() const;

private:
  Number sum() const;
  Number product() const;

  Reduction reduction = Reduction::None;
  Scalar type = Scalar::I32;
  Number total;
  double magnitude = 0, errors = 0;        ///< Sums over all terms.
  double upper = 1, grown = 1, shrunk = 1; ///< For products.
  int64_t count = 0;
  int bits = 0, lowestBit = 1 << 20;
  bool hasInfinite = false, hasNaN = false;
};
/// The initial value of a reduction with `!` [tc.op.1].
Number identityOf(Reduction reduction, Scalar type);

} // namespace tessera::tc::random

#endif
