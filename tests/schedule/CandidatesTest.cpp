#include "schedule/Candidates.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "gmock/gmock.h"

using namespace tessera::schedule;
using Kind = Contraction::Kernel;

namespace {

constexpr int64_t unknown = mlir::ShapedType::kDynamic;
constexpr Machine avx512{.vectorBytes = 64, .registers = 32};

Kernel kernelOf(ContractionShape shape) {
  return {"f",
          0,
          "f32*f32+f32,fused",
          {shape.rows, shape.columns, shape.depth, shape.outer},
          chooseContraction(shape, avx512)};
}

std::vector<Contraction> candidates(const Kernel &kernel, uint64_t seed, size_t most) {
  Candidates source(kernel, avx512, seed);
  std::vector<Contraction> list;
  while (list.size() < most)
    if (std::optional<Contraction> next = source.next())
      list.push_back(*next);
    else
      break;
  return list;
}

const ContractionShape shapes[] = {{4, 4, 4},       {26, 26, 72, 500},           {512, 512, 512},
                                   {1, 1000, 1000}, {unknown, unknown, unknown}, {0, 5, 5},
                                   {3, 1, 1}};

} // namespace

TEST(Candidates, BeginWithTheModel) {
  for (const ContractionShape &shape : shapes) {
    Kernel kernel = kernelOf(shape);
    EXPECT_EQ(candidates(kernel, 0, 1).front(), kernel.model);
  }
}

TEST(Candidates, AreFixedByTheSeed) {
  Kernel kernel = kernelOf({512, 512, 512});
  EXPECT_EQ(candidates(kernel, 3, 100), candidates(kernel, 3, 100));
  EXPECT_NE(candidates(kernel, 3, 100), candidates(kernel, 4, 100));
}

TEST(Candidates, AreDifferentAndPossible) {
  for (const ContractionShape &shape : shapes) {
    Kernel kernel = kernelOf(shape);
    std::vector<Contraction> list = candidates(kernel, 0, 300);
    for (size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(list[i].complaint(), "");
      EXPECT_EQ(whyUnfit(list[i], kernel), "");
      EXPECT_LE(list[i].rows * list[i].vectors + list[i].vectors + 1, avx512.registers);
      for (size_t other = 0; other < i; ++other)
        EXPECT_FALSE(list[i] == list[other]) << i << " and " << other;
    }
  }
}

TEST(Candidates, AreManyForALargeProductAndFewForASmallOne) {
  EXPECT_EQ(candidates(kernelOf({512, 512, 512}), 0, 500).size(), 500u);
  EXPECT_LT(candidates(kernelOf({1, 1, 1}), 0, 500).size(), 100u);
}

TEST(Candidates, LeaveTheDepthOfTilesAlone) {
  Machine machine{.hasBfloatTiles = true};
  ContractionShape shape{512, 512, 512};
  shape.isReorderable = true;
  shape.tiles = Tiles::Bfloat;
  Kernel kernel = kernelOf(shape);
  kernel.model = chooseContraction(shape, machine);
  ASSERT_EQ(kernel.model.kernel, Kind::Tiles);
  std::vector<Contraction> list = candidates(kernel, 0, 300);
  EXPECT_GT(list.size(), 10u);
  for (const Contraction &each : list)
    EXPECT_EQ(each.depth, kernel.model.depth);
}

TEST(Candidates, OfOperandsInTileOrderDifferInChunks) {
  ContractionShape shape{512, 512, 512};
  shape.isReorderable = shape.isInTileOrder = true;
  shape.tiles = Tiles::Bfloat;
  Kernel kernel = kernelOf(shape);
  ASSERT_EQ(kernel.model.kernel, Kind::Prepacked);
  std::vector<Contraction> list = candidates(kernel, 0, 300);
  EXPECT_GT(list.size(), 10u);
  for (const Contraction &each : list)
    EXPECT_TRUE(each.kernel == Kind::Prepacked && each.depth == kernel.model.depth);
}

TEST(Candidates, LeaveTheOrderOfSumsAlone) {
  ContractionShape shape{3, 1, 1000};
  shape.isReorderable = shape.isDepthDense = true;
  Kernel kernel = kernelOf(shape);
  ASSERT_EQ(kernel.model.kernel, Kind::Inner);
  std::vector<Contraction> list = candidates(kernel, 0, 300);
  EXPECT_GT(list.size(), 1u);
  for (const Contraction &each : list) {
    EXPECT_EQ(each.kernel, Kind::Inner);
    EXPECT_EQ(each.depthLanes, kernel.model.depthLanes);
    EXPECT_EQ(each.unroll, kernel.model.unroll);
  }
}
