#include "lang/tc/Format.h"
#include "lang/tc/Lexer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::tc;
using llvm::StringRef;

namespace {

std::optional<std::string> formatted(StringRef text) {
  SourceFile file("test.tc", text.str());
  DiagnosticEngine diagnostics;
  return format(file, diagnostics);
}

/// Formatted twice, because the second time must change nothing.
std::string stable(StringRef text) {
  std::string once = formatted(text).value_or("(nothing)");
  EXPECT_EQ(formatted(once).value_or("(nothing)"), once);
  return once;
}

/// The lines of a body, without its indentation.
std::string body(StringRef statements) {
  std::string text = stable(("def f() -> (o) {" + statements + "\n}").str()), lines;
  StringRef rest = text;
  EXPECT_TRUE(rest.consume_front("def f() -> (o) {\n") && rest.consume_back("}\n")) << text;
  while (!rest.empty()) {
    auto [line, following] = rest.split('\n');
    EXPECT_TRUE(line.consume_front("  ") || line.empty()) << text;
    EXPECT_LE(line.size(), 98u);
    lines += (line + "\n").str();
    rest = following;
  }
  return lines;
}

TEST(TcFormat, PutsEachStatementOnItsOwnLine) {
  EXPECT_EQ(stable("def mm(float(M,K)A,float(K,N)B)->(C){C(m,n)+=!A(m,k)*B(k,n)where k in 0:K "
                   "D = 1}"),
            "def mm(float(M, K) A, float(K, N) B) -> (C) {\n"
            "  C(m, n) +=! A(m, k) * B(k, n) where k in 0:K\n  D = 1\n}\n");
}

TEST(TcFormat, SpacesBinaryOperatorsAndNotPrefixes) {
  EXPECT_EQ(body("x=a+-b*!c-( - d )/e<=f&&g||h!=i%j==k>=l<m>n"),
            "x = a + -b * !c - (-d) / e <= f && g || h != i % j == k >= l < m > n\n");
  EXPECT_EQ(body("x=- - a y=!!b z=a- -b"), "x = --a\ny = !!b\nz = a - -b\n");
}

/// Tokens must not join into another one.
TEST(TcFormat, KeepsOperatorsApart) {
  EXPECT_EQ(body("x += !a y = !a z min= !a w = -a"), "x += !a\ny = !a\nz min= !a\nw = -a\n");
  EXPECT_EQ(body("x+=!a y min=!a z max=! a"), "x +=! a\ny min=! a\nz max=! a\n");
}

TEST(TcFormat, WritesCallsAndIndicesTight) {
  EXPECT_EQ(body("x ( i , j ) = fmax ( A ( i , j+1 ) , min ( 0 , T . 1 ) ) + float ( i )"),
            "x(i, j) = fmax(A(i, j + 1), min(0, T.1)) + float(i)\n");
  EXPECT_EQ(body("a , b=f( c,d )(e)=g( )"), "a, b = f(c, d)\n(e) = g()\n");
  EXPECT_EQ(body("x=(((a)))y()=b ( )"), "x = (((a)))\ny() = b()\n");
}

/// The `:` of `?:` is spaced, that of a range is not.
TEST(TcFormat, DistinguishesColons) {
  EXPECT_EQ(body("x=a?b:c?d:e"), "x = a ? b : c ? d : e\n");
  EXPECT_EQ(body("x(i)=a where i in p?q:r : s, j in 0 : (p?q:r), exists A(i), y=a?b:c"),
            "x(i) = a where i in p ? q : r:s, j in 0:(p ? q : r), exists A(i), y = a ? b : c\n");
  EXPECT_EQ(body("x(i)=a where i in (p?q:r):N - K+1"),
            "x(i) = a where i in (p ? q : r):N - K + 1\n");
}

TEST(TcFormat, WritesTypes) {
  EXPECT_EQ(
      stable("def f ( float a , int32 ( 3 , N ) b , half ( ) c )\n-> ( uint8 ( N ) o, p ) { }"),
      "def f(float a, int32(3, N) b, half() c) -> (uint8(N) o, p) {\n}\n");
}

TEST(TcFormat, SeparatesDefsByOneLine) {
  EXPECT_EQ(
      stable("def f() -> (o) { o = 1 }\n\n\n\ndef g() -> (o) { o = 2 } def h() -> (o) { o = 3 }"),
      "def f() -> (o) {\n  o = 1\n}\n\ndef g() -> (o) {\n  o = 2\n}\n\n"
      "def h() -> (o) {\n  o = 3\n}\n");
}

TEST(TcFormat, KeepsOneEmptyLineBetweenStatements) {
  EXPECT_EQ(body("\n\n\nx = 1\n\n\n\ny = 2\nz = 3\n\n"), "x = 1\n\ny = 2\nz = 3\n");
}

TEST(TcFormat, JoinsLines) {
  EXPECT_EQ(body("x(i)\n=\nA(i)\n+ B(i)\nwhere i in\n0\n:N"),
            "x(i) = A(i) + B(i) where i in 0:N\n");
}

TEST(TcFormat, KeepsCommentsInPlace) {
  EXPECT_EQ(body("\n# above\nx = 1 # beside\n# below\n"), "# above\nx = 1 # beside\n# below\n");
  EXPECT_EQ(stable("# first\n\n# second\ndef f() -> (o) { # third\n\n  # fourth\n  o = 1\n\n"
                   "  # fifth\n} # sixth\n# seventh\n\n# last"),
            "# first\n\n# second\ndef f() -> (o) { # third\n  # fourth\n  o = 1\n\n"
            "  # fifth\n} # sixth\n# seventh\n\n# last\n");
  EXPECT_EQ(stable("def f() -> (o) { o = 1 }\n# about g\ndef g() -> (o) {\n# nothing yet\n}"),
            "def f() -> (o) {\n  o = 1\n}\n\n# about g\ndef g() -> (o) {\n  # nothing yet\n}\n");
}

TEST(TcFormat, KeepsCommentsInsideStatements) {
  EXPECT_EQ(
      body("x(i) = # sum of\n  A(i) # one\n# and\n# the\n  + B(i) where # all\n i in 0:N # last"),
      "x(i) = # sum of\n    A(i) # one\n    # and\n    # the\n    + B(i) where # all\n"
      "    i in 0:N # last\n");
  EXPECT_EQ(stable("def f( # arguments\nfloat a, # one\nfloat b # two\n)->(o) # result\n{o=1}"),
            "def f( # arguments\n    float a, # one\n    float b # two\n    ) -> (o) # result\n"
            "    {\n  o = 1\n}\n");
}

TEST(TcFormat, DropsBlanksAfterComments) {
  EXPECT_EQ(body("x = 1 # one \t\r\n"), "x = 1 # one\n");
}

std::string repeated(StringRef text, unsigned count) {
  std::string result;
  for (; count; --count)
    result += text;
  return result;
}

/// Before `where` first, then before the operator that binds least.
TEST(TcFormat, BreaksLongLines) {
  std::string name = repeated("a", 40);
  EXPECT_EQ(body("o(i) = " + name + " * " + name + " where i in 0:N, j in 0:M"),
            "o(i) = " + name + " * " + name + "\n    where i in 0:N, j in 0:M\n");
  EXPECT_EQ(body("o(i) = " + name + " * " + name + " + " + name + " * " + name),
            "o(i) = " + name + " * " + name + "\n    + " + name + " * " + name + "\n");
  EXPECT_EQ(body("o(i) = i > 0 ? " + name + " + 1 : " + name + " + 2 + b"),
            "o(i) = i > 0 ? " + name + " + 1\n    : " + name + " + 2 + b\n");
  EXPECT_EQ(body("o(i) = fma(" + name + " + 1, " + name + " + 1, c + 1)"),
            "o(i) = fma(" + name + " + 1,\n    " + name + " + 1, c + 1)\n");
}

/// The left side of a statement stays on one line as long as it fits there.
TEST(TcFormat, BreaksRightSidesFirst) {
  std::string name = repeated("a", 30);
  EXPECT_EQ(body("o(" + name + ", j) = exp(" + name + " * " + name + " + b)"),
            "o(" + name + ", j) = exp(" + name + "\n    * " + name + " + b)\n");
  EXPECT_EQ(body(name + ", " + name + "b, c = g(" + name + ", d)"),
            name + ", " + name + "b, c =\n    g(" + name + ", d)\n");
  EXPECT_EQ(body("o(" + name + ", " + name + "b, " + name + "c) = 1"),
            "o(" + name + ", " + name + "b,\n    " + name + "c) = 1\n");
}

/// Each line contains as much as fits.
TEST(TcFormat, FillsLines) {
  EXPECT_EQ(body("o = a" + repeated(" + abcdefg", 21)),
            "o = a" + repeated(" + abcdefg", 9) + "\n   " + repeated(" + abcdefg", 9) + "\n   " +
                repeated(" + abcdefg", 3) + "\n");
}

/// A line has at most 100 characters.
TEST(TcFormat, UsesTheWholeWidth) {
  EXPECT_EQ(body("o = b + " + repeated("a", 90)), "o = b + " + repeated("a", 90) + "\n");
  EXPECT_EQ(formatted("def f() -> (o) { o = b + " + repeated("a", 91) + " }"),
            "def f() -> (o) {\n  o = b\n      + " + repeated("a", 91) + "\n}\n");
  // Nothing can be done for a long name but to begin a line with it.
  EXPECT_EQ(formatted("def f() -> (o) { o = " + repeated("a", 120) + " }"),
            "def f() -> (o) {\n  o =\n      " + repeated("a", 120) + "\n}\n");
}

TEST(TcFormat, BreaksLongHeads) {
  std::string argument = "float(N, M) " + repeated("a", 20);
  EXPECT_EQ(stable("def f(" + argument + ", " + argument + ") -> (o, p, q, r, s, t, u, v, w) {}"),
            "def f(" + argument + ", " + argument + ")\n    -> (o, p, q, r, s, t, u, v, w) {\n}\n");
  EXPECT_EQ(stable("def f(" + argument + ", " + argument + ", " + argument + ") -> (o) {}"),
            "def f(" + argument + ", " + argument + ",\n    " + argument + ") -> (o) {\n}\n");
}

TEST(TcFormat, LeavesInvalidProgramsAlone) {
  EXPECT_EQ(formatted("def f( -> (o) { o = 1 }"), std::nullopt);
  EXPECT_EQ(formatted("def f() -> (o) { o = 1; }"), std::nullopt);
  EXPECT_EQ(formatted(""), std::nullopt);
}

std::vector<std::string> tokens(const std::string &text) {
  SourceFile file("test.tc", text);
  DiagnosticEngine diagnostics;
  TokenList list = lex(file, diagnostics);
  std::vector<std::string> texts;
  for (const Token &token : list.tokens)
    texts.push_back(file.text(token.range).str());
  for (SourceRange comment : list.comments)
    texts.push_back(file.text(comment).rtrim().str());
  return texts;
}

/// Every program of the tests and examples that has no syntax errors.
std::vector<std::string> allPrograms() {
  std::vector<std::string> paths;
  std::error_code error;
  for (const char *folder : {"/tests", "/examples"})
    for (llvm::sys::fs::recursive_directory_iterator
             entry(TESSERA_ROOT + std::string(folder), error),
         end;
         entry != end && !error; entry.increment(error))
      if (llvm::sys::path::extension(entry->path()) == ".tc" ||
          StringRef(entry->path()).contains("/corpus/tc/"))
        paths.push_back(entry->path());
  return paths;
}

TEST(TcFormat, ChangesNothingTheSecondTime) {
  unsigned numFormatted = 0;
  for (const std::string &path : allPrograms()) {
    SCOPED_TRACE(path);
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(bool(buffer));
    std::string text = (*buffer)->getBuffer().str();
    std::optional<std::string> once = formatted(text);
    if (!once)
      continue;
    ++numFormatted;
    EXPECT_EQ(formatted(*once), once);
    EXPECT_EQ(tokens(*once), tokens(text));
  }
  EXPECT_GT(numFormatted, 10u);
}

} // namespace
