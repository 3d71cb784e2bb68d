/// Numbers as the evaluator computes them: integers exactly, floats with a bound for the distance
/// of other correct implementations.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_QUANTITY_H
#define TESSERA_TESTS_RANDOM_TINYTC_QUANTITY_H

#include "lang/tinytc/Syntax.h"

namespace tessera::tinytc::random {

/// Thrown if the rules leave the result open: a comparison of numbers that rounding decides.
struct Unclear {
  std::string why;
};
/// Thrown if a program has undefined behavior.
struct Undefined {
  std::string why;
};

/// A real number. A correct result differs from `value` by at most `slack`.
struct Real {
  double value = 0, slack = 0;
};

/// A scalar of any type, which the program determines.
struct Quantity {
  int64_t integer = 0; ///< Value of integers and bools.
  Real re = {}, im = {};

  static Quantity ofInt(int64_t value) { return {value}; }
  static Quantity ofReal(double value) { return {0, {value, 0}}; }
};

/// The type in which sums for results of this type are computed.
ScalarType accumulationType(ScalarType type);

/// Sums terms in any order, in the precision of a type. If no order rounds, the only slack is that
/// of the terms.
class Sum {
public:
  void add(Real term);
  void addProduct(Real left, Real right);
  /// A term that is `factor` times another sum has been added; the terms of that sum may also be
  /// added one by one.
  void allowTermsOf(const Sum &other, double factor);
  Real result(ScalarType part) const;

private:
  void add(long double value, double slack, int lowestBit);

  long double value = 0, magnitude = 0;
  double slack = 0;
  int64_t terms = 0;
  int lowestBit = 0; ///< The lowest of all terms, as an exponent.
};

/// The same for any type: integers wrap.
class QuantitySum {
public:
  explicit QuantitySum(ScalarType type) : type(type) {}
  void add(const Quantity &term);
  void addProduct(const Quantity &left, const Quantity &right);
  /// Adds `factor` times another sum, whose terms may also be added one by one.
  void addScaled(const QuantitySum &other, const Quantity &factor);
  void allowTermsOf(const QuantitySum &other, const Quantity &factor);
  Quantity result() const;

private:
  ScalarType type;
  uint64_t integer = 0;
  Sum re, im;
};

Quantity convert(const Quantity &number, ScalarType from, ScalarType to);
Quantity binary(BinaryOp op, const Quantity &left, const Quantity &right, ScalarType type);
/// `type` is the type of the operand.
Quantity unary(UnaryOp op, const Quantity &operand, ScalarType type);
bool compare(CompareOp op, const Quantity &left, const Quantity &right, ScalarType type);
Quantity numberOf(const Literal &literal, const Type &type);
/// The initial value of a reduction.
Quantity identityOf(SubgroupOp::Op op, ScalarType type);

/// Converts to the number's representation in memory.
void encode(const Quantity &number, ScalarType type, char *bytes);
Quantity decode(const char *bytes, ScalarType type);

/// Whether `found`, which was computed elsewhere, is correct.
bool agrees(const Quantity &expected, const Quantity &found, ScalarType type);
std::string text(const Quantity &number, ScalarType type);

} // namespace tessera::tinytc::random

#endif
