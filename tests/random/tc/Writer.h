/// Writes statements that are likely to be correct in their context. The contents of tensors are
/// known for the current call, because the previous statements have been interpreted.
#ifndef TESSERA_TESTS_RANDOM_TC_WRITER_H
#define TESSERA_TESTS_RANDOM_TC_WRITER_H

#include "../Random.h"
#include "Interpreter.h"

namespace tessera::tc::random {

enum class Sort { Float, Int, Bool };
Sort sortOf(Scalar type);

/// A tensor at this point of the program.
struct Known {
  std::string name;
  Scalar type = Scalar::F32;
  Box box;
  bool isInput = true;
  bool isExact = true;         ///< No element depends on the order of operations.
  int64_t least = 0, most = 0; ///< Range of integers.
};

/// A def that may be called.
struct Callee {
  std::string name;
  std::vector<std::pair<Scalar, size_t>> parameters; ///< Types and ranks.
  std::vector<Known> results;
};

struct Scope {
  std::vector<Known> tensors;
  Values sizes;
  std::vector<Callee> callees;
  int numNames = 0;
  bool isLarge = false; ///< Some sizes are large, so loops must not be nested.
};

/// A statement and the tensor that it defines.
struct Candidate {
  std::string text;
  std::vector<std::string> targets;
  bool isInOut = false;
};

/// A part of an expression; a higher level binds tighter (Operators.def).
struct Piece {
  std::string text;
  int level = 7;
};

class Writer {
public:
  Writer(Random &random, Scope &scope) : random(random), scope(scope) {}
  Candidate statement();

private:
  /// An index variable of the statement.
  struct Index {
    std::string name;
    std::optional<Interval> range = std::nullopt; ///< Given by a clause.
    bool isAnchored = false;                      ///< It occurs alone in an index of some read.
  };
  /// A size expression and its value.
  struct SizeText {
    std::string text;
    int64_t value;
  };

  // WriteStmt.cpp
  Candidate definition();
  Candidate update();
  Candidate fill();
  Candidate callStatement();
  Candidate finish(const std::string &target, const std::string &op, Piece value, size_t numLeft);
  void addVariables(size_t count, int percentPinned);
  void pin(Index &index, const Interval &within);
  void anchorAll(Piece &value);
  std::string newName(const char *prefix);
  std::string reductionOperator(bool initializes);
  std::string clauses();

  // WritePattern.cpp: well-known patterns.
  Candidate pattern();
  std::optional<Candidate> product();
  std::optional<Candidate> convolution();
  std::optional<Candidate> window();
  std::optional<Candidate> rows();
  std::optional<Candidate> lookup();
  std::optional<Candidate> choice();

  // WriteExpr.cpp
  Piece expr(Sort sort, int depth);
  Piece floatExpr(int depth);
  Piece intExpr(int depth);
  Piece boolExpr(int depth);
  Piece leaf(Sort sort);
  Piece literal(Sort sort);
  Piece conditional(Sort sort, int depth);
  Piece function(int depth);
  Piece binary(const Piece &lhs, const char *op, int level, const Piece &rhs);
  Piece cast(Scalar type, const Piece &operand);
  Piece cast(Sort sort, int depth);
  std::string in(const Piece &piece, int level);

  // WriteRead.cpp
  std::optional<Piece> read(Sort sort);
  std::optional<Piece> readOf(const Known &tensor);
  std::optional<Piece> guardedRead(Sort sort);
  std::string index(const Interval &range);
  std::string affineIndex(const Interval &range, Index &variable);
  std::optional<std::string> pinnedIndex(const Interval &range, const Index &variable);
  std::optional<std::string> dataIndex(const Interval &range);
  SizeText size();
  std::pair<std::string, int64_t> someSize();
  SizeText sizeNear(int64_t value);
  std::string plus(int64_t constant);

  const Known *find(llvm::function_ref<bool(const Known &)> test);

  Random &random;
  Scope &scope;
  std::vector<Index> indices;
  std::vector<std::string> otherClauses, lets;
  Sort letSort = Sort::Int;
  int depthOfReads = 0;
};

/// A type, chosen by how often programs use it.
Scalar someType(Random &random);
/// One of the names of a type.
std::string nameOf(Scalar type, Random &random);

} // namespace tessera::tc::random

#endif
