/// Expressions.
#include "Writer.h"

using namespace tessera;
using namespace tessera::tc;
using namespace tessera::tc::random;

Sort random::sortOf(Scalar type) {
  return type == Scalar::Bool ? Sort::Bool : isFloating(type) ? Sort::Float : Sort::Int;
}

Scalar random::someType(Random &random) {
  struct Row {
    Scalar type;
    int weight;
  };
  static constexpr Row rows[] = {
      {Scalar::F32, 40}, {Scalar::I32, 18}, {Scalar::F64, 14}, {Scalar::F16, 5},  {Scalar::U8, 4},
      {Scalar::Bool, 4}, {Scalar::I64, 3},  {Scalar::I8, 3},   {Scalar::BF16, 3}, {Scalar::U32, 2},
      {Scalar::I16, 2},  {Scalar::U16, 1},  {Scalar::U64, 1}};
  int64_t at = random.below(100);
  for (const Row &row : rows)
    if ((at -= row.weight) < 0)
      return row.type;
  return Scalar::F32;
}

std::string random::nameOf(Scalar type, Random &random) {
  if (random.chance(90))
    return spelling(type).str();
  return type == Scalar::F32   ? "float32"
         : type == Scalar::F64 ? "float64"
         : type == Scalar::F16 ? "float16"
         : type == Scalar::U8  ? "byte"
                               : spelling(type).str();
}

/// Adds parentheses where necessary, and sometimes where not.
std::string Writer::in(const Piece &piece, int level) {
  return piece.level < level || random.chance(3) ? "(" + piece.text + ")" : piece.text;
}

Piece Writer::binary(const Piece &lhs, const char *op, int level, const Piece &rhs) {
  return {in(lhs, level) + " " + op + " " + in(rhs, level + 1), level};
}

Piece Writer::cast(Scalar type, const Piece &operand) {
  return {nameOf(type, random) + "(" + operand.text + ")"};
}

Piece Writer::expr(Sort sort, int depth) {
  if (depth <= 0 || random.chance(15))
    return leaf(sort);
  if (random.chance(9))
    return conditional(sort, depth);
  if (random.chance(8))
    return cast(sort, depth);
  switch (sort) {
  case Sort::Float:
    return floatExpr(depth);
  case Sort::Int:
    return intExpr(depth);
  case Sort::Bool:
    return boolExpr(depth);
  }
  return leaf(sort);
}

/// Mostly products of reads.
Piece Writer::floatExpr(int depth) {
  int64_t choice = random.below(100);
  if (choice < 35)
    return binary(expr(Sort::Float, depth - 1), "*", 5, expr(Sort::Float, depth - 1));
  if (choice < 60)
    return binary(expr(Sort::Float, depth - 1), random.chance(60) ? "+" : "-", 4,
                  expr(random.chance(85) ? Sort::Float : Sort::Int, depth - 1));
  if (choice < 68)
    return binary(expr(Sort::Float, depth - 1), "/", 5,
                  random.chance(70) ? literal(Sort::Float) : expr(Sort::Float, depth - 1));
  if (choice < 71)
    return binary(expr(Sort::Float, depth - 1), "%", 5, literal(Sort::Float));
  if (choice < 76)
    return {"-" + in(expr(Sort::Float, depth - 1), 6), 6};
  return function(depth);
}

Piece Writer::function(int depth) {
  Piece a = expr(Sort::Float, depth - 1);
  static constexpr const char *ofOne[] = {"fabs", "floor", "ceil", "trunc", "round",
                                          "tanh", "sin",   "cos",  "erf",   "atan"};
  static constexpr const char *ofTwo[] = {"fmin", "fmax", "min", "max", "fdim", "fmod"};
  static constexpr const char *ofSizes[] = {"sqrt", "log1p", "rsqrt", "exp2"};
  int64_t choice = random.below(100);
  if (choice < 35)
    return {random.pick(ofTwo) + ("(" + a.text) + ", " + expr(Sort::Float, depth - 1).text + ")"};
  if (choice < 65)
    return {random.pick(ofOne) + ("(" + a.text) + ")"};
  if (choice < 75)
    return {random.pick(ofSizes) + ("(fabs(" + a.text) + ") + 0.5)"};
  if (choice < 85)
    return {"exp(-fabs(" + a.text + "))"};
  if (choice < 90)
    return {"log(" + binary({"fabs(" + a.text + ")"}, "+", 4, {"1"}).text + ")"};
  if (choice < 94)
    return {"pow(fabs(" + a.text + ") + 1, 1.5)"};
  return {"fma(" + a.text + ", " + expr(Sort::Float, depth - 1).text + ", " +
          leaf(Sort::Float).text + ")"};
}

Piece Writer::intExpr(int depth) {
  Piece a = expr(Sort::Int, depth - 1);
  int64_t choice = random.below(100);
  if (choice < 40)
    return binary(a, random.chance(60) ? "+" : "-", 4, expr(Sort::Int, depth - 1));
  if (choice < 65)
    return binary(a, "*", 5, expr(Sort::Int, depth - 1));
  bool byNumber = random.chance(75);
  if (choice < 85) {
    Piece divisor = byNumber ? Piece{std::to_string(random.between(1, 5))} : leaf(Sort::Int);
    return binary(a, random.chance(50) ? "/" : "%", 5, divisor);
  }
  if (choice < 90)
    return {"-" + in(a, 6), 6};
  return {(random.chance(50) ? "min(" : "max(") + a.text + ", " + expr(Sort::Int, depth - 1).text +
          ")"};
}

/// Compares floats in memory only, because sums of them may be rounded.
Piece Writer::boolExpr(int depth) {
  static constexpr const char *comparisons[] = {"<", ">", "<=", ">=", "==", "!="};
  int64_t choice = random.below(100);
  if (choice < 55) {
    bool ofFloats = random.chance(35);
    Piece a = ofFloats ? leaf(Sort::Float) : expr(Sort::Int, depth - 1);
    Piece b = ofFloats ? leaf(Sort::Float) : expr(Sort::Int, depth - 1);
    return binary(a, random.pick(comparisons), 3, b);
  }
  if (choice < 70)
    return {"!" + in(expr(Sort::Bool, depth - 1), 6), 6};
  bool isAnd = random.chance(50);
  return binary(expr(Sort::Bool, depth - 1), isAnd ? "&&" : "||", isAnd ? 2 : 1,
                expr(Sort::Bool, depth - 1));
}

Piece Writer::conditional(Sort sort, int depth) {
  if (random.chance(35))
    if (std::optional<Piece> piece = guardedRead(sort))
      return *piece;
  Sort other = sort == Sort::Float && random.chance(15) ? Sort::Int : sort;
  std::string condition = in(expr(Sort::Bool, depth - 1), 1);
  std::string ifTrue = expr(sort, depth - 1).text;
  return {condition + " ? " + ifTrue + " : " + in(expr(other, depth - 1), random.below(2)), 0};
}

/// A cast to the sort from another, or between types of the sort.
Piece Writer::cast(Sort sort, int depth) {
  Scalar type = someType(random);
  while (sortOf(type) != sort)
    type = someType(random);
  int64_t choice = random.below(100);
  Sort from = choice < 45                          ? sort
              : choice < 70 && sort != Sort::Float ? Sort::Float
              : choice < 85                        ? Sort::Int
                                                   : Sort::Bool;
  return cast(type, from == Sort::Float && sort != from ? leaf(from) : expr(from, depth - 1));
}

Piece Writer::literal(Sort sort) {
  static constexpr const char *floats[] = {"1.5", "0.25", ".5", "2.", "0.1", "3e-1", "1.0", "4.0f"};
  if (sort == Sort::Float)
    return {random.pick(floats)};
  if (sort == Sort::Bool)
    return {"0 < " + std::to_string(random.below(2)), 3};
  return {random.chance(4) ? "0x1F" : std::to_string(random.below(random.chance(90) ? 6 : 300))};
}

Piece Writer::leaf(Sort sort) {
  if (!lets.empty() && letSort == sort && random.chance(30))
    return {random.pick(lets)};
  if (random.chance(sort == Sort::Int ? 45 : 85))
    if (std::optional<Piece> piece = read(sort))
      return *piece;
  bool hasVariables = !indices.empty() && sort != Sort::Bool;
  if (hasVariables && random.chance(sort == Sort::Int ? 60 : 25))
    return {random.pick(indices).name};
  if (sort != Sort::Bool && random.chance(25)) {
    SizeText text = size();
    return {"(" + text.text + ")"};
  }
  if (sort == Sort::Bool && !indices.empty())
    return binary({random.pick(indices).name}, random.chance(50) ? "<" : "!=", 3,
                  literal(Sort::Int));
  return literal(sort);
}
