// The text of operations, and what their verifiers reject.
#include "lang/tinytc/ir/Dialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

using namespace tessera::tinytc::ir;
using testing::HasSubstr;

namespace {

class TinytcDialectTest : public testing::Test {
protected:
  TinytcDialectTest() {
    context.loadDialect<mlir::func::FuncDialect, TinytcDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) { complaint = diagnostic.str(); });
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
  std::string print(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }
  void expectComplaint(const std::string &body, const std::string &text) {
    complaint.clear();
    EXPECT_FALSE(parse(parameters + body + " return }")) << body;
    EXPECT_THAT(complaint, HasSubstr(text)) << body;
  }
  void expectSpmdComplaint(const std::string &body, const std::string &text) {
    expectComplaint("tinytc.parallel { " + body + " }", text);
  }
  void expectTypeComplaint(const std::string &type, const std::string &text) {
    complaint.clear();
    EXPECT_FALSE(parse("func.func @k(%a: !tinytc." + type + ") { return }")) << type;
    EXPECT_THAT(complaint, HasSubstr(text)) << type;
  }

  static constexpr const char *parameters = R"(
    func.func @k(%f: f32, %d: f64, %h: f16, %b: bf16, %c: complex<f32>, %t: i1, %n: index, %i: i32, %l: i64,
                 %s: !tinytc.memref<f32>, %v4: !tinytc.memref<4xf32>, %v8: !tinytc.memref<8xf32>,
                 %m: !tinytc.memref<4x8xf32>, %mt: !tinytc.memref<8x4xf32>, %q: !tinytc.memref<4x4xf32>,
                 %mi: !tinytc.memref<4x8xi64>, %x: !tinytc.memref<4x8x2xf32>, %dyn: !tinytc.memref<4x?xf32>,
                 %g: !tinytc.group<!tinytc.memref<4x8xf32>, 3>) { )";

  mlir::MLIRContext context;
  std::string complaint;
};

constexpr const char *allOps = R"(
func.func @k(%f: f32, %c: complex<f64>, %t: i1, %n: index, %i: i32, %v4: !tinytc.memref<4xf32>,
             %v8: !tinytc.memref<8xf32> {tinytc.attributes = {alignment = 64 : i64}},
             %m: !tinytc.memref<4x8xf32, strided<1, ?>>, %mt: !tinytc.memref<8x4xf32>,
             %q: !tinytc.memref<4x4xf32>, %g: !tinytc.group<!tinytc.memref<4x?xf32>, ?, offset 5>)
    attributes {tinytc.subgroup_size = 16 : i64, tinytc.work_group_size = array<i64: 32, 2>} {
  %0 = tinytc.constant f32 1.5
  %1 = tinytc.constant i1 true
  %2 = tinytc.constant index 4
  %3 = tinytc.constant complex<f32> [1.0 : f32, -1.0 : f32]
  %4 = tinytc.constant !tinytc.coopmatrix<8x16xf32, matrix_acc> 0.0
  %5 = tinytc.alloca {alignment = 64 : i64} : !tinytc.memref<4x4xf32, local>
  tinytc.axpby %f, %m, %f, %mt {transA} : f32, !tinytc.memref<4x8xf32, strided<1, ?>>, f32, !tinytc.memref<8x4xf32>
  tinytc.cumsum %f, %mt, %f, %mt {mode = 1 : i64} : f32, !tinytc.memref<8x4xf32>, f32, !tinytc.memref<8x4xf32>
  tinytc.gemm %f, %m, %mt, %f, %q : f32, !tinytc.memref<4x8xf32, strided<1, ?>>, !tinytc.memref<8x4xf32>, f32, !tinytc.memref<4x4xf32>
  tinytc.gemm %f, %mt, %m, %0, %5 {transA, transB} : f32, !tinytc.memref<8x4xf32>, !tinytc.memref<4x8xf32, strided<1, ?>>, f32, !tinytc.memref<4x4xf32, local>
  tinytc.gemv %f, %m, %v8, %f, %v4 : f32, !tinytc.memref<4x8xf32, strided<1, ?>>, !tinytc.memref<8xf32>, f32, !tinytc.memref<4xf32>
  tinytc.ger %f, %v8, %v4, %f, %mt : f32, !tinytc.memref<8xf32>, !tinytc.memref<4xf32>, f32, !tinytc.memref<8x4xf32>
  tinytc.hadamard %f, %v4, %v4, %f, %v4 : f32, !tinytc.memref<4xf32>, !tinytc.memref<4xf32>, f32, !tinytc.memref<4xf32>
  tinytc.sum %f, %m, %f, %v8 {transA} : f32, !tinytc.memref<4x8xf32, strided<1, ?>>, f32, !tinytc.memref<8xf32>
  tinytc.lifetime_stop %5 : !tinytc.memref<4x4xf32, local>
  tinytc.barrier {global, local}
  %6 = tinytc.binary add %f, %0 : f32
  %7 = tinytc.unary abs %c : complex<f64> -> f64
  %8 = tinytc.compare lt %f, %0 : f32
  %9 = tinytc.cast %i : i32 -> f32
  %10 = tinytc.builtin group_id : index
  %11 = tinytc.builtin num_subgroups {axis = #tinytc.axis<x>} : i32
  %12 = tinytc.subview %m[2, %n] sizes [2, 0] : !tinytc.memref<4x8xf32, strided<1, ?>> -> !tinytc.memref<2xf32>
  %13 = tinytc.subview %m[%n, 0] sizes [%n, 8] : !tinytc.memref<4x8xf32, strided<1, ?>> -> !tinytc.memref<?x8xf32>
  %14 = tinytc.expand %mt[0] into [2, %n] : !tinytc.memref<8x4xf32> -> !tinytc.memref<2x?x4xf32, strided<1, 2, 8>>
  %15 = tinytc.fuse %mt[0, 1] : !tinytc.memref<8x4xf32> -> !tinytc.memref<32xf32>
  %16 = tinytc.size %g[0] : !tinytc.group<!tinytc.memref<4x?xf32>, ?, offset 5>
  %17 = tinytc.load %g[%n] : !tinytc.group<!tinytc.memref<4x?xf32>, ?, offset 5>
  %18 = tinytc.load %17[%n, %n] : !tinytc.memref<4x?xf32>
  %19:2 = tinytc.for %j : index = %n, %16 step %2 init(%p = %f : f32, %r = %t : i1) {
    tinytc.yield %p, %r : f32, i1
  } {unroll = 0 : i64}
  tinytc.for %j : i32 = %i, %i {
    tinytc.store %f, %v4[%n] : !tinytc.memref<4xf32>
  }
  %20 = tinytc.if %t -> (f32) {
    tinytc.yield %f : f32
  } else {
    tinytc.yield %0 : f32
  }
  tinytc.if %t {
    tinytc.barrier
  }
  tinytc.foreach (%j, %k) = (%n, %n) to (%16, %16) : index {
    tinytc.store %f, %17[%j, %k] {flag = #tinytc.store_flag<atomic>} : !tinytc.memref<4x?xf32>
  }
  tinytc.parallel {
    %id = tinytc.builtin subgroup_local_id : i32
    %a = tinytc.coop_load %m[%n, %n] {transposed, checked = #tinytc.checked<both>} : !tinytc.memref<4x8xf32, strided<1, ?>> -> !tinytc.coopmatrix<8x4xf32, matrix_a>
    %bm = tinytc.coop_load %m[%n, %n] : !tinytc.memref<4x8xf32, strided<1, ?>> -> !tinytc.coopmatrix<4x16xf32, matrix_b>
    %p = tinytc.coop_mul_add %a, %bm, %4 : (!tinytc.coopmatrix<8x4xf32, matrix_a>, !tinytc.coopmatrix<4x16xf32, matrix_b>, !tinytc.coopmatrix<8x16xf32, matrix_acc>) -> !tinytc.coopmatrix<8x16xf32, matrix_acc>
    %sc = tinytc.coop_scale %f, %p : !tinytc.coopmatrix<8x16xf32, matrix_acc>
    tinytc.coop_store %sc, %mt[%n, %n] {checked = #tinytc.checked<rows>} : !tinytc.coopmatrix<8x16xf32, matrix_acc>, !tinytc.memref<8x4xf32>
    %bc = tinytc.broadcast %f, %id : f32
    %sg = tinytc.subgroup add exclusive_scan %bc : f32
    %old = tinytc.store %sg, %v4[%n] {flag = #tinytc.store_flag<atomic_add>} : !tinytc.memref<4xf32> -> f32
  }
  return
}
)";

TEST_F(TinytcDialectTest, ReadsWhatItPrints) {
  auto module = parse(allOps);
  ASSERT_TRUE(module) << complaint;
  std::string text = print(*module);
  auto again = parse(text);
  ASSERT_TRUE(again) << complaint << text;
  EXPECT_EQ(print(*again), text);
  unsigned numKinds = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("tinytc"))
    numKinds += text.find(name.getStringRef().str()) != std::string::npos;
  EXPECT_EQ(numKinds, context.getRegisteredOperationsByDialect("tinytc").size());
}

TEST_F(TinytcDialectTest, KnowsItsTypes) {
  expectTypeComplaint("memref<4xi1>", "not a scalar");
  expectTypeComplaint("memref<4xcomplex<i32>>", "not a scalar");
  expectTypeComplaint("memref<4x4xf32, strided<1>>", "2 modes and 1 strides");
  expectTypeComplaint("memref<4x4xf32, strided<1, 2>>", "is too small");
  expectTypeComplaint("memref<4xf32, strided<0>>", "first stride");
  expectTypeComplaint("memref<4xf32, strided<-1>>", "negative");
  expectTypeComplaint("group<!tinytc.memref<4xf32>, -1>", "negative");
  expectTypeComplaint("group<!tinytc.memref<4xf32>, 2, offset -1>", "negative");
  expectTypeComplaint("coopmatrix<0x4xf32, matrix_a>", "empty");
  expectTypeComplaint("coopmatrix<4x4xf32, matrix_d>", "two sizes and a use");
}

TEST_F(TinytcDialectTest, ComputesWhereMemoryEnds) {
  auto extentOf = [&](const char *type) {
    return llvm::cast<MemrefType>(mlir::parseType(type, &context)).extent();
  };
  EXPECT_EQ(extentOf("!tinytc.memref<4x8xf32>"), 32);
  EXPECT_EQ(extentOf("!tinytc.memref<4x8xf32, strided<2, 10>>"), 77);
  EXPECT_EQ(extentOf("!tinytc.memref<f32>"), 1);
  EXPECT_EQ(extentOf("!tinytc.memref<4x0xf32>"), 0);
  EXPECT_EQ(extentOf("!tinytc.memref<4x?xf32>"), std::nullopt);
  EXPECT_EQ(extentOf("!tinytc.memref<4x2xf32, strided<1, ?>>"), std::nullopt);
}

TEST_F(TinytcDialectTest, KnowsWhereOperationsMayOccur) {
  expectComplaint("%0 = tinytc.builtin subgroup_id : i32", "is in a collective region");
  expectComplaint("%0 = tinytc.subgroup add reduce %f : f32", "is in a collective region");
  expectComplaint("tinytc.if %t { %0 = tinytc.broadcast %f, %i : f32 }", "collective region");
  expectSpmdComplaint("%0 = tinytc.alloca : !tinytc.memref<4xf32, local>", "SPMD region");
  expectSpmdComplaint("tinytc.parallel { }", "SPMD region");
  expectSpmdComplaint(
      "tinytc.for %j : index = %n, %n { tinytc.foreach (%k) = (%n) to (%n) : index { } }",
      "SPMD region");
  expectComplaint("tinytc.foreach (%k) = (%n) to (%n) : index { tinytc.sum %f, %v4, %f, %s : f32, "
                  "!tinytc.memref<4xf32>, f32, !tinytc.memref<f32> }",
                  "SPMD region");
}

TEST_F(TinytcDialectTest, ChecksTensors) {
  std::string memref = "!tinytc.memref", m = memref + "<4x8xf32>";
  expectComplaint("tinytc.axpby %f, %m, %f, %mt : f32, " + m + ", f32, " + memref + "<8x4xf32>",
                  "do not fit");
  expectComplaint("tinytc.axpby %f, %x, %f, %x : f32, " + memref + "<4x8x2xf32>, f32, " + memref +
                      "<4x8x2xf32>",
                  "of order 3");
  expectComplaint("tinytc.axpby %d, %m, %f, %m : f64, " + m + ", f32, " + m,
                  "alpha of type 'f64', which does not promote to 'f32'");
  expectComplaint("tinytc.axpby %f, %m, %d, %m : f32, " + m + ", f64, " + m, "beta of type 'f64'");
  expectComplaint("tinytc.axpby %l, %mi, %f, %m : i64, " + memref + "<4x8xi64>, f32, " + m,
                  "inputs of type 'i64'");
  expectComplaint("tinytc.axpby %f, %m, %f, %m {atomic} : f32, " + m + ", f32, " + m,
                  "neither constant 0 nor 1");
  expectComplaint("tinytc.cumsum %f, %m, %f, %m {mode = 2 : i64} : f32, " + m + ", f32, " + m,
                  "no mode 2");
  expectComplaint("tinytc.cumsum %f, %m, %f, %q {mode = 0 : i64} : f32, " + m + ", f32, " + memref +
                      "<4x4xf32>",
                  "do not fit");
  expectComplaint("tinytc.sum %f, %m, %f, %v8 : f32, " + m + ", f32, " + memref + "<8xf32>",
                  "do not fit");
  expectComplaint("tinytc.sum %f, %m, %f, %s : f32, " + m + ", f32, " + memref + "<f32>",
                  "of order 2");
  expectComplaint("tinytc.gemm %f, %m, %m, %f, %m : f32, " + m + ", " + m + ", f32, " + m,
                  "do not fit");
  expectComplaint("tinytc.gemm %f, %v4, %m, %f, %m : f32, " + memref + "<4xf32>, " + m + ", f32, " +
                      m,
                  "of order 1");
  expectComplaint("tinytc.gemm %f, %m, %dyn, %f, %q {transB} : f32, " + m + ", " + memref +
                      "<4x?xf32>, f32, " + memref + "<4x4xf32>",
                  "do not fit");
  expectComplaint("tinytc.gemm %f, %m, %mi, %f, %q {transB} : f32, " + m + ", " + memref +
                      "<4x8xi64>, f32, " + memref + "<4x4xf32>",
                  "do not promote to each other");
  expectComplaint("tinytc.gemv %f, %m, %v4, %f, %v4 : f32, " + m + ", " + memref +
                      "<4xf32>, f32, " + memref + "<4xf32>",
                  "do not fit");
  expectComplaint("tinytc.ger %f, %v4, %v4, %f, %m : f32, " + memref + "<4xf32>, " + memref +
                      "<4xf32>, f32, " + m,
                  "do not fit");
  expectComplaint("tinytc.hadamard %f, %s, %s, %f, %s : f32, " + memref + "<f32>, " + memref +
                      "<f32>, f32, " + memref + "<f32>",
                  "of order 0");
  expectComplaint("%0 = tinytc.alloca : " + memref + "<4xf32>", "not local");
  expectComplaint("%0 = tinytc.alloca : " + memref + "<?xf32, local>", "unknown size");
  expectComplaint("%0 = tinytc.alloca : " + memref + "<4x2xf32, strided<1, ?>, local>",
                  "unknown size");
  expectComplaint("%0 = tinytc.alloca {alignment = 0 : i64} : " + memref + "<4xf32, local>",
                  "alignment of 0");
  expectComplaint("tinytc.lifetime_stop %m : " + m, "the result of an `alloca`");
}

TEST_F(TinytcDialectTest, ChecksControl) {
  expectComplaint("tinytc.foreach () = () to () : index { }", "no variable");
  expectComplaint("tinytc.for %j : f32 = %f, %f { }", "must be an integer");
  expectComplaint(
      "%0 = tinytc.for %j : index = %n, %n init(%p = %f : f32) { tinytc.yield %i : i32 }",
      "have different type");
  expectComplaint("%0 = tinytc.if %t -> (f32) { tinytc.yield %f : f32 }", "no second region");
  expectComplaint("%0 = tinytc.if %t -> (f32) { tinytc.yield %f : f32 } else { }",
                  "does not yield");
  expectComplaint("tinytc.yield", "expects parent op");
  expectComplaint("tinytc.for %j : index = %n, %n { } {unroll = -2 : i64}", "unrolled -2");
}

TEST_F(TinytcDialectTest, ChecksScalars) {
  expectComplaint("%0 = tinytc.binary shl %f, %f : f32", "shl does not apply to 'f32'");
  expectComplaint("%0 = tinytc.binary add %t, %t : i1", "add does not apply to 'i1'");
  expectComplaint("%0 = tinytc.binary min %c, %c : complex<f32>", "min does not apply");
  expectComplaint("%0 = tinytc.unary conj %f : f32 -> f32", "conj does not apply");
  expectComplaint("%0 = tinytc.unary abs %c : complex<f32> -> complex<f32>", "is no");
  expectComplaint("%0 = tinytc.compare lt %c, %c : complex<f32>", "lt does not apply");
  expectComplaint("%0 = tinytc.cast %c : complex<f32> -> f32", "converts");
  expectComplaint("%0 = tinytc.cast %t : i1 -> i32", "a scalar or a coopmatrix");
  expectComplaint("%0 = tinytc.builtin group_id : i32", "group_id is no");
  expectComplaint("%0 = tinytc.constant complex<f32> [1.0 : f64, 1.0 : f64]", "which is not");
  expectSpmdComplaint("%0 = tinytc.subgroup max reduce %c : complex<f32>", "max does not apply");
}

TEST_F(TinytcDialectTest, ChecksViews) {
  std::string from = "!tinytc.memref<4x8xf32> -> !tinytc.memref";
  expectComplaint("%0 = tinytc.subview %m[0] sizes [4] : " + from + "<4xf32>",
                  "one slice per mode");
  expectComplaint("%0 = tinytc.subview %m[0, -1] sizes [4, 2] : " + from + "<4x2xf32>", "negative");
  expectComplaint("%0 = tinytc.subview %m[0, 0] sizes [2, 2] : " + from + "<2x2xf32>",
                  "wrong stride of mode 1");
  expectComplaint("%0 = tinytc.subview %m[0, 0] sizes [2, %n] : " + from +
                      "<2x2xf32, strided<1, 4>>",
                  "wrong size of mode 1");
  expectComplaint("%0 = tinytc.subview %m[0, 0] sizes [4, 0] : " + from + "<4x1xf32>",
                  "wrong order");
  expectComplaint("%0 = tinytc.subview %m[0, 0] sizes [4, 8] : " + from + "<4x8xf32, local>",
                  "address space");
  expectComplaint("%0 = tinytc.expand %m[2] into [2, 4] : " + from + "<4x2x4xf32>", "no such mode");
  expectComplaint("%0 = tinytc.expand %m[1] into [8] : " + from + "<4x8xf32>", "fewer than two");
  expectComplaint("%0 = tinytc.expand %m[1] into [2, 3] : " + from + "<4x2x3xf32>", "product is 6");
  expectComplaint("%0 = tinytc.expand %m[1] into [2, %n] : " + from + "<4x2x4xf32>",
                  "wrong size of mode 2");
  expectComplaint("%0 = tinytc.expand %m[1] into [2, 4] : " + from +
                      "<4x2x4xf32, strided<1, 4, 9>>",
                  "wrong stride of mode 2");
  expectComplaint("%0 = tinytc.fuse %m[1, 1] : " + from + "<4x8xf32>", "do not exist");
  expectComplaint("%0 = tinytc.fuse %m[0, 1] : " + from + "<31xf32>", "wrong size of mode 0");
  expectComplaint(
      "%0 = tinytc.subview %m[0, 0] sizes [2, 8] : " + from +
          "<2x8xf32, strided<1, 4>> %1 = tinytc.fuse %0[0, 1] : !tinytc.memref<2x8xf32, "
          "strided<1, 4>> -> !tinytc.memref<16xf32>",
      "gap");
  expectComplaint("%0 = tinytc.size %m[2] : !tinytc.memref<4x8xf32>", "no mode 2");
  expectComplaint("%0 = tinytc.load %m[%n] : !tinytc.memref<4x8xf32>", "number of indices");
  expectComplaint("%0 = tinytc.load %g[%n, %n] : !tinytc.group<!tinytc.memref<4x8xf32>, 3>",
                  "number of indices");
  expectComplaint("tinytc.store %f, %m[%n] : !tinytc.memref<4x8xf32>", "number of indices");
  expectComplaint("%0 = tinytc.store %f, %v4[%n] : !tinytc.memref<4xf32> -> f32", "does not add");
}

TEST_F(TinytcDialectTest, ChecksMatrices) {
  std::string load =
      "%a = tinytc.coop_load %m[%n, %n] : !tinytc.memref<4x8xf32> -> !tinytc.coopmatrix";
  expectSpmdComplaint(load + "<4x4xf64, matrix_a>", "has a matrix of 'f64'");
  expectSpmdComplaint("%a = tinytc.coop_load %v4[%n, %n] : !tinytc.memref<4xf32> -> "
                      "!tinytc.coopmatrix<4x4xf32, matrix_a>",
                      "order 1");
  std::string a = "!tinytc.coopmatrix<4x4xf32, matrix_a>",
              b = "!tinytc.coopmatrix<4x4xf32, matrix_b>",
              acc = "!tinytc.coopmatrix<4x4xf32, matrix_acc>",
              wide = "!tinytc.coopmatrix<4x8xf32, matrix_acc>";
  std::string operands = load + "<4x4xf32, matrix_a> %y = tinytc.constant " + b +
                         " 0.0 %z = tinytc.constant " + acc + " 0.0 %w = tinytc.constant " + wide +
                         " 0.0 %p = ";
  std::string product = operands + "tinytc.coop_mul_add ";
  expectSpmdComplaint(product + "%y, %a, %z : (" + b + ", " + a + ", " + acc + ") -> " + acc,
                      "another use");
  expectSpmdComplaint(product + "%a, %y, %w : (" + a + ", " + b + ", " + wide + ") -> " + wide,
                      "do not fit");
  std::string half = "!tinytc.coopmatrix<4x4xf16, matrix_acc>",
              z = "%o = tinytc.constant " + half + " 0.0 ";
  expectSpmdComplaint(z + product + "%a, %y, %o : (" + a + ", " + b + ", " + half + ") -> " + acc,
                      "do not promote");
  expectSpmdComplaint(operands + "tinytc.cast %a : " + a + " -> " + b, "converts");
}

} // namespace
