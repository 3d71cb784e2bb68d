/// The evaluator's values of Weld: plain, slow and independent of the compiler's.
#ifndef TESSERA_TESTS_RANDOM_WELD_VALUE_H
#define TESSERA_TESTS_RANDOM_WELD_VALUE_H

#include "lang/weld/Syntax.h"
#include <map>
#include <memory>

namespace tessera::weld::random {

struct Cell;

/// A value of a type that is known separately.
struct Value {
  int64_t integer = 0; ///< Value of integers and bools; sign- or zero-extended by its type.
  double real = 0;     ///< Value of floats; an f32 is exact.
  /// How far other orders of summation, or another libm, may be off. A decision that depends on it
  /// is unclear.
  double slack = 0;
  /// Content of vectors, structs, simd values, dictionaries and builders. Only builders change.
  std::shared_ptr<Cell> cell;

  static Value ofInt(int64_t integer) { return {integer, 0, 0, nullptr}; }
  static Value ofFloat(double real, double slack = 0) { return {0, real, slack, nullptr}; }
  static Value of(std::vector<Value> elements);

  const std::vector<Value> &elements() const;
  const Value &field(size_t index) const { return elements()[index]; }
};

/// Thrown when a run fails.
struct Failure {
  const char *name; ///< "ArrayOutOfBounds"
  SourceRange place = {0, 0};
};
/// Thrown if no rule determines the result, because a float is not known exactly enough or the
/// result is unspecified.
struct Unclear {
  const char *why;
};
struct TooLong {};

/// The order of two values: -1, 0, 1, or 2 if they are unordered because of a NaN.
constexpr int unordered = 2;
int order(const Type &type, const Value &a, const Value &b);
/// The total order of `compare` and of keys: a NaN is greater than all numbers.
int keyOrder(const Type &type, const Value &a, const Value &b);
/// Unifies zeros and NaNs.
Value canonicalKey(const Type &type, const Value &key);
/// Zeros and empty collections.
Value zeroOf(const Type &type);

struct KeyLess {
  const Type *type;
  bool operator()(const Value &a, const Value &b) const { return keyOrder(*type, a, b) < 0; }
};
using KeyIndex = std::map<Value, size_t, KeyLess>;

/// A number into which a builder combines others, for floats in an unspecified order.
class Accumulator {
public:
  Accumulator(Scalar type, Combine combine) : Accumulator(type, combine, identity(type, combine)) {}
  /// Starts from a value.
  static Accumulator from(Scalar type, Combine combine, const Value &initial);
  void merge(const Value &value);
  Value result() const;

private:
  Accumulator(Scalar type, Combine combine, Value value)
      : type(type), combine(combine), value(std::move(value)) {}
  static Value identity(Scalar type, Combine combine);
  void track(const Value &term);
  double slackOfSum() const;
  double slackOfProduct() const;

  Scalar type;
  Combine combine;
  Value value;
  // For floats: a bound of the error of other orders.
  int64_t numTerms = 0;
  double sumOfSizes = 0, slack = 0, relativeSlack = 0;
  int64_t lowestBit = INT32_MAX, numBits = 0, exponents = 0;
  bool hasNegativeZero = false;
};

struct Cell {
  std::vector<Value> elements; ///< For dictionaries: entries, in the order of insertion.
  std::unique_ptr<KeyIndex> index = nullptr; ///< For dictionaries.
  // For builders.
  std::vector<std::vector<Accumulator>> sums = {}; ///< By element, then by field.
  std::vector<std::vector<Value>> groups = {};     ///< By entry.
};

inline Value Value::of(std::vector<Value> elements) {
  Value value;
  value.cell = std::make_shared<Cell>(Cell{std::move(elements)});
  return value;
}
inline const std::vector<Value> &Value::elements() const {
  return cell->elements;
}

/// A dictionary of entries {key, value} with distinct canonical keys.
Value makeDict(const Type &dict, std::vector<Value> entries);
/// The entry with this key, or null.
const Value *find(const Type &dict, const Value &value, const Value &key);

// Builders.
Value newBuilder(const Type &type, const Value *argument);
/// Fails if the index of a vecmerger is out of range.
void merge(const Type &builder, const Value &into, const Value &value);
Value resultOf(const Type &builder, const Value &value);

// Arithmetic.
bool isFloat(Scalar type);
bool isSigned(Scalar type);
unsigned widthOf(Scalar type);
int64_t wrapped(int64_t integer, Scalar type);
Value add(Scalar type, const Value &a, const Value &b);
Value multiply(Scalar type, const Value &a, const Value &b);
Value smaller(Scalar type, const Value &a, const Value &b);
Value larger(Scalar type, const Value &a, const Value &b);
Value combined(Scalar type, Combine combine, const Value &a, const Value &b);
/// Arithmetic and bitwise operators. Division by zero fails.
Value binary(Scalar type, BinaryOp op, const Value &a, const Value &b);
Value negated(Scalar type, const Value &a);
Value power(Scalar type, const Value &a, const Value &b);
Value mathFunction(Scalar type, Builtin function, const Value &a);
Value cast(Scalar to, Scalar from, const Value &a);
bool compares(BinaryOp op, int order);

// Bytes.
/// Unclear if they depend on unspecified bits of a float, other than those of inputs.
void serialize(const Type &type, const Value &value, std::vector<Value> &bytes,
               bool isInput = false);
/// Takes bytes from the front; fails if there are too few.
Value deserialize(const Type &type, llvm::ArrayRef<Value> &bytes);

// Texts.
/// In the format of results: "[1, 2.5, [true]]".
std::string text(const Type &type, const Value &value);
/// Reads JSON, or "1000 of [1, 2, 3]": a vector of that length whose elements repeat. Returns
/// nullopt if the text is not a value of this type.
std::optional<Value> readValue(const Type &type, llvm::StringRef text);

} // namespace tessera::weld::random

#endif
