#include "lang/tc/PrintTree.h"
#include "lang/tc/Check.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::tc;

namespace {

std::string checkedTree(llvm::StringRef text) {
  SourceFile file("test.tc", text.str());
  DiagnosticEngine diagnostics;
  std::unique_ptr<Program> program = parse(file, diagnostics);
  LanguageOptions options;
  Checker(*program, options, diagnostics).checkProgram();
  std::string tree;
  llvm::raw_string_ostream out(tree);
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (diagnostic.severity == Severity::Error)
      print(out, diagnostic, {});
  printTree(*program, out);
  return tree;
}

/// Types, what names refer to, and the casts that the program leaves to the compiler.
TEST(TcPrintTree, ShowsWhatTheCheckerFinds) {
  EXPECT_EQ(checkedTree("def f(float(N) A, double s) -> (o) {\n"
                        "  t(i) = A(i) * N\n"
                        "  o +=! x < s ? t(i) : float(i) where x = 2, i in 0:A.0\n"
                        "}"),
            R"(def f
  argument A: float(N)
  argument s: double
  return o: float, rank 0
  temporary t: float, rank 1
  t(i) = (first)
    index i
    *: float
      read A: float
        i: int32, index
      implicit cast float: float
        N: int32, size
  o +=! (first)
    reduction i
    conditional: float
      <: bool
        implicit cast double: double
          x: int32, let
        s: double, tensor
      read t: float
        i: int32, index
      cast float: float
        i: int32, index
    where x =
      2: int32
    where i in
      0: int32
      A.0: int32
)");
}

TEST(TcPrintTree, ShowsCalls) {
  EXPECT_EQ(checkedTree("def f(float a) -> (o, p) { o, p = g(a) }\n"
                        "def g(float a) -> (o, p) { o += a p = exp(a) }"),
            R"(def f
  argument a: float
  return o: float, rank 0, in and out
  return p: float, rank 0
  o, p = call g(a)
def g
  argument a: float
  return o: float, rank 0, in and out
  return p: float, rank 0
  o += (first)
    a: float, tensor
  p = (first)
    call exp: float
      a: float, tensor
)");
}

} // namespace
