/// What the lexer and the parser reject. As in a program for `check --verify`, a line ends with
/// what is expected of it; nothing else may be reported.
#include "lang/tc/Diagnostics.h"
#include "lang/tc/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace {

using Lines = std::vector<std::string>;

/// "3: error tc.lex.14: text", for each mark; a line has at most one.
Lines expectedIn(const SourceFile &file) {
  Lines lines;
  for (uint32_t number = 1; number <= file.numLines(); ++number) {
    auto [code, expected] = file.line(number).split("//! ");
    if (!expected.empty())
      lines.push_back(std::to_string(number) + ": " + expected.str());
  }
  return lines;
}

Lines reportedIn(const SourceFile &file) {
  DiagnosticEngine diagnostics;
  parse(file, diagnostics);
  Lines lines;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    lines.push_back(std::to_string(file.position(diagnostic.range.begin).line) + ": " +
                    name(diagnostic.severity).str() + " " + diagnostic.kind->rule + ": " +
                    diagnostic.message);
  return lines;
}

void expectMarked(StringRef text) {
  SourceFile file("test.tc", text.str());
  EXPECT_EQ(reportedIn(file), expectedIn(file));
}

/// The same for statements, each line the body of a def of its own.
void expectMarkedLines(StringRef lines) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    if (!line.empty())
      expectMarked(("def f(float(N) A) -> (o) {" + line + "\n}").str());
    lines = rest;
  }
}

/// The only diagnostic, as users see it.
std::string shown(StringRef text) {
  SourceFile file("test.tc", text.str());
  DiagnosticEngine diagnostics;
  parse(file, diagnostics);
  std::string result;
  llvm::raw_string_ostream out(result);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    print(out, diagnostic, {});
  return result;
}

/// The text after applying the fixes of its diagnostics; it has no errors then.
std::string mended(StringRef text) {
  SourceFile file("test.tc", text.str());
  DiagnosticEngine diagnostics;
  parse(file, diagnostics);
  std::vector<FixIt> fixes;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    llvm::append_range(fixes, diagnostic.fixits);
  std::string result = text.str();
  for (const FixIt &fix : llvm::reverse(fixes))
    result.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
  EXPECT_EQ(reportedIn(SourceFile("mended.tc", result)), Lines{}) << result;
  return result;
}

std::string mendedBody(StringRef body) {
  std::string text = mended(("def f() -> (o) { " + body + " }").str());
  StringRef rest = text;
  EXPECT_TRUE(rest.consume_front("def f() -> (o) { ") && rest.consume_back(" }"));
  return rest.str();
}

TEST(TcDiagnostics, RejectWrongTokens) {
  expectMarked(R"(
def f(float(N) A, int32 where) -> (o) { #//! error tc.lex.7: `where` is a reserved word and cannot be a name
  o = A(0) /* as in C //! error tc.lex.2: unexpected `/*`; comments begin with `#`
  on the next line, too */
}
def comments() -> (o) {
  o = 1 // as in C++ //! error tc.lex.2: unexpected `//`; comments begin with `#`
}
// outside //! error tc.lex.2: unexpected `//`; comments begin with `#`
def numbers() -> (a, b, c, d, e, f, g, h, i, j) {
  a = 1.5q #//! error tc.lex.8: `1.5q` is not a number
  b = 1.5.2 #//! error tc.lex.8: `1.5.2` is not a number
  c = 3.x #//! error tc.lex.8: `3.x` is not a number
  d = 0x1.8 #//! error tc.lex.8: `0x1.8` is not a number
  e = 1e5.2 #//! error tc.lex.8: `1e5.2` is not a number
  f = 3e-3x + a #//! error tc.lex.8: `3e-3x` is not a number
  g = 010 #//! error tc.lex.8: `010` begins with 0, so it could be decimal or octal
  h = 08u #//! error tc.lex.8: `08u` begins with 0, so it could be decimal or octal
  i = a.1e5 #//! error tc.lex.8: `1e5` is not a number
  j = a.01 #//! error tc.lex.8: `01` begins with 0, so it could be decimal or octal
}
def integers() -> (a, b, c) {
  a = 18446744073709551616 #//! error tc.lex.10: `18446744073709551616` does not fit `int64`; the largest is 9223372036854775807
  b = 0x10000000000000000 #//! error tc.lex.10: `0x10000000000000000` does not fit `int64`; the largest is 9223372036854775807
}
def operators(float(N) A) -> (a, b) {
  a max = A(i) #//! error tc.lex.13: `max =` is not an operator; the reduction is written `max=`, without a space
  b min =! A(i) #//! error tc.lex.13: `min =!` is not an operator; the reduction is written `min=!`, without a space
}
def semicolons() -> (a, b) {
  a = 1; #//! error tc.lex.14: TC has no `;`; white space separates statements
  b = 2; #//! error tc.lex.14: TC has no `;`; white space separates statements
}; #//! error tc.lex.14: TC has no `;`; white space separates statements
def characters(float(N) A) -> (o) {
  o(i) = A(i) @ 2 #//! error tc.lex.15: unexpected `@`
  p(i) = "text" #//! error tc.lex.15: unexpected `"text"`
  $ #//! error tc.lex.15: unexpected `$`
}
)");
  expectMarked("def f() -> (o) { o = \xC2\xB5 #//! error tc.lex.15: unexpected `\xC2\xB5`\n}");
  expectMarked("def f() -> (o) { o = \x01 #//! error tc.lex.15: unexpected `\\x01`\n}");
  expectMarked("def f() -> (o) { o = 1 } \f #//! error tc.lex.15: unexpected `\\x0c`\n");
  expectMarked("def f() -> (o) { o = 1 } \\ #//! error tc.lex.15: unexpected `\\`\n");
}

TEST(TcDiagnostics, RejectWrongFiles) {
  expectMarked("#//! error tc.grammar.1: the file has no `def`");
  expectMarked(R"(
o = 1 #//! error tc.grammar.1: expected `def` at the top level, found the name `o`
def f() -> (o) { o = 1 }
} #//! error tc.grammar.1: expected `def` at the top level, found `}`
def g() -> (o) { o = 1 } 2 #//! error tc.grammar.1: expected `def` at the top level, found `2`
)");
}

TEST(TcDiagnostics, RejectWrongHeads) {
  expectMarked(R"(
def (float a) -> (o) { o = 1 } #//! error tc.grammar.3: expected a name in the head of a function, found `(`
def f float a) -> (o) { o = 1 } #//! error tc.grammar.3: expected `(` in the head of a function, found `float`
def f(float a) { o = 1 } #//! error tc.grammar.3: expected `->` in the head of a function, found `{`
def f(float a) => (o) { o = 1 } #//! error tc.grammar.3: expected `->` in the head of a function, found `=>`
def f(float a) -> { o = 1 } #//! error tc.grammar.3: expected `(` in the head of a function, found `{`
def f(float a) -> (o) o = 1 } #//! error tc.grammar.3: expected `{` in the head of a function, found the name `o`
def f(float a) -> o { o = 1 } #//! error tc.grammar.3: the list of results needs parentheses
def f(float a) -> o, p { o = 1 p = 1 } #//! error tc.grammar.3: the list of results needs parentheses
def f(float a -> (o) { o = 1 } #//! error tc.grammar.4: expected `,` or `)` after a parameter, found `->`
def f(float A(N)) -> (o) { o = 1 } #//! error tc.grammar.4: expected `,` or `)` after a parameter, found `(`
def f(float a,) -> (o) { o = 1 } #//! error tc.grammar.4: unexpected `,` at the end of the parameter list
def f(float a,, float b) -> (o) { o = 1 } #//! error tc.grammar.5: expected a parameter (a type and a name), found `,`
def f(3) -> (o) { o = 1 } #//! error tc.grammar.5: expected a parameter (a type and a name), found `3`
def f(float a, b) -> (o) { o = 1 } #//! error tc.grammar.5: parameter `b` has no type
def f(float, int32 b) -> (o) { o = 1 } #//! error tc.grammar.5: expected a name after the type of a parameter, found `,`
def f(float a) -> (o(N)) { o = 1 } #//! error tc.grammar.6: expected `)` in the list of results, found `(`
def f(float a) -> (3) { o = 1 } #//! error tc.grammar.6: expected a name in the list of results, found `3`
def f(float a) -> (o,) { o = 1 } #//! error tc.grammar.22: unexpected trailing `,`
def f(float a) -> () { o = 1 } #//! error tc.grammar.8: `f` returns nothing; a function returns at least one tensor
def f(float @ a) -> (o) { o = 1 } #//! error tc.lex.15: unexpected `@`
def f(@) -> (o) { o = 1 } #//! error tc.lex.15: unexpected `@`
)");
}

TEST(TcDiagnostics, RejectWrongTypes) {
  expectMarked(R"(
def f(int(1) S) -> (o) { o = 1 } #//! error tc.type.3: unknown type `int`
def f(floatt a) -> (o) { o = 1 } #//! error tc.type.3: unknown type `floatt`
def f(float a) -> (int o) { o = 1 } #//! error tc.type.3: unknown type `int`
def f(float(M:N) A) -> (o) { o = 1 } #//! error tc.type.4: expected `,` or `)` in a tensor type, found `:`
def f(float(N A) -> (o) { o = 1 } #//! error tc.type.4: expected `,` or `)` in a tensor type, found the name `A`
def f(float(2*N) A) -> (o) { o = 1 } #//! error tc.type.7: expected a size variable or an integer as a dimension, found `2*N`
def f(float(-1, N) A) -> (o) { o = 1 } #//! error tc.type.7: expected a size variable or an integer as a dimension, found `-1`
def f(float(N, 2.5) A) -> (o) { o = 1 } #//! error tc.type.7: expected a size variable or an integer as a dimension, found `2.5`
def f(float(,N) A) -> (o) { o = 1 } #//! error tc.type.7: expected a size variable or an integer as a dimension, found `,`
def f(float(N,) A) -> (o) { o = 1 } #//! error tc.grammar.22: unexpected trailing `,`
def f(float(in) A) -> (o) { o = 1 } #//! error tc.lex.7: `in` is a reserved word and cannot be a name
def f(float(9223372036854775808) A) -> (o) { o = 1 } #//! error tc.limit.2: dimension `9223372036854775808` is too large; the largest is 9223372036854775807
)");
}

TEST(TcDiagnostics, RejectWrongStatements) {
  expectMarkedLines(R"(
  5 #//! error tc.grammar.10: expected a statement, found `5`
  float t = 1 #//! error tc.grammar.10: expected a statement, found `float`
  o(i) = A(i) = 2 #//! error tc.grammar.10: expected a statement, found `=`
  o(i j) = A(i) #//! error tc.grammar.10: expected `,` or `)` in the index list, found the name `j`
  o(i) A(i) #//! error tc.grammar.11: expected an assignment operator after `o(i)`, found the name `A`
  return o #//! error tc.grammar.10: TC has no `return`
  o(i) == A(i) #//! error tc.grammar.11: expected an assignment operator after `o(i)`, found `==`
  o(i), p(i) = g(A) #//! error tc.grammar.11: expected an assignment operator after `o(i)`, found `,`
  o(i) -= A(i) #//! error tc.grammar.11: TC has no assignment operator `-=`
  o(i) /= A(i) #//! error tc.grammar.11: TC has no assignment operator `/=`
  o(i) := A(i) #//! error tc.grammar.11: TC has no assignment operator `:=`
  o(0) = A(0) #//! error tc.grammar.12: `0` is not a name; the left side lists index variables
  o(i+1) = A(i) #//! error tc.grammar.12: `i+1` is not a name; the left side lists index variables
  o(P(i)) = A(i) #//! error tc.grammar.12: `P(i)` is not a name; the left side lists index variables
  o(i,) = A(i) #//! error tc.grammar.22: unexpected trailing `,`
  o(max) = A(i) #//! error tc.lex.7: `max` is a reserved word and cannot be a name
  min = 1 #//! error tc.lex.7: `min` is a reserved word and cannot be a name
  o(i) = A(i) <=> copy(o, A) #//! error tc.own.1: TC has no `<=>`; equivalence with library functions cannot be declared
)");
  expectMarked(R"(
def unclosed() -> (o) { #//! error tc.grammar.3: this `{` is never closed
  o = 1
def next() -> (o) { o = 1 }
def last() -> (o) { #//! error tc.grammar.3: this `{` is never closed
)");
}

TEST(TcDiagnostics, RejectWrongConstraints) {
  expectMarkedLines(R"(
  o(i) = A(i) where i in 0:N, #//! error tc.grammar.22: unexpected trailing `,`
  o(i) = A(i) where i in 0:N, p(i) = A(i) #//! error tc.grammar.22: unexpected trailing `,`
  o(i) = A(i) where p(i) = A(i) #//! error tc.grammar.14: expected a constraint after `where`, found the name `p`
  o(i) = A(i) where i in 0:N, 3 #//! error tc.grammar.14: expected a constraint after `,`, found `3`
  o(i) = A(i) where i in 0:2 and j in 0:3 #//! error tc.grammar.14: `,` separates constraints, not `and`
  o(i) = A(i) where i in 0:2 && j in 0:3 #//! error tc.grammar.14: `,` separates constraints, not `&&`
  o(i) = A(i) where i 0:2 #//! error tc.grammar.15: expected `in` in a constraint, found `0`
  o(i) = A(i) where i in N p = 1 #//! error tc.grammar.15: expected `:` in a constraint, found the name `p`
  o(i) = A(i) where i = 0:N #//! error tc.grammar.15: expected `in` in a constraint, found `=`
  o(i) = A(i) where i in :N #//! error tc.grammar.15: the range of `i` has no lower bound
  o(i) = A(i) where i in 0: #//! error tc.grammar.15: the range of `i` has no upper bound
  o(i) = A(i) where i in 0: p(i) = A(i) #//! error tc.grammar.15: the range of `i` has no upper bound
  o(i) = A(i) where i in 0..2 #//! error tc.grammar.15: TC has no `..`; a range is written `lower:upper`
  o(i) = A(i) where i in 0...N #//! error tc.grammar.15: TC has no `...`; a range is written `lower:upper`
  o(i) = A(i) where i in 0:N:2 #//! error tc.grammar.15: unexpected step in the range of `i`; ranges have none in TC
  o(i) = A(i) where i in 0:N where j in 0:N #//! error tc.grammar.10: expected a statement, found `where`
  o(i) = A(i) where in in 0:N #//! error tc.lex.7: `in` is a reserved word and cannot be a name
)");
  expectMarked(R"(
def last(float(N) A) -> (o) {
  o(i) = A(i) where #//! error tc.grammar.14: expected a constraint after `where`, found `}`
}
)");
}

TEST(TcDiagnostics, RejectWrongCalls) {
  expectMarkedLines(R"(
  a, b = A * 2 #//! error tc.grammar.16: expected `(` in a call, found `*`
  a, b += g(A) #//! error tc.grammar.16: expected `=` in a call, found `+=`
  a, = g(A) #//! error tc.grammar.16: expected a name in a call, found `=`
  () = g(A) #//! error tc.grammar.16: expected a name in a call, found `)`
  (a + b) = g(A) #//! error tc.grammar.16: expected `)` in a call, found `+`
  a, b = g(A b) #//! error tc.grammar.16: expected `)` in a call, found the name `b`
  a, b = g(2 * A) #//! error tc.call.4: `2 * A` is not a name; a function is called with names of tensors
  (a) = g(A(i)) #//! error tc.call.4: `A(i)` is not a name; a function is called with names of tensors
)");
}

TEST(TcDiagnostics, RejectWrongExpressions) {
  expectMarkedLines(R"(
  o(i) = A(i) ** 2 #//! error tc.grammar.17: TC has no operator `**`
  o(i) = A(i) and A(i) #//! error tc.grammar.17: TC has no operator `and`
  o(i) = A(i) or A(i) #//! error tc.grammar.17: TC has no operator `or`
  o(i) = not A(i) #//! error tc.grammar.17: TC has no operator `not`
  o(i) = A(i) =< 2 #//! error tc.grammar.17: TC has no operator `=<`
  o(i) = A(i) => 2 #//! error tc.grammar.17: TC has no operator `=>`
  o(i) = A[i] #//! error tc.grammar.17: TC has no operator `[`
  o(i) = A(i) > 0 ? 1 p = 2 #//! error tc.grammar.19: expected `:` and the second value of the conditional, found the name `p`
  o(i) = (A(i) + 1 p = 2 #//! error tc.grammar.21: expected `)`, found the name `p`
  o(i) = () #//! error tc.grammar.22: expected an expression, found `)`
  o(i) = +A(i) #//! error tc.grammar.22: expected an expression, found `+`
  o(i) = fmax(A(i) 0) #//! error tc.grammar.22: expected `,` or `)` in a list of arguments, found `0`
  o(i) = fmax(A(i),) #//! error tc.grammar.22: unexpected trailing `,`
  o(i) = max #//! error tc.lex.7: `max` is a reserved word and cannot be a name
  o(i) = int32 A(i) #//! error tc.type.19: expected `(` in a cast, found the name `A`
  o(i) = int32(A(i), 2) #//! error tc.type.19: expected `)` in a cast, found `,`
  o(i) = A.x #//! error tc.sizeexpr.7: expected the number of a dimension after `.`, found the name `x`
  o(i) = A .1 #//! error tc.grammar.10: expected a statement, found `.1`
  o(i) = A(i; 2) #//! error tc.lex.14: TC has no `;`; white space separates statements
  o(i) = ; #//! error tc.lex.14: TC has no `;`; white space separates statements
)");
  expectMarked(R"(
def cut(float(N) A) -> (o) {
  o(i) = A(i) * #//! error tc.grammar.22: expected an expression, found `}`
}
)");
}

std::string repeated(StringRef text, unsigned count) {
  std::string result;
  for (; count; --count)
    result += text;
  return result;
}

/// Nesting is limited before the stack overflows, and the next def is parsed.
TEST(TcDiagnostics, RejectTooDeepNesting) {
  StringRef tail = "\n} def g() -> (o) {\n o = ; #//! error tc.lex.14: TC has no `;`; white space "
                   "separates statements\n}";
  auto def = [&](std::string value) { return "def f() -> (o) { o = " + value + tail.str(); };
  std::string mark = " #//! error tc.limit.1: this is nested more than 256 levels deep";
  expectMarked(def(repeated("(", 300) + "1" + repeated(")", 300) + mark));
  expectMarked(def(repeated("(", 100000) + mark));
  expectMarked(def(repeated("-", 100000) + "1" + mark));
  expectMarked(def(repeated("!-", 100000) + "1" + mark));
  expectMarked(def(repeated("A(", 100000) + "1" + mark));
  expectMarked(def(repeated("float(", 100000) + "1" + mark));
  expectMarked(def(repeated("a ? ", 100000) + "1" + mark));
  expectMarked(def(repeated("a ? b : ", 100000) + "1" +
                   " #//! error tc.limit.1: this chain of `?:` has more than 1000 cases"));
  std::string ofChains = " #//! error tc.limit.1: this chain has more than 10000 operators";
  expectMarked(def("1" + repeated("+ 1", 100000) + ofChains));
  expectMarked(def("1" + repeated("+ 1", 10001) + ofChains));
  expectMarked(def("A(1)" + repeated("+ A(1)", 10000)));
  expectMarked(def(repeated("true ? 1 : ", 990) + "1"));
  expectMarked(def(repeated("(", 250) + "1" + repeated(")", 250)));
}

/// The fix is the program that was meant.
TEST(TcDiagnostics, OfferFixes) {
  EXPECT_EQ(mendedBody("o = 1; p = 2;"), "o = 1 p = 2");
  EXPECT_EQ(mendedBody("o = a(010)"), "o = a(10)");
  EXPECT_EQ(mendedBody("o max = a"), "o max= a");
  EXPECT_EQ(mendedBody("o min =! a"), "o min=! a");
  EXPECT_EQ(mendedBody("o = a =< b"), "o = a <= b");
  EXPECT_EQ(mendedBody("o = a > 0 and not b > 0 or c > 0"), "o = a > 0 && !(b > 0) || c > 0");
  EXPECT_EQ(mendedBody("o(i) == a(i)"), "o(i) = a(i)");
  EXPECT_EQ(mendedBody("o(i) := a(i)"), "o(i) = a(i)");
  EXPECT_EQ(mendedBody("o(i) = a where i in 0..2"), "o(i) = a where i in 0:2");
  EXPECT_EQ(mendedBody("o(i) = a where i = 0:2"), "o(i) = a where i in 0:2");
  EXPECT_EQ(mendedBody("o(i) = a where i in 0:2 and j in 0:3,"),
            "o(i) = a where i in 0:2 , j in 0:3");
  EXPECT_EQ(mended("def f(int(N) A, float b,) -> o, p { o = 1 }"),
            "def f(int32(N) A, float b) -> (o, p) { o = 1 }");
}

/// [tc.grammar.22, tc.error.19] Where, what was expected, what was found.
TEST(TcDiagnostics, ShowBothSides) {
  EXPECT_EQ(shown("def f() -> (o) {\n  o = (1 + 2\n}\n"),
            R"(test.tc:2:13: error: expected `)`, found `}` [tc.grammar.21]
   2 |   o = (1 + 2
     |       ~     ~
     |       opened here
)");
}

/// One mistake, one error: everything after it is read as it was meant.
TEST(TcDiagnostics, RecoverAtTheNextStatement) {
  expectMarked(R"(
def f(float(N) A) -> (o) {
  o(i) = A(i @ 2) + (A(i) * #//! error tc.lex.15: unexpected `@`
      3 where i in 0:N, x = 3, j in 0:5
  p(i) += A(i) )) #//! error tc.grammar.10: expected a statement, found `)`
  a, b = g(A)
  q(i) = A(i)) #//! error tc.grammar.10: expected a statement, found `)`
  (a, b) = g(A)
}
def g(float(N A) -> (o, p) { #//! error tc.type.4: expected `,` or `)` in a tensor type, found the name `A`
  o(i) = @ #//! error tc.lex.15: unexpected `@`
  p(i) = A(i) $ #//! error tc.lex.15: unexpected `$`
}
)");
}

} // namespace
