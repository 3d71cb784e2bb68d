#include "lang/weld/PrintTree.h"
#include "Checked.h"

using namespace tessera::weld;

namespace {

std::string treeOf(CheckedProgram &checked) {
  std::string tree;
  llvm::raw_string_ostream out(tree);
  printTree(*checked.program, out);
  return checked.isCorrect ? tree : checked.messages() + tree;
}

/// Macros are expanded, variables are numbered, and every expression has a type.
TEST(WeldPrintTree, ShowsWhatTheCheckerFinds) {
  CheckedProgram checked("|x: vec[i32]| let x = map(x, |x| @(size: 3) -x.$0: ?); x");
  EXPECT_FALSE(checked.isCorrect);
  CheckedProgram program("|x: vec[i32]| let x = map(x, |x| @(mood: good) i64(-x)); lookup(x, 0L)");
  EXPECT_EQ(treeOf(program), R"(parameter x%0: vec[i32]
let x%5: vec[i64]
  result: vec[i64]
    for: appender[i64]
      over: i32
        x%0: vec[i32]
      new appender: appender[i64]
      function
        parameter b%1: appender[i64]
        parameter i%2: i64
        parameter x%3: i32
        merge: appender[i64]
          b%1: appender[i64]
          apply: i64
            function
              parameter x%4: i32
              cast i64 @mood=good: i64
                -: i32
                  x%4: i32
            x%3: i32
lookup: i64
  x%5: vec[i64]
  0: i64
)");
}

/// Strings are printed as they can be written [weld.lex.7].
TEST(WeldPrintTree, EscapesStrings) {
  CheckedProgram program(R"("a\"\\ é\x01\xfe")");
  EXPECT_EQ(treeOf(program), R"("a\"\\ é\x01\xfe": vec[i8])"
                             "\n");
}

} // namespace
