#include "schedule/Contraction.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"

using namespace tessera::schedule;
using Kernel = Contraction::Kernel;

namespace {

constexpr int64_t unknown = mlir::ShapedType::kDynamic;
constexpr Machine avx512{16}, avx2{8};

std::string textOf(const Contraction &schedule) {
  mlir::MLIRContext context;
  std::string text;
  llvm::raw_string_ostream(text) << schedule.toAttribute(context);
  return text;
}

Contraction parse(llvm::StringRef text) {
  mlir::MLIRContext context;
  return Contraction::fromAttribute(
      llvm::cast<mlir::DictionaryAttr>(mlir::parseAttribute(text, &context)));
}

} // namespace

TEST(Contraction, IsTheSameBehindItsAttribute) {
  for (ContractionSizes sizes : {ContractionSizes{4, 4, 4}, {400, 400, 400}})
    for (Machine machine : {avx512, avx2}) {
      std::string text = textOf(chooseContraction(sizes, machine));
      EXPECT_EQ(textOf(parse(text)), text);
    }
}

TEST(Contraction, WritesOnlyTheNumbersThatItHas) {
  EXPECT_EQ(textOf(chooseContraction({4, 4, 4}, avx512)),
            "{kernel = \"unrolled\", lanes = 16 : i64}");
}

TEST(Contraction, WithoutAKernelIsBlocked) {
  EXPECT_EQ(parse("{lanes = 8, rows = 6}").kernel, Kernel::Blocked);
  EXPECT_EQ(parse("{lanes = 8, rows = 6}").rows, 6);
}

TEST(ChooseContraction, UnrollsWhatIsKnownAndSmall) {
  EXPECT_EQ(chooseContraction({4, 4, 4}, avx512).kernel, Kernel::Unrolled);
  EXPECT_EQ(chooseContraction({1, 1, 32}, avx512).kernel, Kernel::Unrolled);
  EXPECT_EQ(chooseContraction({1, 1, 33}, avx512).kernel, Kernel::Blocked);
}

TEST(ChooseContraction, CountsVectorsNotElements) {
  EXPECT_EQ(chooseContraction({16, 32, 16}, avx512).kernel, Kernel::Unrolled);
  EXPECT_EQ(chooseContraction({16, 33, 16}, avx512).kernel, Kernel::Blocked);
  EXPECT_EQ(chooseContraction({16, 32, 16}, avx2).kernel, Kernel::Blocked);
}

TEST(ChooseContraction, TakesAnUnknownSizeForALargeOne) {
  EXPECT_EQ(chooseContraction({unknown, 4, 4}, avx512).kernel, Kernel::Blocked);
  EXPECT_EQ(chooseContraction({4, unknown, 4}, avx512).kernel, Kernel::Blocked);
  EXPECT_EQ(chooseContraction({4, 4, unknown}, avx512).kernel, Kernel::Blocked);
}

/// The block, a vector of the right operand's row and one broadcast must be in registers together.
TEST(ChooseContraction, FitsTheRegisters) {
  Contraction wide = chooseContraction({400, 400, 400}, avx512);
  EXPECT_LE(wide.rows * wide.vectors + wide.vectors + 1, 32);
  Contraction narrow = chooseContraction({400, 400, 400}, avx2);
  EXPECT_LE(narrow.rows * narrow.vectors + narrow.vectors + 1, 16);
}
