#include "lang/weld/Format.h"
#include "lang/weld/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::weld;
using llvm::StringRef;

namespace {

std::optional<std::string> formatted(StringRef text) {
  SourceFile file("test.weld", text.str());
  DiagnosticEngine diagnostics;
  return format(file, diagnostics);
}

/// Formats twice; the second time must change nothing.
std::string stable(StringRef text) {
  std::string once = formatted(text).value_or("(nothing)");
  EXPECT_EQ(formatted(once).value_or("(nothing)"), once);
  return once;
}

TEST(WeldFormat, SpacesOperatorsAndCommas) {
  EXPECT_EQ(stable("|a:i32,b:vec[ i32 ]|  {a+-b.$0*!c , [1,2 ,]}"),
            "|a: i32, b: vec[i32]| {a + -b.$0 * !c, [1, 2,]}\n");
  EXPECT_EQ(stable("f ( x )(y) : dict[ i32,{f64 , i8} ]"), "f(x)(y): dict[i32, {f64, i8}]\n");
  EXPECT_EQ(stable("||1"), "|| 1\n");
  EXPECT_EQ(stable("|\n|1"), "| | 1\n");
  EXPECT_EQ(stable("for(zip( a,(iter(b,0L , 1L,2L)) ),merger [i32 , min]( 1 ),|b,i,x|b)"),
            "for(zip(a, (iter(b, 0L, 1L, 2L))), merger[i32, min](1), |b, i, x| b)\n");
  EXPECT_EQ(stable("@( a:1 ,b : true )if(x,cudf[f,i8]( ),deserialize[ i8 ](y))"),
            "@(a: 1, b: true) if(x, cudf[f, i8](), deserialize[i8](y))\n");
}

TEST(WeldFormat, PutsLetsAndDefinitionsOnLines) {
  EXPECT_EQ(stable("type t=i32;macro f( a,b )=(a+b);let x:t=1;let y=(let z=2;z);\n\n\nf(x,y)"),
            "type t = i32;\n"
            "macro f(a, b) = (a + b);\n"
            "let x: t = 1;\n"
            "let y = (\n"
            "  let z = 2;\n"
            "  z\n"
            ");\n"
            "\n"
            "f(x, y)\n");
}

TEST(WeldFormat, BreaksLongLines) {
  EXPECT_EQ(stable("|vector: vec[i32], other: vec[i32]| result(for(zip(vector, other), appender, "
                   "|b, i, element| merge(b, element.$0 * element.$1 + element.$0 * element.$0)))"),
            "|vector: vec[i32], other: vec[i32]|\n"
            "  result(for(\n"
            "    zip(vector, other),\n"
            "    appender,\n"
            "    |b, i, element| merge(b, element.$0 * element.$1 + element.$0 * element.$0)\n"
            "  ))\n");
  std::string sum = "a_rather_long_name";
  for (int i = 0; i < 6; ++i)
    sum += " + a_rather_long_name";
  std::string formatted = stable(sum);
  for (StringRef line : llvm::split(formatted, '\n'))
    EXPECT_LE(line.size(), 100u);
}

TEST(WeldFormat, KeepsComments) {
  EXPECT_EQ(stable("# before\n\n|v: vec[i32]| # the parameter\n  map(v, # what\n    |x| x # how\n"
                   "  ) # after\n# at the end"),
            "# before\n"
            "\n"
            "|v: vec[i32]| # the parameter\n"
            "  map(\n"
            "    v, # what\n"
            "    |x| x # how\n"
            "  ) # after\n"
            "# at the end\n");
  EXPECT_EQ(stable("let a = 1; # one\n\n# two\nlet b = 2;\na # three"),
            "let a = 1; # one\n\n# two\nlet b = 2;\na # three\n");
}

/// A comment before an operation does not break its line.
TEST(WeldFormat, KeepsTogetherWhatFollowsAComment) {
  EXPECT_EQ(stable("|e: {i32,i32}| # a struct\ne.$0 + e.$1"),
            "|e: {i32, i32}| # a struct\n  e.$0 + e.$1\n");
}

TEST(WeldFormat, LeavesInvalidTextAlone) {
  EXPECT_EQ(formatted("1 +"), std::nullopt);
}

std::vector<std::string> tokensOf(StringRef text) {
  SourceFile file("test.weld", text.str());
  DiagnosticEngine diagnostics;
  TokenList list = lex(file, diagnostics);
  std::vector<std::string> texts;
  for (const Token &token : list.tokens)
    texts.push_back(file.text(token.range).str());
  for (SourceRange comment : list.comments)
    texts.push_back(file.text(comment).rtrim().str());
  return texts;
}

void expectKept(StringRef program) {
  std::optional<std::string> once = formatted(program);
  if (!once)
    return;
  EXPECT_EQ(tokensOf(*once), tokensOf(program));
  EXPECT_EQ(formatted(*once).value_or("(nothing)"), *once);
}

/// Every program of the reference keeps its tokens and comments, also with line ends everywhere.
TEST(WeldFormat, KeepsTokensOfTheReference) {
  auto page = llvm::MemoryBuffer::getFile(TESSERA_ROOT "/docs/languages/weld.md");
  ASSERT_TRUE(bool(page));
  llvm::SmallVector<StringRef> blocks;
  (*page)->getBuffer().split(blocks, "```weld");
  EXPECT_GT(blocks.size(), 100u);
  for (StringRef block : llvm::drop_begin(blocks)) {
    std::string program = block.split('\n').second.split("```").first.str(), lines;
    expectKept(program);
    for (const std::string &token : tokensOf(program))
      lines += token + (StringRef(token).starts_with("#") ? "\n" : " # c\n");
    expectKept(lines);
  }
}

} // namespace
