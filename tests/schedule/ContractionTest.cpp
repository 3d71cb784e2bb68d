#include "schedule/Contraction.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"

using namespace tessera::schedule;
using Kernel = Contraction::Kernel;

namespace {

constexpr int64_t unknown = mlir::ShapedType::kDynamic;
constexpr Machine avx512{.vectorBytes = 64, .registers = 32};
constexpr Machine avx2{.vectorBytes = 32, .registers = 16};

std::string textOf(const Contraction &schedule) {
  mlir::MLIRContext context;
  std::string text;
  llvm::raw_string_ostream(text) << schedule.toAttribute(context);
  return text;
}

std::optional<Contraction> parse(llvm::StringRef text, std::string &error) {
  mlir::MLIRContext context;
  return Contraction::fromAttribute(
      llvm::cast<mlir::DictionaryAttr>(mlir::parseAttribute(text, &context)), error);
}

/// The complaint about an invalid schedule.
std::string complaint(llvm::StringRef text) {
  std::string error;
  EXPECT_FALSE(parse(text, error));
  return error;
}

Kernel kernelOf(ContractionShape shape, const Machine &machine = avx512) {
  return chooseContraction(shape, machine).kernel;
}

} // namespace

TEST(Contraction, RoundTripsThroughItsAttribute) {
  for (ContractionShape shape : {ContractionShape{4, 4, 4}, {400, 400, 400}, {unknown, 3, unknown}})
    for (const Machine &machine : {avx512, avx2}) {
      std::string text = textOf(chooseContraction(shape, machine)), error;
      std::optional<Contraction> again = parse(text, error);
      ASSERT_TRUE(again) << error;
      EXPECT_EQ(textOf(*again), text);
    }
}

TEST(Contraction, WritesOnlyTheNumbersThatItHas) {
  EXPECT_EQ(textOf(chooseContraction({4, 4, 4}, avx512)),
            "{kernel = \"unrolled\", lanes = 4 : i64, rows = 4 : i64, vectors = 1 : i64}");
}

TEST(Contraction, LeavesTheThreadsToManyOrToSmallProducts) {
  auto isShared = [](ContractionShape shape, int64_t outer) {
    shape.outer = outer;
    return chooseContraction(shape, avx512).parallelOuter == 1;
  };
  EXPECT_TRUE(isShared({400, 400, 400}, 16));
  EXPECT_TRUE(isShared({400, 400, 400}, unknown));
  EXPECT_FALSE(isShared({400, 400, 400}, 4));
  EXPECT_TRUE(isShared({40, 40, 40}, 4));
  EXPECT_FALSE(isShared({40, 40, 40}, 1));
}

TEST(Contraction, WithoutAKernelIsBlocked) {
  std::string error;
  std::optional<Contraction> schedule = parse("{lanes = 8, rows = 6, vectors = 2}", error);
  ASSERT_TRUE(schedule) << error;
  EXPECT_EQ(schedule->kernel, Kernel::Blocked);
  EXPECT_EQ(schedule->rows, 6);
}

TEST(Contraction, ExplainsInvalidSchedules) {
  EXPECT_EQ(complaint("{lanes = 8, rows = 0, vectors = 2}"),
            "`rows` is 0, not a number from 1 to 32");
  EXPECT_EQ(complaint("{lanes = 12, rows = 6, vectors = 2}"), "`lanes` is 12, not a power of two");
  EXPECT_EQ(complaint("{lanes = 8, rows = 6, vectors = 2, tiles = 3}"),
            "unknown schedule field `tiles`");
  EXPECT_EQ(complaint("{kernel = \"magic\", lanes = 8, rows = 6, vectors = 2}"),
            "`kernel` is \"magic\", not one of unrolled, blocked, inner, tiles, prepacked, "
            "prepacked-tiles, direct");
  EXPECT_EQ(complaint("{lanes = 8, rows = \"six\", vectors = 2}"),
            "`rows` is \"six\", not a number from 1 to 32");
  EXPECT_EQ(complaint("{lanes = 8, rows = 6, vectors = 2, pack_lhs = 1}"),
            "`pack_lhs` requires a `depth`");
  EXPECT_EQ(complaint("{kernel = \"inner\", lanes = 8, rows = 1, vectors = 1, unroll = 1}"),
            "`depth_lanes` is 0, not a power of two");
  EXPECT_EQ(complaint("{kernel = \"inner\", lanes = 32, rows = 1, vectors = 1, depth_lanes = 16, "
                      "unroll = 1}"),
            "the kernel `inner` has 32 lanes, more than its `depth_lanes` of 16");
  EXPECT_EQ(
      complaint("{kernel = \"tiles\", lanes = 16, rows = 32, vectors = 2, depth = 96}"),
      "the kernel `tiles` requires 16 lanes, 2 vectors, 32 rows, and a multiple of 64 as `depth`");
  EXPECT_EQ(
      complaint("{kernel = \"prepacked\", lanes = 16, rows = 6, vectors = 1, depth = 64}"),
      "the kernel `prepacked` requires 16 lanes, 1 vector, 1, 2, 4, 8 or 16 rows, and a multiple "
      "of 64 as `depth`");
}

TEST(ChooseContraction, UnrollsSmallKnownSizes) {
  EXPECT_EQ(kernelOf({4, 4, 4}), Kernel::Unrolled);
  EXPECT_EQ(kernelOf({1, 1, 32}), Kernel::Unrolled);
  EXPECT_EQ(kernelOf({1, 1, 33}), Kernel::Blocked);
}

/// With more than one tile, each would transpose the operand again.
TEST(ChooseContraction, TransposesASmallOperandInRegisters) {
  auto transposed = [](int64_t rows, int64_t columns, int64_t depth) {
    ContractionShape shape{rows, columns, depth};
    shape.isRhsDense = false;
    shape.rhsStride = shape.elementBytes;
    return shape;
  };
  Contraction choice = chooseContraction(transposed(16, 16, 16), avx512);
  EXPECT_EQ(choice.kernel, Kernel::Unrolled);
  EXPECT_EQ(choice.rows, 16);
  EXPECT_EQ(choice.vectors, 1);
  EXPECT_EQ(kernelOf(transposed(24, 64, 64)), Kernel::Unrolled);
  EXPECT_EQ(kernelOf(transposed(25, 64, 64)), Kernel::Blocked);
  EXPECT_EQ(kernelOf(transposed(24, 65, 64)), Kernel::Blocked);
  EXPECT_EQ(kernelOf(transposed(24, 64, 65)), Kernel::Blocked);
  EXPECT_EQ(kernelOf(transposed(16, 16, 16), avx2), Kernel::Blocked);
  ContractionShape apart = transposed(8, 8, 8);
  apart.rhsStride = 2 * apart.elementBytes;
  EXPECT_EQ(kernelOf(apart), Kernel::Blocked);
}

/// A short last vector does not share a tile with the others.
TEST(ChooseContraction, GoesVectorByVectorWhereTheLastIsShort) {
  Contraction choice = chooseContraction({24, 24, 24}, avx512);
  EXPECT_EQ(choice.kernel, Kernel::Unrolled);
  EXPECT_EQ(choice.vectors, 1);
  EXPECT_EQ(choice.rows, 24);
  EXPECT_EQ(kernelOf({24, 32, 24}), Kernel::Blocked);
  EXPECT_EQ(chooseContraction({7, 24, 8}, avx512).vectors, 2);
}

/// Tiles of few rows read rows of lhs sequentially if they have enough sums.
TEST(ChooseContraction, ReadsTheRowsOfASmallLhsInOrder) {
  Contraction choice = chooseContraction({16, 32, 16}, avx512);
  EXPECT_EQ(choice.vectors, 2);
  EXPECT_EQ(choice.rows, 4);
  EXPECT_EQ(chooseContraction({16, 16, 16}, avx512).rows, 8);
}

TEST(ChooseContraction, CountsVectorsNotElements) {
  EXPECT_EQ(kernelOf({16, 32, 16}), Kernel::Unrolled);
  EXPECT_EQ(kernelOf({16, 48, 16}), Kernel::Blocked);
  EXPECT_EQ(kernelOf({16, 32, 16}, avx2), Kernel::Blocked);
}

TEST(ChooseContraction, TreatsUnknownSizesAsLarge) {
  EXPECT_EQ(kernelOf({unknown, 4, 4}), Kernel::Blocked);
  EXPECT_EQ(kernelOf({4, unknown, 4}), Kernel::Blocked);
  EXPECT_EQ(kernelOf({4, 4, unknown}), Kernel::Blocked);
}

/// The tile, a row of the right operand and one broadcast element must be in registers together.
TEST(ChooseContraction, FitsTheRegisters) {
  for (const Machine &machine : {avx512, avx2})
    for (int64_t rows : {1, 2, 3, 7, 40, 400})
      for (int64_t columns : {1, 16, 33, 400}) {
        Contraction choice = chooseContraction({rows, columns, 400}, machine);
        EXPECT_LE(choice.rows * choice.vectors + choice.vectors + 1, machine.registers)
            << rows << " x " << columns;
      }
}

TEST(ChooseContraction, DividesKnownRowsEvenly) {
  EXPECT_EQ(chooseContraction({64, 64, 64}, avx512).rows, 13); // 13 + 13 + 13 + 13 + 12
  EXPECT_EQ(chooseContraction({26, 26, 72}, avx512).rows, 13);
  EXPECT_EQ(chooseContraction({5, 64, 64}, avx512).rows, 5);
}

TEST(ChooseContraction, UsesMoreVectorsForFewRows) {
  EXPECT_EQ(chooseContraction({1, 400, 400}, avx512).vectors, 8);
  EXPECT_EQ(chooseContraction({400, 400, 400}, avx512).vectors, 2);
  EXPECT_EQ(chooseContraction({400, 10, 400}, avx512).vectors, 1);
}

/// In tiles of two, three vectors of columns would take as long as four.
TEST(ChooseContraction, WastesFewVectors) {
  EXPECT_EQ(chooseContraction({400, 48, 400}, avx512).vectors, 3);
  EXPECT_EQ(chooseContraction({400, 112, 400}, avx512).vectors, 1);
  EXPECT_EQ(chooseContraction({400, 96, 400}, avx512).vectors, 2);
  EXPECT_EQ(chooseContraction({400, 1000, 400}, avx512).vectors, 3); // 63 of 63 vectors, not of 64.
  EXPECT_EQ(chooseContraction({400, 1024, 400}, avx512).vectors, 2);
  EXPECT_EQ(chooseContraction({5, 112, 400}, avx512).vectors, 2); // Five sums are too few.
  EXPECT_EQ(chooseContraction({400, 56, 400}, avx2).vectors, 2);  // So are six.
}

/// A short third vector would need registers that its tile does not have.
TEST(ChooseContraction, ComputesAShortVectorInSeparateTiles) {
  EXPECT_EQ(chooseContraction({20, 20, 20}, avx2).vectors, 2);
  EXPECT_EQ(chooseContraction({24, 24, 24}, avx2).vectors, 3);
  EXPECT_EQ(chooseContraction({4000, 20, 400}, avx2).vectors, 3); // Its threads read rows once.
}

TEST(ChooseContraction, UsesNoWiderVectorsThanThereAreColumns) {
  EXPECT_EQ(chooseContraction({400, 3, 400}, avx512).lanes, 4);
  EXPECT_EQ(chooseContraction({400, 16, 400}, avx512).lanes, 16);
  ContractionShape doubles{400, 400, 400};
  doubles.elementBytes = 8;
  EXPECT_EQ(chooseContraction(doubles, avx512).lanes, 8);
}

TEST(ChooseContraction, PacksLargeOperands) {
  ContractionShape cube{128, 128, 128};
  Contraction part = chooseContraction(cube, avx512); // A part of a matrix that may be larger.
  EXPECT_TRUE(!part.packLhs && !part.packRhs && part.prefetch);
  cube.rhsStride = 128 * 4;
  Contraction small = chooseContraction(cube, avx512);
  EXPECT_FALSE(small.packLhs || small.packRhs || small.prefetch);
  Contraction large = chooseContraction({1024, 1024, 1024}, avx512);
  EXPECT_TRUE(large.packLhs && large.packRhs && large.prefetch);
  Contraction fewRows = chooseContraction({64, 1024, 1024}, avx512);
  EXPECT_FALSE(fewRows.packRhs);
  Contraction fewColumns = chooseContraction({100000, 16, 1024}, avx512);
  EXPECT_FALSE(fewColumns.packLhs);
}

/// Vectors cannot be loaded from elements that are not adjacent.
TEST(ChooseContraction, PacksARightOperandThatIsNotDense) {
  ContractionShape transposed{128, 256, 32};
  transposed.isRhsDense = false;
  EXPECT_TRUE(chooseContraction(transposed, avx512).packRhs);
}

/// A row of the matrix and the vector are dense along depth, and each sum is one of many.
TEST(ChooseContraction, ComputesReorderableSumsAlongDepth) {
  ContractionShape vector{1, 1000, 1000};
  vector.isRhsDense = false;
  vector.isDepthDense = true;
  EXPECT_EQ(kernelOf(vector), Kernel::Blocked);
  vector.isReorderable = true;
  EXPECT_EQ(kernelOf(vector), Kernel::Inner);
  vector.rows = 100; // Now packing pays off.
  EXPECT_EQ(kernelOf(vector), Kernel::Blocked);
}

TEST(ChooseContraction, HidesTheLatencyOfASingleSum) {
  ContractionShape dot{1, 1, 1000};
  dot.isReorderable = dot.isDepthDense = true;
  Contraction choice = chooseContraction(dot, avx512);
  EXPECT_EQ(choice.kernel, Kernel::Inner);
  EXPECT_EQ(choice.unroll, 8);
  EXPECT_EQ(choice.depthLanes, 16);
}

TEST(ChooseContraction, KeepsPackedPartsInTheCaches) {
  for (int64_t bytes : {4, 8})
    for (int64_t l2 : {256 << 10, 1 << 20, 2 << 20}) {
      Machine machine = avx512;
      machine.l2 = l2;
      ContractionShape shape{2000, 2000, 2000};
      shape.elementBytes = bytes;
      Contraction choice = chooseContraction(shape, machine);
      EXPECT_LE(choice.height * choice.depth * bytes, l2 / 2);
      EXPECT_LE(choice.width * choice.depth * bytes, machine.l3);
      EXPECT_EQ(choice.height % choice.rows, 0);
      EXPECT_EQ(choice.width % choice.columns(), 0);
    }
}

namespace {

ContractionShape convolution(int64_t channels, int64_t width, int64_t depth) {
  ContractionShape shape{channels, width, 3};
  shape.hasWindows = shape.canBeAcross = true;
  shape.wholeDepth = depth;
  return shape;
}

} // namespace

TEST(Contraction, WithWindowsIsDirect) {
  for (auto [channels, width] : {std::pair<int64_t, int64_t>{64, 56}, {1, 9}, {unknown, unknown}}) {
    Contraction schedule = chooseContraction(convolution(channels, width, 576), avx512);
    EXPECT_EQ(schedule.kernel, Kernel::Direct);
    std::string error;
    EXPECT_TRUE(parse(textOf(schedule), error)) << error;
  }
}

TEST(Contraction, HasColumnsThatFillVectors) {
  EXPECT_EQ(chooseContraction(convolution(64, 56, 576), avx512).across, 1);
  EXPECT_EQ(chooseContraction(convolution(8, 26, 72), avx512).across, 1);
  EXPECT_EQ(chooseContraction(convolution(4, 54, 36), avx512).across, 0);
  EXPECT_EQ(chooseContraction(convolution(20, 64, 36), avx512).across, 0);
}

TEST(Contraction, KeepsWeightsInTheCache) {
  Contraction schedule = chooseContraction(convolution(512, 7, 4608), avx512);
  EXPECT_EQ(schedule.width, schedule.columns());
  EXPECT_GT(chooseContraction(convolution(512, 7, 64), avx512).width, schedule.width);
}

TEST(Contraction, IsAcrossWhereRowsFillVectorsAndColumnsDoNot) {
  auto isAcross = [](int64_t rows, int64_t columns, int64_t depth) {
    ContractionShape shape{rows, columns, depth};
    shape.canBeAcross = true;
    shape.wholeDepth = depth;
    Contraction schedule = chooseContraction(shape, avx512);
    std::string error;
    EXPECT_TRUE(parse(textOf(schedule), error)) << error;
    return schedule.across == 1;
  };
  EXPECT_TRUE(isAcross(2048, 49, 512));
  EXPECT_TRUE(isAcross(512, 49, 2048));
  EXPECT_FALSE(isAcross(2048, 48, 512)); // All lanes are used.
  EXPECT_FALSE(isAcross(49, 49, 512));   // No better.
  EXPECT_FALSE(isAcross(64, 18, 8));     // Packing takes longer.
  EXPECT_FALSE(isAcross(2048, 49, 1 << 20));
  EXPECT_FALSE(isAcross(unknown, 49, 512));
}

TEST(Contraction, IsAcrossOnlyIfDirect) {
  EXPECT_EQ(complaint("{lanes = 8, rows = 6, vectors = 2, across = 1}"),
            "`across` requires the kernel `direct`");
  EXPECT_EQ(complaint("{kernel = \"direct\", lanes = 8, rows = 6, vectors = 2, depth = 8}"),
            "the kernel `direct` allows neither `depth` nor `pack_lhs`");
}

TEST(Contraction, ReadsRowsOnManyPagesInLongPieces) {
  ContractionShape shape{32, 8192, 512};
  shape.rhsStride = 8192 * 4;
  Contraction schedule = chooseContraction(shape, avx512);
  EXPECT_EQ(schedule.prefetch, 2);
  EXPECT_EQ(schedule.vectors, 3);
  EXPECT_EQ(schedule.rows, 8);
  shape.rhsStride = 2048;
  EXPECT_LT(chooseContraction(shape, avx512).prefetch, 2);
  shape.rhsStride = 8192 * 4, shape.rows = 512; // Then it is packed.
  EXPECT_LT(chooseContraction(shape, avx512).prefetch, 2);
}

TEST(Contraction, PacksRowsOnManyPagesThatSmallTilesWouldReadOften) {
  ContractionShape shape{32, 8192, 512};
  shape.rhsStride = 8192 * 4;
  EXPECT_EQ(chooseContraction(shape, avx2).packRhs, 1);
  EXPECT_EQ(chooseContraction(shape, avx512).packRhs, 0);
  shape.rows = 12;
  EXPECT_EQ(chooseContraction(shape, avx2).packRhs, 0);
}

TEST(Contraction, HasNoMoreRowsThanASetOfTheCacheHolds) {
  ContractionShape shape{64, 64, 16384};
  shape.lhsStride = 16384 * 4;
  EXPECT_EQ(chooseContraction(shape, avx512).rows, avx512.l1 / 4096);
  shape.lhsStride += 64;
  EXPECT_EQ(chooseContraction(shape, avx512).rows, 13);
}

TEST(Contraction, ReadsDenseRowsInPlace) {
  ContractionShape shape{1000, 1000, 1000};
  EXPECT_EQ(chooseContraction(shape, avx512).packLhs, 1);
  shape.lhsStep = 4;
  EXPECT_EQ(chooseContraction(shape, avx512).packLhs, 0);
  shape.isNarrow = true; // Operands are widened once.
  EXPECT_EQ(chooseContraction(shape, avx512).packLhs, 1);
}

TEST(Contraction, PacksLateWhatNoCacheHolds) {
  auto isLate = [](int64_t rows, int64_t columns) {
    ContractionShape shape{rows, columns, 4096};
    shape.isRhsDense = false, shape.isDepthDense = true, shape.rhsStride = 4;
    Contraction schedule = chooseContraction(shape, avx512);
    EXPECT_EQ(schedule.packLate ? schedule.height >= rows : schedule.width > 0, true);
    return schedule.packLate == 1;
  };
  EXPECT_TRUE(isLate(128, 16384));
  EXPECT_FALSE(isLate(1024, 16384)); // Rows are packed in several parts.
  EXPECT_FALSE(isLate(128, 512));
}
