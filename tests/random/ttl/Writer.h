/// Internals of the generator. To keep programs valid, every `int` has an interval, every matrix a
/// shape of numbers and symbols, and a nested block leaves both as it found them.
#ifndef TESSERA_TESTS_RANDOM_TTL_WRITER_H
#define TESSERA_TESTS_RANDOM_TTL_WRITER_H

#include "../Random.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::ttl::random {

/// The possible values of an `int`, or of each element of a matrix.
struct Interval {
  int64_t lo = 0, hi = 0;

  static Interval within(int64_t limit) { return {-limit, limit}; }
  bool isIn(Interval other) const { return other.lo <= lo && hi <= other.hi; }
  bool isOne() const { return lo == hi; }
  Interval operator+(Interval other) const { return {lo + other.lo, hi + other.hi}; }
  Interval operator-(Interval other) const { return {lo - other.hi, hi - other.lo}; }
  Interval operator*(Interval other) const;
  Interval operator|(Interval other) const;
};
constexpr Interval anyInt{INT32_MIN, INT32_MAX};

/// The size of a dimension as the generator knows it, whatever the type says: a number, or a symbol
/// that means the same number wherever it appears.
struct Extent {
  int64_t value = 0;
  int symbol = -1;

  bool isKnown() const { return symbol < 0; }
  bool operator==(const Extent &) const = default;
};
using Shape = std::vector<Extent>;

/// A piece of an expression; a higher level binds tighter (Operators.def).
struct Piece {
  std::string text;
  int level = 11;
  Interval range = {}; ///< Zero for a float, which has no bounds.
  Shape shape = {};
};

struct Variable {
  std::string name;
  bool isFloat = false, isMatrix = false;
  Interval bound = {}; ///< Its range during its whole lifetime.
  Interval now = {};   ///< Its range now: narrower in a loop that counts with it.
  int below = -1;      ///< In such a loop: the symbol that it is below.
  bool isCounting = false;
  Shape shape = {};
  std::vector<bool> isFixed = {}; ///< Which sizes are in the type.
  size_t freeDepth = 0;           ///< The depth of blocks at which it may change its shape.
  int64_t minExtent = 0;          ///< The minimum of its sizes after such a change.
};

struct Function {
  std::string name;
  std::vector<Variable> parameters;
  bool hasResult = true;
  Variable result;
  int64_t cost = 1;
  bool countsDown = false; ///< Recursive: the first argument bounds the depth.
};

/// Statements in braces, or a single statement without.
struct Block {
  std::vector<std::string> lines;
  int numStatements = 0;
  bool needsBraces = false; ///< Otherwise a definition in it would belong to the enclosing scope.
};

/// The undefined case that a program may reach, if any.
enum class Flaw {
  None,
  Overflow,
  Division,
  Index,
  Slice,
  Count,
  Inner,
  Shapes,
  StaticSize,
  Dimension,
  Step,
  Unwritten
};

class Writer {
public:
  explicit Writer(uint64_t seed) : random(seed) {}
  std::string program();

private:
  using Test = std::function<bool(const Variable &)>;

  // Generator.cpp: programs and functions.
  void function(int number);
  void recursion(Function &self);
  void result(Function &self);
  void mainFunction();
  void begin(const Function &function);
  void end(const std::string &header);
  std::string header(const Function &function);
  Variable parameter(int number, std::map<int, Extent> &symbols);
  std::string typeOf(const Variable &variable);
  void useHelper(const std::string &name);

  // WriteStmt.cpp
  void statements(int count);
  void statement();
  void line(const std::string &text);
  void print();
  void printMatrix(const Variable &matrix);
  void defineScalar();
  void defineMatrix();
  void defineUnwritten();
  void defineUnbraced();
  void assignScalar();
  void assignMatrix();
  void assignElement();
  void callStatement();
  void branch();
  void loop();
  void stencil();
  void timeSteps();
  void shrinkingLoop();
  void hugeProduct();
  void compound();
  void flawed();
  void overflow();
  void overflowingLoop();
  void outside();
  void unlikeSizes();
  void missingDimension();
  void anyStep();
  void unwritten();
  /// Writes `body` as a nested block, with its depth and the changes of shapes.
  Block nested(const std::function<void()> &body);
  void append(const Block &block, const std::string &head, bool needsBraces);
  /// An `int` variable that no other loop uses as a counter, with its loop head.
  Variable &counter();
  std::string loopHead(Variable &counter);
  void fillInLoops(const Variable &matrix,
                   const std::function<std::string(const std::string &)> &value);

  // WriteExpr.cpp
  Piece scalar(bool isFloat, int depth) { return isFloat ? floatExpr(depth) : intExpr(depth); }
  Piece intExpr(int depth);
  Piece floatExpr(int depth);
  Piece literal(int64_t value);
  Piece floatLiteral();
  Piece variable(const Variable &variable);
  Piece intArithmetic(int depth);
  Piece floatArithmetic(int depth);
  Piece comparison(int depth);
  Piece logic(int depth);
  std::optional<Piece> element(bool isFloat, int depth);
  std::optional<Piece> size();
  /// The same value reduced to an interval around zero.
  Piece reduced(Piece piece, int64_t limit);
  Piece nonZero(int depth);
  Piece binary(const Piece &lhs, const char *op, int level, const Piece &rhs);
  /// An index in range; nullopt if the size may be 0.
  std::optional<Piece> index(Extent extent, int depth);
  /// `v $ d` of some variable, or the number.
  std::optional<Piece> extentText(Extent extent);
  Piece hidden(int64_t value);
  /// A number hidden from the checker and the compiler.
  std::string opaque(int64_t value);
  std::string in(const Piece &piece, int level);

  // WriteMatrix.cpp
  Piece matrix(bool isFloat, const Shape &shape, int depth);
  Piece someMatrix(bool isFloat, const Shape &shape, int depth);
  std::optional<Piece> slice(bool isFloat, const Shape &shape, int depth);
  std::optional<std::string> sliceIndex(Extent from, Extent to, int depth);
  std::optional<Piece> product(bool isFloat, const Shape &shape, int depth);
  Piece elementwise(bool isFloat, const Shape &shape, int depth);
  Piece list(bool isFloat, int64_t count, int depth);
  Piece temporary(bool isFloat, const Shape &shape);
  bool isAvailable(bool isFloat, const Shape &shape);
  std::string initializer(Variable &variable);
  std::optional<Piece> call(const Function &callee, int depth);
  std::optional<Piece> callReturning(bool isFloat, const Shape *shape, int depth);
  std::optional<Piece> matrixArgument(const Variable &parameter, std::map<int, Extent> &symbols,
                                      int depth);
  bool fits(const Variable &variable, const Variable &parameter, std::map<int, Extent> symbols);
  Shape someShape(bool isFloat);
  Shape knownShape(size_t rank);
  int64_t knownSize();

  // Variables.
  std::vector<Variable *> visible(const Test &test);
  Variable *find(const Test &test);
  Variable &declare(Variable variable);
  std::string newName(const char *prefix, bool mayShadow = false);
  Extent newSymbol(int64_t min);
  int64_t minOf(Extent extent) {
    return extent.isKnown() ? extent.value : symbolMin[extent.symbol];
  }
  void spend(const Shape &shape, int64_t factor = 1);
  int64_t numElements(const Shape &shape);

  Random random;
  Flaw flaw = Flaw::None;
  bool hasBigMatrices = false, hasHugeProduct = false;
  std::string text;
  std::vector<Function> functions;
  std::map<std::string, bool> usedHelpers;
  std::vector<int64_t> symbolMin;
  int numNames = 0;
  // State of the function being written.
  std::vector<std::vector<std::unique_ptr<Variable>>> scopes;
  Block *block = nullptr;
  int64_t weight = 1, cost = 0; ///< How often this position is reached, and the resulting cost.
  int linesLeft = 0;
};

} // namespace tessera::ttl::random

#endif
