// Decimal numbers with more digits than llvm::APFloat can read.
#include "support/Decimal.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace tessera;

namespace {

double valueOf(const std::string &text) {
  llvm::APFloat value(llvm::APFloat::IEEEdouble());
  auto status = value.convertFromString(roundableDecimal(text), llvm::APFloat::rmNearestTiesToEven);
  EXPECT_TRUE(bool(status)) << text.substr(0, 20);
  return value.convertToDouble();
}

std::string repeat(char digit, size_t count) {
  return std::string(count, digit);
}

TEST(RoundableDecimal, LeavesShortNumbersAlone) {
  EXPECT_EQ(roundableDecimal("1.50e3"), "1.50e3");
  EXPECT_EQ(roundableDecimal("0x1p-3"), "0x1p-3");
}

TEST(RoundableDecimal, KeepsTheValue) {
  EXPECT_EQ(valueOf("1." + repeat('1', 100000)), 1.1111111111111112);
  EXPECT_EQ(valueOf("-1." + repeat('1', 100000)), -1.1111111111111112);
  EXPECT_EQ(valueOf("12" + repeat('0', 100000) + ".0e-100000"), 12.0);
  EXPECT_EQ(valueOf("0." + repeat('0', 100000) + "25E+100001"), 2.5);
  EXPECT_EQ(valueOf(repeat('0', 100000) + "7.5"), 7.5);
  EXPECT_EQ(valueOf(repeat('0', 100000) + ".0"), 0.0);
  EXPECT_EQ(valueOf("1." + repeat('0', 100000) + "e999999999999999999999"), INFINITY);
  EXPECT_EQ(valueOf("1." + repeat('0', 100000) + "e-999999999999999999999"), 0.0);
}

/// The last of many digits decides whether 2^53 + 1, between two doubles, is rounded up.
TEST(RoundableDecimal, RoundsOnce) {
  EXPECT_EQ(valueOf("9007199254740993." + repeat('0', 100000)), 9007199254740992.0);
  EXPECT_EQ(valueOf("9007199254740993." + repeat('0', 100000) + "1"), 9007199254740994.0);
}

} // namespace
