// From source to the dialect, and back to source that the checker accepts.
#include "lang/weld/Lower.h"
#include "Checked.h"
#include "lang/weld/ir/PrintSource.h"
#include "mlir/IR/Verifier.h"
#include "gmock/gmock.h"

using namespace tessera::weld;
using testing::HasSubstr;

namespace {

class WeldLowerTest : public testing::Test {
protected:
  std::string lower(const char *text) {
    CheckedProgram checked(text);
    EXPECT_TRUE(checked.isCorrect) << checked.messages();
    module = lowerToDialect(*checked.program, context);
    EXPECT_TRUE(succeeded(mlir::verify(*module)));
    type = checked.type();
    std::string result;
    llvm::raw_string_ostream(result) << *module;
    return result;
  }

  /// The source printed from the dialect has the type of the program.
  std::string roundTrip(const char *text) {
    lower(text);
    std::string source;
    llvm::raw_string_ostream out(source);
    ir::printSource(*module, out);
    EXPECT_EQ(typeOf(source), type) << source;
    return source;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string type;
};

TEST_F(WeldLowerTest, PrintsWhatTheCheckerAccepts) {
  roundTrip("|v: vec[f64], w: vec[f64]| result(for(zip(v, w), merger[f64,+], |b, i, e| merge(b, "
            "e.$0 * e.$1)))");
  roundTrip("|v: vec[f64]| let m = for(zip(v, zip(v, rangeiter(0L, len(v), 1L))), {appender[f64], "
            "{merger[i64,max], dictmerger[i64,{f64,i64},+]}}, |bs, i, e| {merge(bs.$0, e.$0), "
            "{merge(bs.$1.$0, e.$1.$1), merge(bs.$1.$1, {i, {e.$1.$0, 1L}})}}); result(m)");
  roundTrip("|v: vec[i64]| {sort(v, |x, y| compare(y, x)), flatten(map(v, |x| [x, x])), iterate(1, "
            "|s| {s * 2, s < 10}), filter(v, |x| x > 0L && x < 9L), []: vec[u8]}");
  roundTrip("|v: vec[f32], d: dict[vec[i8],i64]| {result(for(simditer(v), merger[f32,+], |b, i, x| "
            "merge(b, x * broadcast(2.0f)))), optlookup(d, \"key\"), keyexists(d, \"k\"), "
            "tovec(d), deserialize[vec[f32]](serialize(v)), cudf[foo,i64](1L), slice(v, 1L, 2L)}");
}

TEST_F(WeldLowerTest, WritesConstants) {
  std::string source = roundTrip("{-128c, 7si, -2147483648, 5L, u8(200), 1.5, 0.1f, 1.0e-30, true, "
                                 "-0.0, -9223372036854775808L}");
  EXPECT_THAT(source, HasSubstr("(-128c)"));
  EXPECT_THAT(source, HasSubstr("7si"));
  EXPECT_THAT(source, HasSubstr("(-2147483648)"));
  EXPECT_THAT(source, HasSubstr("(-9223372036854775808L)"));
  EXPECT_THAT(source, HasSubstr("0.1f"));
  EXPECT_THAT(source, HasSubstr("(-0.0)"));
}

TEST_F(WeldLowerTest, TakesStructsOfBuildersApart) {
  std::string text =
      lower("|v: vec[i64]| result(for(v, {appender[i64], merger[i64,+]}, |b, i, x| if(x > 0L, "
            "{merge(b.$0, x), b.$1}, {b.$0, merge(b.$1, x)})))");
  EXPECT_THAT(text, HasSubstr("-> !weld.appender<si64>, !weld.merger<si64, add> {"));
  EXPECT_THAT(text, testing::Not(HasSubstr("weld.make_struct %arg")));
}

TEST_F(WeldLowerTest, KeepsLocationsAndAnnotations) {
  std::string text = lower("|v: vec[i64], w: vec[i64]|\n  result(for(zip(v, w), @(size: "
                           "10)appender[i64],\n    |b, i, e| merge(b, e.$0 / e.$1)))");
  EXPECT_THAT(text, HasSubstr("weld.new_builder {weld.annotations = {size = \"10\"}}"));
  module->walk([&](ir::BinaryOp op) {
    auto range = mlir::cast<mlir::FileLineColRange>(op.getLoc());
    EXPECT_EQ(range.getStartLine(), 3u);
    EXPECT_EQ(range.getStartColumn(), 24u);
    EXPECT_EQ(range.getEndColumn(), 35u);
  });
  module->walk([&](ir::ForOp op) {
    auto second = mlir::cast<mlir::FileLineColRange>(op.elements()[1].getLoc());
    EXPECT_EQ(second.getStartColumn(), 21u);
  });
}

} // namespace
