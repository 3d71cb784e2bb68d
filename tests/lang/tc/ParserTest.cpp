#include "lang/tc/Parser.h"
#include "lang/tc/PrintTree.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace {

/// The tree of a correct file.
std::string treeOf(StringRef text) {
  SourceFile file("test.tc", text.str());
  DiagnosticEngine diagnostics;
  std::unique_ptr<Program> program = parse(file, diagnostics);
  std::string tree;
  llvm::raw_string_ostream out(tree);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    print(out, diagnostic, {});
  printTree(*program, out);
  return tree;
}

/// A node and what is indented below it: "a" or "(+ a b)".
std::string nested(llvm::ArrayRef<StringRef> &lines) {
  StringRef head = lines.front();
  size_t indent = head.find_first_not_of(' ');
  lines = lines.drop_front();
  std::string text = head.trim().str();
  bool hasChildren = false;
  while (!lines.empty() && lines.front().find_first_not_of(' ') > indent) {
    hasChildren = true;
    text += " " + nested(lines);
  }
  return hasChildren ? "(" + text + ")" : text;
}

/// The trees of statements, one per line.
std::string statements(StringRef text) {
  std::string tree = treeOf(("def f() -> (o) {" + text + "}").str());
  llvm::SmallVector<StringRef> split;
  StringRef(tree).split(split, '\n', -1, /*KeepEmpty=*/false);
  llvm::ArrayRef<StringRef> lines = split;
  if (lines.size() < 2 || lines[0] != "def f" || lines[1] != "  return o")
    return tree;
  lines = lines.drop_front(2);
  std::string result;
  while (!lines.empty())
    result += nested(lines) + "\n";
  return result;
}

std::string expression(StringRef text) {
  std::string tree = statements(("o = " + text).str());
  StringRef rest = tree;
  if (!rest.consume_front("(o = ") || !rest.consume_back(")\n"))
    return tree;
  return rest.str();
}

/// [tc.grammar.1, tc.grammar.3, tc.grammar.4, tc.grammar.5, tc.grammar.6, tc.grammar.7]
/// [tc.grammar.10, tc.type.4, tc.type.7]
TEST(TcParser, ReadsDefs) {
  EXPECT_EQ(treeOf("def mm(float(M,K) A, float(K,256) B) -> (C) {\n"
                   "  C(m,n) +=! A(m,k) * B(k,n) where k in 0:K\n"
                   "}\n"
                   "def none() -> (x, int32(2) y) { x = 1 y(i) = 2.5 where i in 0:2 }"),
            R"(def mm
  argument A: float(M, K)
  argument B: float(K, 256)
  return C
  C(m, n) +=!
    *
      apply A
        m
        k
      apply B
        k
        n
    where k in
      0
      K
def none
  return x
  return y declared int32(2)
  x =
    1
  y(i) =
    2.5
    where i in
      0
      2
)");
}

/// [tc.type.1, tc.type.2, tc.type.3, tc.type.5] Names that mean the same print alike.
TEST(TcParser, ReadsTypes) {
  EXPECT_EQ(treeOf("def f(bool a, int8 b, int16 c, int32 d, int64 e, uint8 f, byte g, uint16 h,"
                   " uint32 i, uint64 j, half k, float16 l, bfloat16 m, float n, float32 o,"
                   " double p, float64 q, float() r) -> (s) {}"),
            "def f\n"
            "  argument a: bool\n  argument b: int8\n  argument c: int16\n  argument d: int32\n"
            "  argument e: int64\n  argument f: uint8\n  argument g: uint8\n  argument h: uint16\n"
            "  argument i: uint32\n  argument j: uint64\n  argument k: half\n  argument l: half\n"
            "  argument m: bfloat16\n  argument n: float\n  argument o: float\n"
            "  argument p: double\n  argument q: double\n  argument r: float\n  return s\n");
}

/// [tc.grammar.11] Every operator.
TEST(TcParser, ReadsAssignmentOperators) {
  EXPECT_EQ(statements("o=a o+=a o*=a o min=a o max=a o+=!a o*=!a o min=!a o max=!a"),
            "(o = a)\n(o += a)\n(o *= a)\n(o min= a)\n(o max= a)\n"
            "(o +=! a)\n(o *=! a)\n(o min=! a)\n(o max=! a)\n");
}

/// [tc.grammar.13] A rank-0 left side.
TEST(TcParser, ReadsLeftSidesWithoutIndices) {
  EXPECT_EQ(statements("o = a o() = a() o(i, j) = a"), "(o = a)\n(o() = apply a)\n(o(i, j) = a)\n");
}

/// [tc.lex.1, tc.lex.14] Statements need no more than white space between them, and line ends mean
/// nothing.
TEST(TcParser, FindsTheEndOfStatements) {
  EXPECT_EQ(statements("o = a b = c d(i) = e(i) f, g = h(k) m = n"),
            "(o = a)\n(b = c)\n(d(i) = (apply e i))\nf, g = call h(k)\n(m = n)\n");
  EXPECT_EQ(statements("o\n(\ni\n)\n=\nfloat(1\n)\n"), "(o(i) = (cast float 1))\n");
  EXPECT_EQ(statements("o(i) = a where i in 0:n b(i) = a where i in 0\n:\nn p, q = f(b)"),
            "(o(i) = a (where i in 0 n))\n(b(i) = a (where i in 0 n))\np, q = call f(b)\n");
}

/// [tc.grammar.16, tc.call.2, tc.call.9] A call by its syntax; `x = f(a)` may be one.
TEST(TcParser, ReadsCalls) {
  EXPECT_EQ(statements("a, b = f(c, d) (a, b) = f(c) (a) = f() a = f(c)"),
            "a, b = call f(c, d)\na, b = call f(c)\na = call f()\n(a = (apply f c))\n");
}

/// A name followed by parentheses is an element, but not where they begin a call.
TEST(TcParser, DistinguishesCallsFromElements) {
  EXPECT_EQ(statements("x = a\n(b, c) = f(d)"), "(x = a)\nb, c = call f(d)\n");
  EXPECT_EQ(statements("x = a(b, c) y = f(d)"), "(x = (apply a b c))\n(y = (apply f d))\n");
  EXPECT_EQ(statements("x = a where exists b (c) = f(d)"),
            "(x = a (where exists b))\nc = call f(d)\n");
}

/// [tc.grammar.14, tc.grammar.15, tc.where.10, tc.where.11]
TEST(TcParser, ReadsWhereClauses) {
  EXPECT_EQ(statements("o(i) = a where i in 1:n+1, exists b(i), x = c*2, j in p?q:r:s"),
            "(o(i) = a (where i in 1 (+ n 1)) (where exists (apply b i)) (where x = (* c 2)) "
            "(where j in (conditional p q r) s))\n");
}

/// [tc.grammar.17] Each level binds tighter than the one before.
TEST(TcParser, KnowsPrecedence) {
  EXPECT_EQ(expression("a ? b : c || d"), "(conditional a b (|| c d))");
  EXPECT_EQ(expression("a || b ? c : d"), "(conditional (|| a b) c d)");
  EXPECT_EQ(expression("a || b && c"), "(|| a (&& b c))");
  EXPECT_EQ(expression("a && b < c"), "(&& a (< b c))");
  EXPECT_EQ(expression("a < b + c"), "(< a (+ b c))");
  EXPECT_EQ(expression("a + b * c"), "(+ a (* b c))");
  EXPECT_EQ(expression("a * -b"), "(* a (- b))");
  EXPECT_EQ(expression("!a == b"), "(== (! a) b)");
}

/// [tc.grammar.17, tc.grammar.18]
TEST(TcParser, AssociatesToTheLeft) {
  EXPECT_EQ(expression("a-b-c"), "(- (- a b) c)");
  EXPECT_EQ(expression("a/b*c"), "(* (/ a b) c)");
  EXPECT_EQ(expression("a%b/c"), "(/ (% a b) c)");
  EXPECT_EQ(expression("a<b>c<=d>=e==f!=g"), "(!= (== (>= (<= (> (< a b) c) d) e) f) g)");
  EXPECT_EQ(expression("a&&b&&c"), "(&& (&& a b) c)");
}

/// [tc.grammar.19] `?:` associates to the right; its middle is a full expression.
TEST(TcParser, ReadsConditionals) {
  EXPECT_EQ(expression("a?b:c?d:e"), "(conditional a b (conditional c d e))");
  EXPECT_EQ(expression("a?b?c:d:e"), "(conditional a (conditional b c d) e)");
  EXPECT_EQ(expression("a?b||c:d"), "(conditional a (|| b c) d)");
}

/// [tc.grammar.20]
TEST(TcParser, BindsUnaryOperatorsTightest) {
  EXPECT_EQ(expression("-3%2"), "(% (- 3) 2)");
  EXPECT_EQ(expression("--a - -b"), "(- (- (- a)) (- b))");
  EXPECT_EQ(expression("!(a < b) || c > d"), "(|| (! (< a b)) (> c d))");
  EXPECT_EQ(expression("-A(i)"), "(- (apply A i))");
}

/// [tc.grammar.21]
TEST(TcParser, GroupsByParentheses) {
  EXPECT_EQ(expression("(a+b)*c"), "(* (+ a b) c)");
  EXPECT_EQ(expression("((a))"), "a");
  EXPECT_EQ(expression("a-(b-c)"), "(- a (- b c))");
}

/// [tc.expr.2, tc.type.19, tc.sizeexpr.7, tc.index.1]
TEST(TcParser, ReadsPrimaries) {
  EXPECT_EQ(expression("min(a, max(b, 3))"), "(apply min a (apply max b 3))");
  EXPECT_EQ(expression("int32(x)+float(uint8(y))"),
            "(+ (cast int32 x) (cast float (cast uint8 y)))");
  EXPECT_EQ(expression("T.1 + T.0*2fc.12"), "(+ T.1 (* T.0 2fc.12))");
  EXPECT_EQ(expression("T . 1"), "T.1");
  EXPECT_EQ(expression("T(P(i), i*i, j/2)"), "(apply T (apply P i) (* i i) (/ j 2))");
}

const Expr &valueOf(const Program &program) {
  return *program.defs.at(0)->body[0]->as<Comprehension>()->value;
}

/// [tc.lex.8, tc.lex.10] The value does not depend on how it is written.
TEST(TcParser, ReadsNumbers) {
  auto integer = [](StringRef text) {
    SourceFile file("test.tc", ("def f() -> (o) { o = " + text + " }").str());
    DiagnosticEngine diagnostics;
    const auto program = parse(file, diagnostics);
    return diagnostics.hasErrors() ? 0 : valueOf(*program).as<IntLiteral>()->value;
  };
  EXPECT_EQ(integer("0x1F"), 31u);
  EXPECT_EQ(integer("0Xfe"), 254u);
  EXPECT_EQ(integer("0b101"), 5u);
  EXPECT_EQ(integer("7L"), 7u);
  EXPECT_EQ(integer("3ull"), 3u);
  EXPECT_EQ(integer("2147483648"), 2147483648u);
  EXPECT_EQ(integer("18446744073709551615"), UINT64_MAX);
  auto decimal = [](StringRef text) {
    SourceFile file("test.tc", ("def f() -> (o) { o = " + text + " }").str());
    DiagnosticEngine diagnostics;
    const auto program = parse(file, diagnostics);
    return diagnostics.hasErrors() ? "" : valueOf(*program).as<FloatLiteral>()->text.str();
  };
  EXPECT_EQ(decimal("1.5f"), "1.5");
  EXPECT_EQ(decimal("3."), "3.");
  EXPECT_EQ(decimal(".5e-7L"), ".5e-7");
  EXPECT_EQ(decimal("0x1.8p3"), "0x1.8p3");
  EXPECT_EQ(decimal("0x1fp0f"), "0x1fp0");
}

/// Where an error would point.
TEST(TcParser, KeepsRanges) {
  SourceFile file("test.tc",
                  "def f(float(N, 3) A) -> (o) {\n  o(i) += A(i, 0) * 2 where i in 0:N\n}");
  DiagnosticEngine diagnostics;
  const auto program = parse(file, diagnostics);
  const Def &def = *program->defs.at(0);
  EXPECT_EQ(file.text(def.range), file.text());
  EXPECT_EQ(file.text(def.parameters[0].type.range), "float(N, 3)");
  EXPECT_EQ(file.text(def.parameters[0].type.dimensions[1].range), "3");
  EXPECT_EQ(file.text(def.body[0]->range), "o(i) += A(i, 0) * 2 where i in 0:N");
  const auto &stmt = *def.body[0]->as<Comprehension>();
  EXPECT_EQ(file.text(stmt.opRange), "+=");
  EXPECT_EQ(file.text(stmt.value->range), "A(i, 0) * 2");
  EXPECT_EQ(file.text(stmt.where[0].range), "i in 0:N");
}

/// After a mistake, a def continues without the statement that contains it.
TEST(TcParser, LeavesOutInvalidStatements) {
  SourceFile file("test.tc",
                  "def f() -> (o) { a = 1\n b(i = 2\n c = 3 }\ndef g() -> (o) { o = 1 }");
  DiagnosticEngine diagnostics;
  const auto program = parse(file, diagnostics);
  ASSERT_EQ(program->defs.size(), 2u);
  const Def &wrong = *program->defs[0];
  ASSERT_EQ(wrong.body.size(), 2u);
  EXPECT_EQ(file.text(wrong.body[0]->range), "a = 1");
  EXPECT_EQ(file.text(wrong.body[1]->range), "c = 3");
  EXPECT_GT(wrong.firstSyntaxError, wrong.body[0]->range.begin);
  EXPECT_LT(wrong.firstSyntaxError, wrong.body[1]->range.begin);
  EXPECT_EQ(program->defs[1]->firstSyntaxError, UINT32_MAX);
  EXPECT_TRUE(program->hasSyntaxErrors);
}

/// On one line the mistake may belong to the statement before.
TEST(TcParser, DoubtsTheStatementBeforeAMistake) {
  SourceFile file("test.tc", "def f() -> (o) {\n a = 1\n o = a t(i)\n}");
  DiagnosticEngine diagnostics;
  const auto program = parse(file, diagnostics);
  const Def &wrong = *program->defs[0];
  ASSERT_EQ(wrong.body.size(), 2u);
  EXPECT_EQ(wrong.firstSyntaxError, wrong.body[1]->range.begin);
}

} // namespace
