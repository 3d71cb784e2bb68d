#include "core/Contraction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

using namespace tessera::core;
using testing::ElementsAre;

namespace {

class ContractionTest : public testing::Test {
protected:
  ContractionTest() {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                        mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect>();
  }

  /// The only linalg operation in a function with these parameters.
  std::optional<Contraction> match(std::string parameters, std::string op) {
    std::string text = "func.func @f(" + parameters + ") { " + op + " return }";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    std::optional<Contraction> result;
    if (module)
      module->walk([&](mlir::linalg::LinalgOp found) { result = matchContraction(found); });
    return result;
  }

  /// A matrix product of one element type with this body, which yields %r.
  std::optional<Contraction> matchBody(std::string body, std::string in = "f32",
                                       std::string out = "f32") {
    std::string matrix = "memref<4x4x" + in + ">", result = "memref<4x4x" + out + ">";
    return match(
        "%a: " + matrix + ", %b: " + matrix + ", %c: " + result,
        "linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) "
        "-> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", "
        "\"parallel\", \"reduction\"]} ins(%a, %b : " +
            matrix + ", " + matrix + ") outs(%c : " + result + ") { ^bb0(%x: " + in +
            ", %y: " + in + ", %s: " + out + "): " + body + " linalg.yield %r : " + out + " }");
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace

TEST_F(ContractionTest, IsANamedProduct) {
  auto found = match("%a: memref<2x3xf32>, %b: memref<3x4xf32>, %c: memref<2x4xf32>",
                     "linalg.matmul ins(%a, %b : memref<2x3xf32>, memref<3x4xf32>) "
                     "outs(%c : memref<2x4xf32>)");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->roles, ElementsAre(LoopRole::Row, LoopRole::Column, LoopRole::Depth));
  EXPECT_EQ(found->accumulation, Accumulation::Fused); // [core.7]
}

TEST_F(ContractionTest, HasBatches) {
  auto found = match("%a: memref<5x2x3xf32>, %b: memref<5x3x4xf32>, %c: memref<5x2x4xf32>",
                     "linalg.batch_matmul ins(%a, %b : memref<5x2x3xf32>, memref<5x3x4xf32>) "
                     "outs(%c : memref<5x2x4xf32>)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->roles.front(), LoopRole::Batch);
}

TEST_F(ContractionTest, RoundsAsItsBodySays) {
  auto separate = matchBody("%p = arith.mulf %x, %y : f32 %r = arith.addf %s, %p : f32");
  ASSERT_TRUE(separate);
  EXPECT_EQ(separate->accumulation, Accumulation::Separate);
  EXPECT_FALSE(separate->isReorderable);
  auto contracted = matchBody("%p = arith.mulf %x, %y fastmath<contract> : f32 "
                              "%r = arith.addf %p, %s fastmath<contract> : f32");
  ASSERT_TRUE(contracted);
  EXPECT_EQ(contracted->accumulation, Accumulation::Fused);
  EXPECT_FALSE(contracted->isReorderable);
  auto rounded = matchBody("%p = arith.mulf %x, %y : f32 "
                           "%r = arith.addf %s, %p fastmath<reassoc, contract> : f32");
  ASSERT_TRUE(rounded);
  EXPECT_EQ(rounded->accumulation, Accumulation::Separate);
  EXPECT_TRUE(rounded->isReorderable);
  auto free = matchBody("%p = arith.mulf %x, %y fastmath<contract> : f32 "
                        "%r = arith.addf %s, %p fastmath<reassoc, contract> : f32");
  ASSERT_TRUE(free);
  EXPECT_EQ(free->accumulation, Accumulation::Fused);
  EXPECT_TRUE(free->isReorderable);
  auto fused = matchBody("%r = math.fma %y, %x, %s : f32");
  ASSERT_TRUE(fused);
  EXPECT_EQ(fused->accumulation, Accumulation::Fused);
}

TEST_F(ContractionTest, WidensItsOperands) {
  auto half = matchBody("%u = arith.extf %x : f16 to f32 %v = arith.extf %y : f16 to f32 "
                        "%r = math.fma %u, %v, %s : f32",
                        "f16");
  ASSERT_TRUE(half);
  EXPECT_EQ(half->widenings[Lhs], Widening::Float);
  EXPECT_EQ(half->widenings[Rhs], Widening::Float);
  auto mixed = matchBody("%u = arith.extui %y : i8 to i32 %v = arith.extsi %x : i8 to i32 "
                         "%p = arith.muli %u, %v : i32 %r = arith.addi %s, %p : i32",
                         "i8", "i32");
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->widenings[Lhs], Widening::Signed);
  EXPECT_EQ(mixed->widenings[Rhs], Widening::Unsigned);
  EXPECT_EQ(mixed->accumulation, Accumulation::Integer);
}

TEST_F(ContractionTest, RejectsOtherOperations) {
  EXPECT_FALSE(matchBody("%p = arith.addf %x, %y : f32 %r = arith.addf %s, %p : f32"));
  EXPECT_FALSE(matchBody("%p = arith.mulf %x, %y : f32 %r = arith.maximumf %s, %p : f32"));
  EXPECT_FALSE(matchBody("%p = arith.mulf %x, %x : f32 %r = arith.addf %s, %p : f32"));
  EXPECT_FALSE(matchBody("%p = arith.mulf %x, %s : f32 %r = arith.addf %y, %p : f32"));
  EXPECT_FALSE(match("%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>",
                     "linalg.mul ins(%a, %b : memref<4xf32>, memref<4xf32>) "
                     "outs(%c : memref<4xf32>)"));
}

/// A window, and a sum over only one operand.
TEST_F(ContractionTest, ReadsEachElementByItsLoops) {
  EXPECT_FALSE(match(
      "%a: memref<4x5xf32>, %b: memref<4xf32>, %c: memref<4xf32>",
      "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, "
      "affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", \"reduction\"]} ins(%a, %b : "
      "memref<4x5xf32>, memref<4xf32>) outs(%c : memref<4xf32>) { ^bb0(%x: f32, %y: f32, %s: "
      "f32): %r = math.fma %x, %y, %s : f32 linalg.yield %r : f32 }"));
}

TEST_F(ContractionTest, HasWindowsWhereLoopsShareADimension) {
  auto convolution = [&](std::string window) {
    return match("%a: memref<4x99xf32>, %b: memref<5x4x3xf32>, %c: memref<5x7xf32>",
                 "linalg.generic {indexing_maps = [affine_map<(m, w, c, k) -> (c, " + window +
                     ")>, affine_map<(m, w, c, k) -> (m, c, k)>, affine_map<(m, w, c, k) -> (m, "
                     "w)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\", "
                     "\"reduction\"]} ins(%a, %b : memref<4x99xf32>, memref<5x4x3xf32>) outs(%c : "
                     "memref<5x7xf32>) { ^bb0(%x: f32, %y: f32, %s: f32): %r = math.fma %x, %y, %s "
                     ": f32 linalg.yield %r : f32 }");
  };
  auto found = convolution("w * 2 + k * 3 + 1");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->hasWindows);
  EXPECT_THAT(found->roles,
              ElementsAre(LoopRole::Column, LoopRole::Row, LoopRole::Depth, LoopRole::Depth));
  EXPECT_FALSE(convolution("w floordiv 2 + k"));
  EXPECT_FALSE(convolution("(w + k) mod 5"));
}
