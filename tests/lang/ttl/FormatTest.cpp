#include "lang/ttl/Format.h"
#include "lang/ttl/Lexer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::ttl;

namespace {

std::optional<std::string> formatted(llvm::StringRef text) {
  SourceFile file("test.ttl", text.str());
  DiagnosticEngine diagnostics;
  return format(file, diagnostics);
}

/// The lines of a function body, without its indentation.
std::string body(llvm::StringRef statements) {
  std::string text = formatted(("function void f() {" + statements + "\n}").str())
                         .value_or("(nothing)"),
              lines;
  llvm::StringRef rest = text;
  EXPECT_TRUE(rest.consume_front("function void f() {\n") && rest.consume_back("}\n")) << text;
  while (!rest.empty()) {
    auto [line, following] = rest.split('\n');
    EXPECT_TRUE(line.consume_front("  ") || line.empty()) << text;
    lines += (line + "\n").str();
    rest = following;
  }
  return lines;
}

TEST(TtlFormat, PutsEachStatementOnItsOwnLine) {
  EXPECT_EQ(formatted("function int main(){var int x=1;x=x+1;return x;}"),
            "function int main() {\n  var int x = 1;\n  x = x + 1;\n  return x;\n}\n");
}

TEST(TtlFormat, SpacesBinaryOperatorsAndNotPrefixes) {
  EXPECT_EQ(body("x=a+-b*!c-( - d )/e<=f&g|h!=i;"),
            "x = a + -b * !c - (-d) / e <= f & g | h != i;\n");
  EXPECT_EQ(body("x=a#b $0;"), "x = a # b $ 0;\n");
}

TEST(TtlFormat, WritesRangesAndSlicesTight) {
  EXPECT_EQ(body("x = m { 0 ... n - 1 , ( 2 ... 3 ) } { i , j } ;"),
            "x = m{0...n - 1, (2...3)}{i, j};\n");
  EXPECT_EQ(body("m [ i , 0 ] = f ( a , [ 1 , 2 ] ) ;"), "m[i, 0] = f(a, [1, 2]);\n");
}

TEST(TtlFormat, WritesTypesTight) {
  EXPECT_EQ(body("var matrix < float > [ 2 , ? ] m = a<b;"),
            "var matrix<float>[2, ?] m = a < b;\n");
}

TEST(TtlFormat, SeparatesFunctionsByOneLine) {
  EXPECT_EQ(formatted("function int f() { return 1; }\n\n\n\nfunction int main() { return f(); }"),
            "function int f() {\n  return 1;\n}\n\nfunction int main() {\n  return f();\n}\n");
}

TEST(TtlFormat, KeepsOneEmptyLineBetweenStatements) {
  EXPECT_EQ(body("\n\n\nx = 1;\n\n\n\ny = 2;\nz = 3;\n\n"), "x = 1;\n\ny = 2;\nz = 3;\n");
}

TEST(TtlFormat, IndentsBodiesWithoutBraces) {
  EXPECT_EQ(body("for(i in 0...n by 1)for(j in 0...i by 1)x=x+1;"),
            "for (i in 0...n by 1)\n  for (j in 0...i by 1)\n    x = x + 1;\n");
  EXPECT_EQ(body("if(a)x=1;else x=2;"), "if (a)\n  x = 1;\nelse\n  x = 2;\n");
}

TEST(TtlFormat, KeepsBraces) {
  EXPECT_EQ(body("if(a){x=1;}else{x=2;}"), "if (a) {\n  x = 1;\n} else {\n  x = 2;\n}\n");
  EXPECT_EQ(body("{{x=1;}}"), "{\n  {\n    x = 1;\n  }\n}\n");
}

TEST(TtlFormat, ChainsElseIf) {
  EXPECT_EQ(body("if(a){x=1;}else if(b){x=2;}else x=3;"),
            "if (a) {\n  x = 1;\n} else if (b) {\n  x = 2;\n} else\n  x = 3;\n");
}

TEST(TtlFormat, KeepsEmptyBodiesOfTheReference) {
  EXPECT_EQ(formatted("function void f(){}"), "function void f() {\n}\n");
}

TEST(TtlFormat, KeepsCommentsInPlace) {
  EXPECT_EQ(body("\n// above\nx = 1; // beside\n/* below */\n"),
            "// above\nx = 1; // beside\n/* below */\n");
  EXPECT_EQ(body("x /* a */ = /* b */ 1;"), "x /* a */ = /* b */ 1;\n");
  EXPECT_EQ(
      formatted("// first\nfunction int main() { // second\n  return 0;\n  // third\n}\n// last\n"),
      "// first\nfunction int main() { // second\n  return 0;\n  // third\n}\n// last\n");
}

TEST(TtlFormat, NeverPutsCodeAfterALineComment) {
  EXPECT_EQ(body("x = 1 // one\n+ 2;"), "x = 1 // one\n    + 2;\n");
  EXPECT_EQ(body("if (a) // why\n{ x = 1; }"), "if (a) // why\n{\n  x = 1;\n}\n");
  EXPECT_EQ(body("if (a) { x = 1; } // why\nelse { x = 2; }"),
            "if (a) {\n  x = 1;\n} // why\nelse {\n  x = 2;\n}\n");
}

TEST(TtlFormat, LeavesInvalidProgramsAlone) {
  EXPECT_EQ(formatted("function int main( { return 0; }"), std::nullopt);
}

std::vector<std::string> tokens(const std::string &text) {
  SourceFile file("test.ttl", text);
  DiagnosticEngine diagnostics;
  std::vector<std::string> texts;
  for (const Token &token : lex(file, diagnostics).tokens)
    texts.push_back(file.text(token.range).str());
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
      if (llvm::sys::path::extension(entry->path()) == ".ttl")
        paths.push_back(entry->path());
  return paths;
}

TEST(TtlFormat, ChangesNothingTheSecondTime) {
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
  EXPECT_GT(numFormatted, 100u);
}

} // namespace
