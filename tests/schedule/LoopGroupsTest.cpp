#include "schedule/LoopGroups.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::schedule;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// A contraction whose operands have the given types and maps.
struct Example {
  Example(std::string loops, std::array<std::string, 3> maps, std::array<std::string, 3> types,
          std::string iterators) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                        mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect>();
    std::string list, text;
    for (const std::string &map : maps)
      list += (list.empty() ? "" : ", ") + ("affine_map<(" + loops + ") -> (" + map + ")>");
    text = "func.func @f(%a: " + types[0] + ", %b: " + types[1] + ", %c: " + types[2] +
           ") { linalg.generic {indexing_maps = [" + list + "], iterator_types = [" + iterators +
           "]} ins(%a, %b : " + types[0] + ", " + types[1] + ") outs(%c : " + types[2] +
           ") { ^bb0(%x: f32, %y: f32, %s: f32): %r = math.fma %x, %y, %s : f32 "
           "linalg.yield %r : f32 } return }";
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    module->walk([&](mlir::linalg::LinalgOp found) { op = found; });
  }

  std::optional<LoopGroups> groups(bool isAcross = false) {
    std::optional<core::Contraction> contraction = core::matchContraction(op);
    EXPECT_TRUE(contraction);
    return groupLoops(*contraction, accessesOf(op), isAcross);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::linalg::LinalgOp op;
};

constexpr auto matmulLoops = R"("parallel", "parallel", "reduction")";
constexpr auto convolutionLoops =
    R"("parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction")";
constexpr auto fourLoops = R"("parallel", "parallel", "parallel", "reduction")";

} // namespace

TEST(LoopGroups, OfAMatrixProduct) {
  Example example("m, n, k", {"m, k", "k, n", "m, n"},
                  {"memref<4x6xf32>", "memref<6x5xf32>", "memref<4x5xf32>"}, matmulLoops);
  LoopGroups groups = *example.groups();
  EXPECT_THAT(groups.row, ElementsAre(0));
  EXPECT_THAT(groups.column, ElementsAre(1));
  EXPECT_THAT(groups.depth, ElementsAre(2));
  EXPECT_THAT(groups.outer, IsEmpty());
  EXPECT_FALSE(groups.isSwapped);
}

TEST(LoopGroups, SwapTheOperandsOfATransposedResult) {
  Example example("m, n, k", {"m, k", "k, n", "n, m"},
                  {"memref<4x6xf32>", "memref<6x5xf32>", "memref<5x4xf32>"}, matmulLoops);
  LoopGroups groups = *example.groups();
  EXPECT_TRUE(groups.isSwapped);
  EXPECT_THAT(groups.row, ElementsAre(1));
  EXPECT_THAT(groups.column, ElementsAre(0));
}

TEST(LoopGroups, AreOneWhereEveryOperandAllowsIt) {
  Example example("a, b, n, k", {"a, b, k", "k, n", "a, b, n"},
                  {"memref<4x3x6xf32>", "memref<6x5xf32>", "memref<4x3x5xf32>"}, fourLoops);
  EXPECT_THAT(example.groups()->row, ElementsAre(0, 1));
}

TEST(LoopGroups, StaySeparateWhereOneOperandRequiresIt) {
  Example example("a, b, n, k", {"b, a, k", "k, n", "a, b, n"},
                  {"memref<3x4x6xf32>", "memref<6x5xf32>", "memref<4x3x5xf32>"}, fourLoops);
  LoopGroups groups = *example.groups();
  EXPECT_THAT(groups.row, ElementsAre(0)); // The larger one.
  EXPECT_THAT(groups.outer, ElementsAre(Group{1}));
}

TEST(LoopGroups, AreNotJoinedAcrossGapsOfBuffers) {
  Example gap("a, b, n, k", {"a, b, k", "k, n", "a, b, n"},
              {"memref<4x3x6xf32, strided<[20, 6, 1]>>", "memref<6x5xf32>", "memref<4x3x5xf32>"},
              fourLoops);
  EXPECT_EQ(gap.groups()->outer.size(), 1u);
  Example none(
      "a, b, n, k", {"a, b, k", "k, n", "a, b, n"},
      {"memref<4x3x6xf32, strided<[18, 6, 1], offset: ?>>", "memref<6x5xf32>", "memref<4x3x5xf32>"},
      fourLoops);
  EXPECT_THAT(none.groups()->row, ElementsAre(0, 1));
}

TEST(LoopGroups, OfUnknownSizesAreOneInContiguousBuffers) {
  Example example("a, b, n, k", {"a, b, k", "k, n", "a, b, n"},
                  {"memref<?x?x?xf32>", "memref<?x?xf32>", "memref<?x?x?xf32>"}, fourLoops);
  EXPECT_THAT(example.groups()->row, ElementsAre(0, 1));
}

TEST(LoopGroups, KeepBatchesOutside) {
  Example example("q, m, n, k", {"q, m, k", "q, k, n", "q, m, n"},
                  {"memref<9x4x6xf32>", "memref<9x6x5xf32>", "memref<9x4x5xf32>"}, fourLoops);
  EXPECT_THAT(example.groups()->outer, ElementsAre(Group{0}));
}

/// Only what is dense in the result can be a vector.
TEST(LoopGroups, UseAnInnermostBatchAsColumns) {
  Example example("m, n, w, k", {"m, k, w", "k, n, w", "m, n, w"},
                  {"memref<9x6x8xf32>", "memref<6x2x8xf32>", "memref<9x2x8xf32>"}, fourLoops);
  LoopGroups groups = *example.groups();
  EXPECT_THAT(groups.column, ElementsAre(2));
  EXPECT_THAT(groups.row, ElementsAre(0));
  EXPECT_THAT(groups.outer, ElementsAre(Group{1}));
  EXPECT_FALSE(groups.isSwapped);
}

TEST(LoopGroups, DropLoopsOfOneIteration) {
  Example example("m, n, k", {"m, k", "k, n", "m, n"},
                  {"memref<4x6xf32>", "memref<6x1xf32>", "memref<4x1xf32>"}, matmulLoops);
  LoopGroups groups = *example.groups();
  EXPECT_TRUE(groups.isSwapped); // The rows are the only vectors.
  EXPECT_THAT(groups.column, ElementsAre(0));
  EXPECT_THAT(groups.row, IsEmpty());
}

/// The order of a sum is the order of its loops.
TEST(LoopGroups, KeepTheOrderOfDepth) {
  std::string iterators = R"("parallel", "parallel", "reduction", "reduction")";
  Example inOrder("m, n, j, k", {"m, j, k", "j, k, n", "m, n"},
                  {"memref<4x2x6xf32>", "memref<2x6x5xf32>", "memref<4x5xf32>"}, iterators);
  EXPECT_THAT(inOrder.groups()->depth, ElementsAre(2, 3));
  Example crossed("m, n, j, k", {"m, k, j", "k, j, n", "m, n"},
                  {"memref<4x6x2xf32>", "memref<6x2x5xf32>", "memref<4x5xf32>"}, iterators);
  EXPECT_THAT(crossed.groups()->depth, ElementsAre(3));
  EXPECT_THAT(crossed.groups()->outerDepth, ElementsAre(Group{2}));
}

TEST(LoopGroups, AreNotFoundIfTheResultIsNowhereDense) {
  Example example("m, n, k", {"m, k", "k, n", "m, n"},
                  {"memref<4x6xf32>", "memref<6x5xf32>", "memref<4x5xf32, strided<[20, 2]>>"},
                  matmulLoops);
  EXPECT_FALSE(example.groups());
}

TEST(LoopGroups, OfAConvolution) {
  Example example("n, m, h, w, c, a, b", {"n, c, h + a, w + b", "m, c, a, b", "n, m, h, w"},
                  {"memref<2x3x9x9xf32>", "memref<5x3x3x3xf32>", "memref<2x5x7x7xf32>"},
                  convolutionLoops);
  LoopGroups groups = *example.groups();
  EXPECT_TRUE(groups.isSwapped);
  EXPECT_THAT(groups.row, ElementsAre(1));
  EXPECT_THAT(groups.column, ElementsAre(3));
  EXPECT_THAT(groups.depth, ElementsAre(6));
  EXPECT_THAT(groups.outer, ElementsAre(Group{0}, Group{2}));
  EXPECT_THAT(groups.outerDepth, ElementsAre(Group{4}, Group{5}));
}

TEST(LoopGroups, OfAConvolutionAcross) {
  Example example("n, m, h, w, c, a, b", {"n, c, h + a, w + b", "m, c, a, b", "n, m, h, w"},
                  {"memref<2x3x9x9xf32>", "memref<5x3x3x3xf32>", "memref<2x5x7x7xf32>"},
                  convolutionLoops);
  LoopGroups groups = *example.groups(/*isAcross=*/true);
  EXPECT_FALSE(groups.isSwapped);
  EXPECT_THAT(groups.row, ElementsAre(3));
  EXPECT_THAT(groups.column, ElementsAre(1));
}

TEST(LoopGroups, OfAWindowOfOneElementAreThoseOfAProduct) {
  Example example("n, m, h, w, c, a, b", {"n, c, h + a, w + b", "m, c, a, b", "n, m, h, w"},
                  {"memref<2x3x7x7xf32>", "memref<5x3x1x1xf32>", "memref<2x5x7x7xf32>"},
                  convolutionLoops);
  LoopGroups groups = *example.groups();
  EXPECT_THAT(groups.column, ElementsAre(2, 3));
  EXPECT_THAT(groups.depth, ElementsAre(4));
  EXPECT_THAT(groups.outerDepth, IsEmpty());
}

TEST(LoopGroups, AcrossNeedsColumns) {
  Example example("c, w, b", {"c, w + b", "c, b", "c, w"},
                  {"memref<4x9xf32>", "memref<4x3xf32>", "memref<4x7xf32>"}, matmulLoops);
  EXPECT_TRUE(example.groups());
  EXPECT_FALSE(example.groups(/*isAcross=*/true));
}

TEST(Access, StridesAddUp) {
  Example example("m, n, k", {"m * 2 + k * 3, n", "k, n", "m, n"},
                  {"memref<14x5xf32>", "memref<4x5xf32>", "memref<3x5xf32>"}, matmulLoops);
  Access window = accessesOf(example.op)[core::Lhs];
  EXPECT_EQ(window.strideOf(0), 10);
  EXPECT_EQ(window.strideOf(1), 1);
  EXPECT_EQ(window.strideOf(2), 15);
  EXPECT_FALSE(window.dimOf(0));
  EXPECT_TRUE(window.isUsedBy(2));
}
