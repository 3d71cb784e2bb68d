// The text of operations, and what their verifiers reject.
#include "lang/weld/ir/Dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

using namespace tessera::weld::ir;
using testing::HasSubstr;

namespace {

class WeldDialectTest : public testing::Test {
protected:
  WeldDialectTest() {
    context.loadDialect<mlir::func::FuncDialect, WeldDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) { complaint = diagnostic.str(); });
  }

  std::string print(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
  mlir::OwningOpRef<mlir::ModuleOp> parseBody(std::string parameters, std::string body) {
    return parse("func.func @main(" + parameters + ") { " + body + " return }");
  }
  void expectComplaint(std::string parameters, std::string body, std::string text) {
    EXPECT_FALSE(parseBody(parameters, body)) << body;
    EXPECT_THAT(complaint, HasSubstr(text));
  }

  mlir::MLIRContext context;
  std::string complaint;
};

constexpr const char *allOps = R"(
func.func @main(%v: !weld.vec<f64>, %d: !weld.dict<si64, !weld.vec<ui8>>, %n: si64, %c: i1, %s: !weld.simd<f32>) {
  %0 = weld.constant -5 : si32
  %1 = weld.constant 200 : ui8
  %2 = weld.constant true
  %3 = weld.constant 1.5 : f32
  %4 = weld.string "a\00b" : !weld.vec<si8>
  %5 = weld.make_vec : () -> !weld.vec<f32>
  %6 = weld.make_vec %3, %3 : (f32, f32) -> !weld.vec<f32>
  %7 = weld.make_struct %0, %1 : !weld.struct<si32, ui8>
  %8 = weld.field %7[1] : !weld.struct<si32, ui8>
  %9 = weld.binary add %n, %n : si64
  %10 = weld.binary lt %s, %s : !weld.simd<f32>
  %11 = weld.unary exp %s : !weld.simd<f32>
  %12 = weld.cast %n : si64 -> f32
  %13 = weld.select %10, %s, %s : !weld.simd<i1>, !weld.simd<f32>
  %14 = weld.broadcast %3 : !weld.simd<f32>
  %15 = weld.make_struct : !weld.struct<>
  %16 = weld.if %c -> si64 {
    weld.yield %n : si64
  } else {
    %x = weld.len %v : !weld.vec<f64>
    weld.yield %x : si64
  }
  %17 = weld.iterate %n : si64 {
  ^bb0(%x: si64):
    weld.yield %x, %c : si64, i1
  }
  %18 = weld.new_builder {weld.annotations = {size = "10"}} : !weld.appender<f64>
  %19 = weld.new_builder(%v : !weld.vec<f64>) : !weld.vecmerger<f64, add>
  %20 = weld.new_builder : !weld.merger<!weld.struct<si64, f64>, max>
  %21 = weld.new_builder : !weld.dictmerger<!weld.vec<si8>, si64, min>
  %22 = weld.new_builder : !weld.groupbuilder<si64, !weld.vec<f64>>
  %23:2 = weld.for (plain %v : !weld.vec<f64>, range %n, %n, %n, strided %v, %n, %n, %n : !weld.vec<f64>) into (%18, %19 : !weld.appender<f64>, !weld.vecmerger<f64, add>) {
  ^bb0(%a: !weld.appender<f64>, %m: !weld.vecmerger<f64, add>, %i: si64, %x: f64, %k: si64, %y: f64):
    %a2 = weld.merge %a, %x : !weld.appender<f64>, f64
    %p = weld.make_struct %i, %y : !weld.struct<si64, f64>
    %m2 = weld.merge %m, %p : !weld.vecmerger<f64, add>, !weld.struct<si64, f64>
    weld.yield %a2, %m2 : !weld.appender<f64>, !weld.vecmerger<f64, add>
  } {merges = [#weld.merge_count<once>, #weld.merge_count<once>]}
  %24 = weld.result %23#0 : !weld.appender<f64>
  %25 = weld.lookup %v[%n] : !weld.vec<f64>
  %26 = weld.lookup %d[%n] : !weld.dict<si64, !weld.vec<ui8>>
  %27 = weld.opt_lookup %d[%n] : !weld.dict<si64, !weld.vec<ui8>>
  %28 = weld.key_exists %d[%n] : !weld.dict<si64, !weld.vec<ui8>>
  %29 = weld.slice %v[%n, %n] : !weld.vec<f64>
  %30 = weld.sort %v : !weld.vec<f64> {
  ^bb0(%a: f64, %b: f64):
    weld.yield %0 : si32
  }
  %31 = weld.to_vec %d : !weld.dict<si64, !weld.vec<ui8>>
  %32 = weld.serialize %d : !weld.dict<si64, !weld.vec<ui8>> -> !weld.vec<si8>
  %33 = weld.deserialize %32 : !weld.vec<si8> -> f64
  %34 = weld.assert %c
  %35 = weld.cudf "f"(%n, %v) : (si64, !weld.vec<f64>) -> f64
  return
}
)";

TEST_F(WeldDialectTest, ReadsWhatItPrints) {
  auto module = parse(allOps);
  ASSERT_TRUE(module) << complaint;
  std::string text = print(*module);
  auto again = parse(text);
  ASSERT_TRUE(again) << complaint << text;
  EXPECT_EQ(print(*again), text);
}

TEST_F(WeldDialectTest, BuildsLoops) {
  mlir::OpBuilder builder(&context);
  auto loc = builder.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto vec = VecType::get(builder.getF32Type());
  auto function =
      mlir::func::FuncOp::create(builder, loc, "main", builder.getFunctionType({vec}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  auto fresh = NewBuilderOp::create(
      builder, loc, MergerType::get(builder.getF32Type(), Combine::Add), mlir::Value());
  auto loop = ForOp::create(builder, loc, {{IteratorKind::Simd, {function.getArgument(0)}, loc}},
                            fresh.getResult());
  mlir::func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToEnd(&loop.block());
  auto merged = MergeOp::create(builder, loc, loop.builderArguments()[0], loop.elements()[0]);
  YieldOp::create(builder, loc, merged.getResult());
  EXPECT_TRUE(succeeded(mlir::verify(*module))) << complaint;
  EXPECT_EQ(loop.iteratorList()[0].elementType(), SimdType::get(builder.getF32Type()));
}

TEST_F(WeldDialectTest, RejectsInvalidTypes) {
  expectComplaint("%v: !weld.vec<!weld.simd<f32>>", "", "vectors and dictionaries hold");
  expectComplaint("%v: !weld.vec<i32>", "", "vectors and dictionaries hold");
  expectComplaint("%v: !weld.dict<!weld.dict<si8, si8>, si8>", "", "a type of keys");
  expectComplaint("%v: !weld.merger<!weld.vec<si8>, add>", "", "a struct of scalars");
  expectComplaint("%v: !weld.simd<!weld.vec<si8>>", "", "not a scalar");
  expectComplaint("%v: !weld.struct<index>", "", "not a type of Weld");
}

TEST_F(WeldDialectTest, RejectsInvalidOperations) {
  expectComplaint("%b: i1", "%0 = weld.binary add %b, %b : i1", "add does not apply to 'i1'");
  expectComplaint("%x: f64", "%0 = weld.binary xor %x, %x : f64", "xor does not apply to 'f64'");
  expectComplaint("%x: si64", "%0 = weld.unary exp %x : si64", "exp does not apply to 'si64'");
  expectComplaint("%v: !weld.vec<f64>", "%0 = weld.cast %v : !weld.vec<f64> -> f64", "converts");
  expectComplaint("%s: !weld.struct<f64>", "%0 = weld.field %s[1] : !weld.struct<f64>",
                  "no such field: 1");
  expectComplaint("", "%0 = weld.new_builder : !weld.vecmerger<f64, add>", "no initial vector");
  expectComplaint("%b: !weld.merger<f64, add>, %x: f32",
                  "%0 = weld.merge %b, %x : !weld.merger<f64, add>, f32", "merges 'f32' into");
  expectComplaint("%c: i1, %x: f64",
                  "%0 = weld.if %c -> f64 { weld.yield %x : f64 } else { weld.yield }",
                  "does not yield");
  expectComplaint("%v: !weld.vec<f64>, %b: !weld.merger<f64, add>",
                  "%0 = weld.for (plain %v : !weld.vec<f64>) into (%b : !weld.merger<f64, add>) {"
                  "^bb0(%a: !weld.merger<f64, add>, %i: si64, %x: f32):"
                  "  weld.yield %a : !weld.merger<f64, add> }",
                  "arguments are not");
  expectComplaint("%v: f64, %b: !weld.merger<f64, add>",
                  "%0 = weld.for (plain %v : f64) into (%b : !weld.merger<f64, add>) {"
                  "^bb0(%a: !weld.merger<f64, add>, %i: si64, %x: f32):"
                  "  weld.yield %a : !weld.merger<f64, add> }",
                  "plain has an operand of type 'f64'");
}

/// The operations of a function that may fail.
std::vector<std::string> failing(mlir::ModuleOp module) {
  std::vector<std::string> names;
  module.walk([&](MayFail op) {
    if (op.canFail())
      names.push_back(op->getName().getStringRef().str());
  });
  return names;
}

TEST_F(WeldDialectTest, KnowsWhatMayFail) {
  auto module = parseBody(
      "%v: !weld.vec<f64>, %w: !weld.vec<f64>, %n: si64, %b: !weld.merger<f64, add>",
      "%two = weld.constant 2 : si64 %none = weld.constant 0 : si64 %one = weld.constant 1 : si64 "
      "%0 = weld.binary div %n, %two : si64 %1 = weld.binary pow %n, %two : si64 "
      "%l = weld.len %v : !weld.vec<f64> %m = weld.make_vec %n, %n : (si64, si64) -> "
      "!weld.vec<si64> %e = weld.lookup %m[%one] : !weld.vec<si64> "
      "%f = weld.for (plain %v : !weld.vec<f64>, range %none, %l, %one) into (%b : "
      "!weld.merger<f64, add>) { ^bb0(%a: !weld.merger<f64, add>, %i: si64, %x: f64, %k: si64): "
      "weld.yield %a : !weld.merger<f64, add> }");
  ASSERT_TRUE(module) << complaint;
  EXPECT_THAT(failing(*module), testing::IsEmpty());
  module = parseBody(
      "%v: !weld.vec<f64>, %w: !weld.vec<f64>, %n: si64, %b: !weld.merger<f64, add>",
      "%none = weld.constant 0 : si64 "
      "%0 = weld.binary div %n, %none : si64 %1 = weld.binary rem %n, %n : si64 "
      "%e = weld.lookup %v[%none] : !weld.vec<f64> "
      "%f = weld.for (plain %v : !weld.vec<f64>, plain %w : !weld.vec<f64>) into (%b : "
      "!weld.merger<f64, add>) { ^bb0(%a: !weld.merger<f64, add>, %i: si64, %x: f64, %k: f64): "
      "weld.yield %a : !weld.merger<f64, add> }");
  ASSERT_TRUE(module) << complaint;
  EXPECT_THAT(failing(*module),
              testing::ElementsAre("weld.binary", "weld.binary", "weld.lookup", "weld.for"));
}

/// The parameters, and types, that the bodies below share.
class WeldLinearTest : public WeldDialectTest {
protected:
  static std::string spelledOut(std::string body) {
    for (auto [letter, type] :
         {std::pair("M", "!weld.merger<f64, add>"),
          std::pair("S", "!weld.struct<!weld.merger<f64, add>, !weld.merger<f64, add>>"),
          std::pair("V", "!weld.vec<f64>")})
      for (size_t at; (at = body.find("@" + std::string(letter))) != std::string::npos;)
        body.replace(at, 2, type);
    return body;
  }
  static constexpr const char *parameters = "%v: !weld.vec<f64>, %x: f64, %c: i1";
  void accept(std::string body) {
    EXPECT_TRUE(parseBody(parameters, spelledOut(body))) << complaint << body;
  }
  void reject(std::string body, std::string text) {
    expectComplaint(parameters, spelledOut(body), text);
  }
};

TEST_F(WeldLinearTest, AcceptsOneUseOfABuilderOnEachPath) {
  accept("%0 = weld.new_builder : @M %1 = weld.merge %0, %x : @M, f64 %2 = weld.result %1 : @M");
  accept("%0 = weld.new_builder : @M"); // The checker warns of it, no more.
  accept("%0 = weld.new_builder : @M %1 = weld.if %c -> @M { weld.yield %0 : @M } else {"
         "  %2 = weld.merge %0, %x : @M, f64 weld.yield %2 : @M }");
  accept("%0 = weld.new_builder : @M %1 = weld.if %c -> @M { weld.yield %0 : @M } else {"
         "  %2 = weld.if %c -> @M { weld.yield %0 : @M } else { weld.yield %0 : @M }"
         "  weld.yield %2 : @M }");
  accept("%0 = weld.new_builder : @M %1 = weld.new_builder : @M %s = weld.make_struct %0, %1 : @S"
         " %2 = weld.field %s[0] : @S %3 = weld.field %s[1] : @S");
}

TEST_F(WeldLinearTest, RejectsTwoUses) {
  reject("%0 = weld.new_builder : @M %1 = weld.result %0 : @M %2 = weld.result %0 : @M",
         "uses a builder again");
  reject("%0 = weld.new_builder : @M %s = weld.make_struct %0, %0 : @S", "uses a builder again");
  reject("%0 = weld.new_builder : @M %1 = weld.if %c -> @M { weld.yield %0 : @M } else {"
         "  weld.yield %0 : @M } %2 = weld.result %0 : @M",
         "uses a builder again");
  reject("%0 = weld.new_builder : @M %1 = weld.if %c -> @M { weld.yield %0 : @M } else {"
         "  %2 = weld.merge %0, %x : @M, f64 weld.yield %0 : @M }",
         "uses a builder again");
  reject("%0 = weld.new_builder : @M %1 = weld.new_builder : @M %s = weld.make_struct %0, %1 : @S"
         " %2 = weld.field %s[0] : @S %3 = weld.field %s[0] : @S",
         "uses a builder again");
  reject("%0 = weld.new_builder : @M"
         " %1 = weld.for (plain %v : @V) into (%0 : @M) { ^bb0(%a: @M, %i: si64, %e: f64):"
         "  %2 = weld.merge %a, %e : @M, f64 %3 = weld.merge %a, %e : @M, f64 weld.yield %3 : @M }",
         "uses a builder again");
}

TEST_F(WeldLinearTest, RejectsBuildersFromOutsideALoop) {
  reject("%0 = weld.new_builder : @M %1 = weld.new_builder : @M"
         " %2 = weld.for (plain %v : @V) into (%0 : @M) { ^bb0(%a: @M, %i: si64, %e: f64):"
         "  %3 = weld.result %1 : @M %4 = weld.merge %a, %3 : @M, f64 weld.yield %4 : @M }",
         "uses a builder from outside weld.for");
}

TEST_F(WeldLinearTest, RequiresALoopToYieldItsOwnBuilder) {
  reject("%0 = weld.new_builder : @M"
         " %1 = weld.for (plain %v : @V) into (%0 : @M) { ^bb0(%a: @M, %i: si64, %e: f64):"
         "  %2 = weld.new_builder : @M weld.yield %2 : @M }",
         "yields a builder that is not its own");
  reject("%0 = weld.new_builder : @M %1 = weld.new_builder : @M"
         " %2:2 = weld.for (plain %v : @V) into (%0, %1 : @M, @M) {"
         " ^bb0(%a: @M, %b: @M, %i: si64, %e: f64): weld.yield %b, %a : @M, @M }",
         "yields a builder that is not its own");
  accept("%0 = weld.new_builder : @M %1 = weld.new_builder : @M"
         " %2:2 = weld.for (plain %v : @V) into (%0, %1 : @M, @M) {"
         " ^bb0(%a: @M, %b: @M, %i: si64, %e: f64):"
         "  %3 = weld.if %c -> @S { %s = weld.make_struct %a, %b : @S weld.yield %s : @S } else {"
         "   %m = weld.merge %b, %e : @M, f64 %t = weld.make_struct %a, %m : @S"
         "   weld.yield %t : @S }"
         "  %4 = weld.field %3[0] : @S %5 = weld.field %3[1] : @S"
         "  weld.yield %4, %5 : @M, @M }");
}

} // namespace
