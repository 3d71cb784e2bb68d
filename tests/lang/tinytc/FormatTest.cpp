#include "lang/tinytc/Format.h"
#include "lang/tinytc/Check.h"
#include "lang/tinytc/Lexer.h"
#include "lang/tinytc/Parser.h"
#include "lang/tinytc/PrintTree.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::tinytc;
using llvm::StringRef;

namespace {

std::optional<std::string> formatted(StringRef text) {
  SourceFile file("test.tinytc", text.str());
  DiagnosticEngine diagnostics;
  return format(file, diagnostics);
}

/// Formatted twice, because the second time must change nothing.
std::string stable(StringRef text) {
  std::string once = formatted(text).value_or("(nothing)");
  EXPECT_EQ(formatted(once).value_or("(nothing)"), once);
  return once;
}

TEST(TinytcFormat, SpacesTokens) {
  EXPECT_EQ(
      stable("$t=f32 func @f(%a:memref < f32x4 x ?,strided<1 , 8>,local>,%b:$t{alignment = 4}){}"),
      "$t = f32\nfunc @f(%a: memref<f32x4x?,strided<1,8>,local>, %b: $t {alignment=4}) {}\n");
  EXPECT_EQ(stable("$a=!calc( 3 -1 + )$b=memref<f32 x $a x4>"),
            "$a = !calc(3 -1 +)\n$b = memref<f32 x $a x 4>\n");
}

/// A variable that `-D` will define is allowed everywhere.
TEST(TinytcFormat, LeavesVariablesToTheCommandLine) {
  EXPECT_EQ(
      stable("$m=!calc($n 1 +)func @f(%a:memref<$t x$n>$d,%b:coopmatrix<f32 x $n x$m,matrix_a>)"
             "attributes $d{%c=constant $x:$t %e=subview %a[0:$n]:$v}"),
      "$m = !calc($n 1 +)\n"
      "func @f(%a: memref<$t x $n> $d, %b: coopmatrix<f32 x $n x $m,matrix_a>) attributes $d {\n"
      "  %c = constant $x : $t\n"
      "  %e = subview %a[0:$n] : $v\n"
      "}\n");
}

TEST(TinytcFormat, BreaksLongLines) {
  std::string head = "func @f(";
  for (int i = 0; i < 12; ++i)
    head += "%parameter" + std::to_string(i) + ": memref<f32x16x16>" + (i < 11 ? ", " : ") {}");
  std::string text = stable(head);
  for (StringRef line : llvm::split(text, '\n'))
    EXPECT_LE(line.size(), 100u);
}

TEST(TinytcFormat, LeavesInvalidTextAlone) {
  EXPECT_EQ(formatted("func @f("), std::nullopt);
}

std::vector<std::string> tokensOf(StringRef text) {
  SourceFile file("test.tinytc", text.str());
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

/// Prints a program that the checker accepts; "" for others.
std::string printed(StringRef text) {
  SourceFile file("test.tinytc", text.str());
  DiagnosticEngine diagnostics;
  std::unique_ptr<Program> program = parse(file, {}, diagnostics);
  if (!check(*program, {}, diagnostics))
    return "";
  std::string result;
  llvm::raw_string_ostream out(result);
  printTree(*program, out);
  return result;
}

std::vector<std::string> programsOfTheReference() {
  auto page = llvm::MemoryBuffer::getFile(TESSERA_ROOT "/docs/languages/tinytc.md");
  EXPECT_TRUE(bool(page));
  llvm::SmallVector<StringRef> blocks;
  (*page)->getBuffer().split(blocks, "```tinytc");
  std::vector<std::string> programs;
  for (StringRef block : llvm::drop_begin(blocks))
    programs.push_back(block.split('\n').second.split("```").first.str());
  EXPECT_GT(programs.size(), 100u);
  return programs;
}

/// Every program keeps its tokens and comments, also with line breaks and comments everywhere.
TEST(TinytcFormat, KeepsTokensOfTheReference) {
  for (const std::string &program : programsOfTheReference()) {
    expectKept(program);
    std::string lines;
    for (const std::string &token : tokensOf(program))
      lines += token + (StringRef(token).starts_with(";") ? "\n" : " ; c\n");
    expectKept(lines);
  }
}

/// The printed program is the same program, and is printed identically.
TEST(TinytcPrintTree, PrintsPrograms) {
  unsigned numAccepted = 0;
  for (const std::string &program : programsOfTheReference()) {
    std::string once = printed(program);
    if (once.empty())
      continue;
    ++numAccepted;
    EXPECT_EQ(printed(once), once) << program;
  }
  EXPECT_GT(numAccepted, 60u);
}

} // namespace
