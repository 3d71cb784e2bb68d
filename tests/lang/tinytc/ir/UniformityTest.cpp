// How values differ between work-items, and how much they compute.
#include "lang/tinytc/ir/Uniformity.h"
#include "../Lowered.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace tessera;
using namespace tessera::tinytc;
using ir::Spread;
using llvm::StringRef;

namespace {

class TinytcUniformityTest : public testing::Test {
protected:
  /// The form of the value that a `store` in the body writes.
  ir::Form stored(StringRef body, StringRef size = "[32,1]") {
    std::string text =
        ("func @k(%m: memref<i32x64>, %f: memref<f32x64>, %x: memref<indexx64>, %n: i32, %k: "
         "index) attributes {subgroup_size=16, work_group_size=" +
         size + "} { " + body + " }")
            .str();
    Lowered lowered(text, context);
    EXPECT_TRUE(lowered.isCorrect()) << lowered.messages();
    ir::Form form;
    lowered.module->walk([&](mlir::func::FuncOp function) {
      ir::Uniformity uniformity(function);
      function.walk([&](ir::StoreOp store) { form = uniformity.of(store.getValue()); });
    });
    return form;
  }
  ir::Form parallel(StringRef body, StringRef value, StringRef target = "%m",
                    StringRef size = "[32,1]") {
    return stored(
        ("parallel { %id = builtin.subgroup_local_id : i32 %sg = builtin.subgroup_id : i32 " +
         body + " store " + value + ", " + target + "[%k] }")
            .str(),
        size);
  }

  mlir::MLIRContext context;
};

TEST_F(TinytcUniformityTest, KnowsSources) {
  EXPECT_EQ(parallel("", "%n").spread, Spread::Group);
  EXPECT_EQ(parallel("", "%sg").spread, Spread::Subgroup);
  EXPECT_EQ(parallel("", "%sg", "%m", "[16,1]").spread, Spread::Group);
  EXPECT_EQ(parallel("", "%id").spread, Spread::Lane);
  EXPECT_EQ(parallel("", "%id").stride, 1);
  EXPECT_EQ(parallel("%v = load %m[%k] : i32", "%v").spread, Spread::Subgroup);
  EXPECT_EQ(parallel("%i = cast %id : index %v = load %m[%i] : i32", "%v").spread, Spread::Varying);
  EXPECT_EQ(parallel("%v = subgroup_add.reduce %id : i32", "%v").spread, Spread::Subgroup);
  EXPECT_EQ(parallel("%v = subgroup_add.inclusive_scan %id : i32", "%v").spread, Spread::Varying);
  EXPECT_EQ(parallel("%v = subgroup_broadcast %id, %n : i32", "%v").spread, Spread::Subgroup);
  EXPECT_EQ(stored("foreach (%i,%j) = (%k,%k),(%k,%k) { store %i, %x[%j] }").spread, Spread::Lane);
  EXPECT_EQ(stored("foreach (%i,%j) = (%k,%k),(%k,%k) { store %j, %x[%i] }").spread,
            Spread::Subgroup);
}

TEST_F(TinytcUniformityTest, TracksStrides) {
  StringRef four = "%c = constant 4 : i32 ";
  EXPECT_EQ(parallel((four + "%v = arith.mul %id, %c : i32").str(), "%v").stride, 4);
  EXPECT_EQ(parallel("%v = arith.sub %n, %id : i32", "%v").stride, -1);
  EXPECT_EQ(parallel("%v = arith.sub %id, %id : i32", "%v").spread, Spread::Subgroup);
  EXPECT_EQ(parallel("%v = arith.mul %id, %n : i32", "%v").spread, Spread::Varying);
  EXPECT_EQ(parallel("%v = arith.and %id, %n : i32", "%v").spread, Spread::Varying);
  // After widening: a small value has not wrapped, but its sum with another may have.
  EXPECT_EQ(
      parallel((four + "%a = arith.mul %sg, %c : i32 %b = arith.add %a, %id : i32 %v = cast %b : "
                       "index")
                   .str(),
               "%v", "%x")
          .stride,
      1);
  EXPECT_EQ(parallel("%a = arith.add %n, %id : i32 %v = cast %a : index", "%v", "%x").spread,
            Spread::Varying);
  EXPECT_EQ(stored("foreach (%i):i32 = (%n),(%n) { %v = cast %i : index store %v, %x[%k] }").spread,
            Spread::Lane);
  EXPECT_EQ(parallel("%v = cast %id : f32", "%v", "%f").spread, Spread::Varying);
}

TEST_F(TinytcUniformityTest, FollowsControlFlow) {
  StringRef condition =
      "%c = cmp.lt %id, %n : bool %d = cmp.lt %sg, %n : bool %e = cmp.lt %n, %n : bool ";
  auto branch = [&](StringRef by, StringRef other) {
    return parallel((condition + "%v = if " + by + " -> (i32) { yield (%n) } else { yield (" +
                     other + ") }")
                        .str(),
                    "%v")
        .spread;
  };
  EXPECT_EQ(branch("%e", "%n"), Spread::Group);
  EXPECT_EQ(branch("%d", "%n"), Spread::Subgroup);
  EXPECT_EQ(branch("%c", "%n"), Spread::Varying);
  EXPECT_EQ(branch("%e", "%sg"), Spread::Subgroup);
  EXPECT_EQ(branch("%e", "%id"), Spread::Varying);
  auto loop = [&](StringRef to, StringRef next) {
    return parallel(("%v = for %i:i32 = %n," + to + " init(%a=%n) -> (i32) { %b = arith.add %a, " +
                     next + " : i32 yield (%b) }")
                        .str(),
                    "%v")
        .spread;
  };
  EXPECT_EQ(loop("%n", "%n"), Spread::Group);
  EXPECT_EQ(loop("%n", "%sg"), Spread::Subgroup);
  EXPECT_EQ(loop("%n", "%id"), Spread::Varying);
  EXPECT_EQ(loop("%sg", "%n"), Spread::Subgroup);
  EXPECT_EQ(loop("%id", "%n"), Spread::Varying);
}

} // namespace
