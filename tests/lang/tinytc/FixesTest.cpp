/// Fixes are machine-applicable: with them a program is correct and means what its author meant.
/// Where that is not certain, there is a hint instead.
#include "Marked.h"

using namespace tessera;
using namespace tessera::tinytc;

namespace {

/// The program with all fixes, none of which overlap.
std::string withFixes(std::string text) {
  SourceFile file("test.tinytc", text);
  DiagnosticEngine diagnostics;
  tinytcLanguage.check(file, {}, diagnostics);
  std::vector<FixIt> fixes;
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    llvm::append_range(fixes, diagnostic.fixits);
  llvm::stable_sort(fixes,
                    [](const FixIt &a, const FixIt &b) { return a.range.begin > b.range.begin; });
  uint32_t last = text.size();
  for (const FixIt &fix : fixes) {
    EXPECT_LE(fix.range.end, last) << text;
    last = fix.range.begin;
    text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
  }
  return text;
}

/// Instructions in a kernel with operands of all kinds.
std::string inKernel(llvm::StringRef body) {
  return ("func @f(%b: bool, %i: i32, %n: index, %x: f32, %y: f64, %A: memref<f32x8x8>,\n"
          "        %G: group<memref<f32x4>x?>) {\n" +
          body + "}\n")
      .str();
}

TEST(TinytcFixes, AreCorrect) {
  for (
      const char *text : {
          "def @f(%x: f32) {\n  %z = cast %x f64 // wider\n}",
          "func @f(%A: memref<f32x16> {align=64}) {\n  parallel {\n    %lane = "
          "builtin.subgroup_local_id : i32\n    %x = load %A[%lane] : f32\n    store %x, "
          "%A[%lane]\n  }\n}",
          "$n = !calc(2 * (1 + 3))\nfunc @f(%A: memref<f32 x $n>) {\n  %b = subview %A[2:4] : "
          "memref<f32x4>\n}",
          "func @f(%A: memref<f32x8x8>) {\n  %b = subview %A[0:4,0:4] : memref<f32x4x4>\n  %c = "
          "fuse %A[0,1] : memref<f32x64>\n}",
          "func @f(%c: bool, %a: f32, %A: memref<f32x4x4>) {\n  if (%c) {\n    gemm.NT %a, %A, %A, "
          "%a, %A\n  } else if %c {\n    %x = 1.5 : f32\n    %y = arith.exp %x : f32\n  } else {\n "
          "   "
          "%z = constant 1 : f32\n  }\n}",
          "func @f(%n: index, %i: i32, %x: f32, %y: f64) {\n  for %j = %n, %n step %n {\n  }\n  %s "
          "= for %j = %n, %n init(%t=%x) -> f32 {\n    yield (%t)\n  }\n  %z = arith.add %x, %y : "
          "f64\n  %w = cast %i : i32 -> f32\n}",
          "func @f(%A: group<memref<f32x4>x?>) {\n  %g = group_id : index\n  %a = load %A[%g] : "
          "group<memref<f32x4>x?>\n  %t = alloca : memref<f32x4>\n}",
      })
    expectMarked(withFixes(text));
}

/// A program in other forms, and what its fixes make of it.
TEST(TinytcFixes, KeepTheMeaning) {
  struct Case {
    const char *before, *after;
  };
  static constexpr Case cases[] = {
      {"  y = arith.neg %x : f32\n  x1 = arith.neg %y : f64\n",
       "  %y = arith.neg %x : f32\n  %x1 = arith.neg %y : f64\n"},
      {"  gemm.T.n %x, %A, %A, %x, %A\n  gemm.N.t %x, %A, %A, %x, %A\n",
       "  gemm.t.n %x, %A, %A, %x, %A\n  gemm.n.t %x, %A, %A, %x, %A\n"},
      {"  gemm.n.n %x %A %A, %x, %A\n", "  gemm.n.n %x, %A, %A, %x, %A\n"},
      {"  %m = load %G[%n] : group<memref<f32x4>>\n", "  %m = load %G[%n] : memref<f32x4>\n"},
      {"  %g = group_id\n  %h = builtin.subgroup_size\n",
       "  %g = group_id : index\n  %h = builtin.subgroup_size : i32\n"},
      {"  %s = size %A[0] : memref<f32x8x8>\n  %v = load %A[%s,%s] : memref<f32x8x8>\n",
       "  %s = size %A[0] : index\n  %v = load %A[%s,%s] : f32\n"},
      {"  %s = size %A[0] : i32\n  %v = load %A[%s,%s] : f32\n",
       "  %s = size %A[0] : index\n  %v = load %A[%s,%s] : f32\n"},
      {"  %v = subview %A[0:4,0:4] : memref<f32x4x4>\n  axpby.n %x, %v, %x, %v\n",
       "  %v = subview %A[0:4,0:4] : memref<f32x4x4,strided<1,8>>\n  axpby.n %x, %v, %x, %v\n"},
      {"  for %k=%i,%i : i32 {\n  }\n  foreach (%k)=(%i),(%i) : i32 {\n  }\n",
       "  for %k: i32=%i,%i {\n  }\n  foreach (%k): i32=(%i),(%i) {\n  }\n"},
      {"  foreach %k=%n,%n {\n  }\n  foreach %k=%i,%i : i32 {\n  }\n",
       "  foreach (%k)=(%n),(%n) {\n  }\n  foreach (%k): i32=(%i),(%i) {\n  }\n"},
      {"  %s, %t = if %b -> (f32, f64) {\n    yield %x, %y : f32, f64\n  } else {\n    yield %x, "
       "%y\n"
       "  }\n",
       "  %s, %t = if %b -> (f32, f64) {\n    yield (%x, %y)\n  } else {\n    yield (%x, %y)\n"
       "  }\n"},
      {"  for %k = %n to %n step %n {\n  }\n  if %b then {\n  }\n",
       "  for %k = %n, %n, %n {\n  }\n  if %b {\n  }\n"},
      {"  %s = for %k = %n, %n iter_args(%t=%x) -> (f32) {\n    yield (%t)\n  }\n",
       "  %s = for %k = %n, %n init(%t=%x) -> (f32) {\n    yield (%t)\n  }\n"},
      {"  %s = cast %x : f32 to f64\n  %t = constant 1.0f : f32\n",
       "  %s = cast %x : f64\n  %t = constant 1.0 : f32\n"},
      {"  barrier local\n  barrier global\n", "  barrier.local\n  barrier.global\n"},
      {"  barrier local global\n", "  barrier.global.local\n"},
      {"  let %z = arith.neg %x : f32\n  const %w = constant 1.0 : f32\n",
       "  %z = arith.neg %x : f32\n  %w = constant 1.0 : f32\n"},
      {"  alignment = arith.neg %x : f32\n", "  %alignment = arith.neg %x : f32\n"},
      {"  for %k = %n, %i {\n  }\n",
       "  %i_index = cast %i : index\n  for %k = %n, %i_index {\n  }\n"},
  };
  for (const Case &each : cases)
    EXPECT_EQ(withFixes(inKernel(each.before)), inKernel(each.after));
}

TEST(TinytcFixes, MendHeads) {
  static constexpr std::pair<const char *, const char *> cases[] = {
      {"func @f(memref<f32x4> %A, x: f32) {\n}", "func @f(%A: memref<f32x4>, %x: f32) {\n}"},
      {"func @f(%A: group<memref<f32x4>>x?, %B: group<memref<f32x4>>) {\n}",
       "func @f(%A: group<memref<f32x4>x?>, %B: group<memref<f32x4>x?>) {\n}"},
      {"func @f(%A: memref<floatx4>) {\n}", "func @f(%A: memref<f32x4>) {\n}"},
      {"func @f(f32: %a, memref<f32x4>: %A) {\n}", "func @f(%a: f32, %A: memref<f32x4>) {\n}"},
      {"w = 4\nfunc @f() {\n}", "$w = 4\nfunc @f() {\n}"},
      {"func.func @f() {\n}", "func @f() {\n}"},
      {"$a = !calc(2-3 * 4)\nfunc @f() {\n}", "$a = !calc(2 3 4 * -)\nfunc @f() {\n}"},
  };
  for (auto [before, after] : cases)
    EXPECT_EQ(withFixes(before), after);
}

/// Nothing is changed where another fix, or none, may be meant.
TEST(TinytcFixes, AreCertain) {
  for (const char *body : {
           "  n = 4\n",
           "  \"y\" = arith.neg %x : f32\n",
           "  %s = arith.add %x, %x : f64\n  %t = arith.mul %x, %s : f32\n",
           "  %s = arith.add %x, %y : f32\n",
           "  %s = arith.add %i, %n : i32\n",
           "  for %k = %i, %n {\n  }\n",
           "  axpby.n %N, %A, %x, %A\n",
           "  axpby.n %x, %g, %x, %A\n  load %G[%n] : memref<f32x4>\n",
           "  gemm.n.n %x, %A, %a, %x, %A\n  %a = subview %A[0:8,0:8] : memref<f32x8x8>\n",
           "  axpy %x, %A, %A\n",
           "  %v = subview %A[0:4,0:8] : memref<f32x8x8>\n",
           "  z = exp2 %x : f32\n",
           "  z = %x\n",
       })
    EXPECT_EQ(withFixes(inKernel(body)), inKernel(body));
  for (const char *text : {
           "func @f(memref<f32x4>) {\n}",
           "func @f(f32, f32) {\n}",
           "func @f(%v: f32) {\n  y = 4\n}",
           "$o = 64//2\nfunc @f() {\n}",
           "$o = !calc(8 -2)\nfunc @f() {\n}",
           "$o = !calc(2 -3 * 4)\nfunc @f() {\n}",
           "$n = 1\nfunc @f() {\n  %a = constant $n : f32\n}",
           "func @f(%A: memref<f32x4> {align=64, alignment=4}) attributes {align=4} {\n}",
           "func @f(float: %a) {\n}",
           "func @f(%x: f32) {\n}\nw = arith.neg %x : f32\n",
           "w = foo\nfunc @f() {\n}",
           "$w = 1\nw = 2\nfunc @f() {\n}",
           "func @f(%a: i8, %b: i32) {\n  %c = arith.shl %a, %b : i8\n}",
           "func @f(%a: i64, %b: index) {\n  %c = arith.mul %a, %b : i64\n}",
           "func @f(%a: i32, %b: c32) {\n  %c = arith.add %a, %b : c32\n}",
       })
    EXPECT_EQ(withFixes(text), text);
}

/// The definition of an undefined value may be in a statement that could not be read.
TEST(TinytcFixes, KeepNamesOfSkippedStatements) {
  for (const char *statement : {
           "var %y = arith.neg %Y : f32",
           "f32 %y = arith.neg %Y : f32",
           "set %y = arith.neg %Y : f32",
           "(%y) = arith.neg %Y : f32",
           "@y = arith.neg %Y : f32",
           "$y = arith.neg %Y : f32",
           "y: f32 = arith.neg %Y : f32",
           "# %y = arith.neg %Y : f32",
           "%x %y = arith.neg %Y : f32",
           "arith.neg %Y : f32 -> %y",
           "memref<f32x8> %y = alloca",
           "%x = arith.neg @Y : f32",
       }) {
    std::string text =
        ("func @f(%Y: f32) {\n  " + llvm::StringRef(statement) + "\n  %z = arith.neg %y : f32\n}")
            .str();
    EXPECT_EQ(withFixes(text), text);
  }
}

/// `//` before what may be an operand may be a division.
TEST(TinytcFixes, KeepDivisions) {
  for (const char *text : {
           "$q = 8 // 2\nfunc @f() {\n}",
           "$a = 8\n$q = $a //2\nfunc @f() {\n}",
           "$r = 64 //2\nfunc @f() {\n}",
           "func @f(%x: f32) {\n  %y = arith.div %x // %x\n    , %x : f32\n}",
           "func @f(%v: f32) {\n  %y = arith.div %v//%v : f32\n}",
           "func @f(%A: memref<f32x64 // 2>) {\n}",
           "func @f(%A: memref<f32x64> {alignment=64 // 2}) {\n}",
           "func @f() { // (two)\n}",
       })
    EXPECT_EQ(withFixes(text), text);
}

/// A variable of the preprocessor may have another value next time.
TEST(TinytcFixes, KeepVariables) {
  for (const char *text : {
           "$n = 8\nfunc @f(%A: memref<f32x$n x 8>) {\n  %b = subview %A[0:4,0:4] : "
           "memref<f32x4x4>\n}",
           "$t = memref<f32x8x8>\nfunc @f(%A: $t, %i: index) {\n  %b = load %A[%i,%i] : "
           "memref<f32x8x8>\n}",
           "$t = f32\nfunc @f(%b: i8, %c: f32) {\n  %d = arith.add %c, %b : $t\n}",
           "$t = f32\nfunc @f(%b: i8, %c: $t) {\n  %d = cmp.lt %c, %b : bool\n}",
           "$t = f32\nfunc @f() {\n  %d = constant 1 : $t\n}",
       })
    EXPECT_EQ(withFixes(text), text);
}

} // namespace
