#include "lang/tc/Size.h"
#include "llvm/Support/MathExtras.h"
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace tessera::tc;

namespace {

struct TcSize : testing::Test {
  SizeContext sizes;
  Size n = sizes.symbol({"N"}), m = sizes.symbol({"M"}), k = sizes.symbol({"K"});
  Size s = sizes.symbol({"s", /*isNonNegative=*/false});

  Size operator()(int64_t value) { return sizes.constant(value); }
  Size plus(Size a, int64_t b) { return sizes.add(a, sizes.constant(b)); }
  Size times(int64_t a, Size b) { return sizes.mul(sizes.constant(a), b); }
  Size half(Size a) { return sizes.floorDiv(a, sizes.constant(2)); }
};

TEST_F(TcSize, EqualLinearExpressionsAreTheSame) {
  EXPECT_EQ(sizes.add(n, m), sizes.add(m, n));
  EXPECT_EQ(sizes.sub(plus(sizes.add(n, m), 3), m), plus(n, 3));
  EXPECT_EQ(sizes.sub(n, n), sizes.constant(0));
  EXPECT_EQ(times(2, plus(n, 1)), plus(sizes.add(n, n), 2));
  EXPECT_NE(n, m);
}

TEST_F(TcSize, ProductsDistribute) {
  EXPECT_EQ(sizes.mul(plus(n, 1), plus(m, 2)),
            plus(sizes.add(sizes.mul(m, n), sizes.add(times(2, n), m)), 2));
  EXPECT_EQ(sizes.mul(sizes.mul(n, m), k), sizes.mul(n, sizes.mul(k, m)));
}

TEST_F(TcSize, DivisionsExtractMultiples) { // [tc.sizeexpr.12]
  EXPECT_EQ(half(plus(times(4, n), 3)), plus(times(2, n), 1));
  EXPECT_EQ(half(plus(n, 2)), plus(half(n), 1));
  EXPECT_EQ(half(sizes.constant(-3)), sizes.constant(-2));
  EXPECT_EQ(sizes.floorDiv(sizes.constant(3), sizes.constant(-2)), sizes.constant(-2));
  EXPECT_EQ(sizes.floorDiv(plus(times(6, n), 5), sizes.constant(9)),
            sizes.floorDiv(plus(times(2, n), 1), sizes.constant(3)));
  EXPECT_EQ(half(half(n)), sizes.floorDiv(n, sizes.constant(4)));
  EXPECT_EQ(sizes.ceilDiv(sizes.constant(7), sizes.constant(2)), sizes.constant(4));
  EXPECT_EQ(sizes.mod(plus(times(6, n), 7), sizes.constant(3)), sizes.constant(1));
  EXPECT_EQ(sizes.mod(sizes.constant(-1), sizes.constant(3)), sizes.constant(2));
  EXPECT_EQ(sizes.mod(sizes.constant(1), sizes.constant(-3)), sizes.constant(-2));
}

TEST_F(TcSize, MinimaDropRedundantOperands) {
  EXPECT_EQ(sizes.min(n, plus(n, 1)), n);
  EXPECT_EQ(sizes.max(n, plus(n, 1)), plus(n, 1));
  EXPECT_EQ(sizes.max(n, sizes.constant(-1)), n);
  EXPECT_EQ(sizes.min(n, sizes.constant(0)), sizes.constant(0));
  EXPECT_EQ(sizes.min(sizes.min(n, m), k), sizes.min(m, sizes.min(k, n)));
  EXPECT_EQ(sizes.min(sizes.min(n, m), plus(m, 2)), sizes.min(n, m));
  EXPECT_EQ(sizes.min(half(n), n), half(n));
  EXPECT_EQ(sizes.min(plus(sizes.min(n, m), -1), n), sizes.min(plus(n, -1), plus(m, -1)));
}

TEST_F(TcSize, PrintsFormulas) {
  auto str = [](Size size) { return size.str(); };
  EXPECT_EQ(str(sizes.constant(-7)), "-7");
  EXPECT_EQ(str(plus(sizes.sub(n, m), 1)), "N - M + 1");
  EXPECT_EQ(str(plus(sizes.sub(m, n), -1)), "M - N - 1");
  EXPECT_EQ(str(sizes.sub(sizes.constant(11), n)), "11 - N");
  EXPECT_EQ(str(sizes.sub(sizes.constant(-1), times(3, n))), "-3*N - 1");
  EXPECT_EQ(str(plus(half(sizes.sub(n, m)), 1)), "floor((N - M) / 2) + 1");
  EXPECT_EQ(str(sizes.ceilDiv(n, sizes.constant(123))), "ceil(N / 123)");
  EXPECT_EQ(str(sizes.min(n, plus(m, 3))), "min(N, M + 3)");
  EXPECT_EQ(str(sizes.max(sizes.constant(0), sizes.sub(sizes.constant(20), n))), "max(0, 20 - N)");
  EXPECT_EQ(str(times(2, sizes.mod(plus(n, 1), sizes.constant(3)))), "2*((N + 1) % 3)");
  EXPECT_EQ(str(sizes.mul(n, plus(m, 1))), "N + N*M");
  EXPECT_EQ(str(sizes.floorDiv(n, sizes.mul(m, k))), "floor(N / (M*K))");
  EXPECT_EQ(str(sizes.ceilDiv(plus(n, -1), m)), "ceil((N - 1) / M)");
  EXPECT_EQ(str(sizes.sub(k, sizes.ceilDiv(n, m))), "K + floor(-N / M)");
  EXPECT_EQ(str(sizes.constant(INT64_MIN)), "-9223372036854775808");
}

TEST_F(TcSize, LimitsTheLengthOfText) {
  Size size = n;
  for (int i = 0; i != 40; ++i)
    size = sizes.min(half(plus(size, i)), sizes.floorDiv(sizes.sub(size, m), sizes.constant(3)));
  EXPECT_LT(size.str().size(), 4000u);
  EXPECT_NE(size.str().find("..."), std::string::npos);
}

TEST_F(TcSize, OverflowIsNullAndRemembered) {
  EXPECT_FALSE(sizes.overflowed());
  EXPECT_FALSE(sizes.floorDiv(n, sizes.constant(0)));
  EXPECT_FALSE(sizes.mod(n, sizes.constant(0)));
  EXPECT_FALSE(sizes.overflowed());
  Size large = sizes.constant(INT64_MAX);
  EXPECT_EQ(sizes.isAtMost(sizes.constant(INT64_MIN), large), std::nullopt);
  EXPECT_FALSE(sizes.overflowed());
  EXPECT_FALSE(sizes.add(large, sizes.constant(1)));
  EXPECT_TRUE(sizes.overflowed());
  EXPECT_FALSE(sizes.mul(times(INT64_MAX, n), sizes.constant(2)));
  EXPECT_FALSE(sizes.sub(Size(), n));
  EXPECT_FALSE(sizes.floorDiv(sizes.constant(INT64_MIN), sizes.constant(-1)));
  EXPECT_EQ(sizes.evaluate(sizes.mul(n, m), {INT64_MAX, 2}), std::nullopt);
  EXPECT_EQ(sizes.evaluate(sizes.floorDiv(n, m), {1, 0}), std::nullopt);
}

TEST_F(TcSize, DepthIsBounded) {
  Size size = n;
  for (int i = 0; i != 1000 && size; ++i)
    size = sizes.mod(plus(sizes.mul(size, n), 1), m);
  EXPECT_FALSE(size);
  EXPECT_TRUE(sizes.overflowed());
}

TEST_F(TcSize, BoundsFollowFromSigns) {
  EXPECT_EQ(sizes.lowerBound(plus(n, 3)), 3);
  EXPECT_EQ(sizes.upperBound(n), std::nullopt);
  EXPECT_EQ(sizes.upperBound(sizes.sub(sizes.constant(5), n)), 5);
  EXPECT_EQ(sizes.lowerBound(s), std::nullopt);
  EXPECT_EQ(sizes.lowerBound(sizes.mod(s, sizes.constant(4))), 0);
  EXPECT_EQ(sizes.upperBound(sizes.mod(s, sizes.constant(4))), 3);
  EXPECT_EQ(sizes.upperBound(sizes.min(n, sizes.constant(9))), 9);
  EXPECT_EQ(sizes.lowerBound(sizes.mul(n, m)), 0);
}

TEST_F(TcSize, ProvesWhatHoldsForAllSizes) {
  EXPECT_EQ(sizes.isAtMost(sizes.constant(0), n), true);
  EXPECT_EQ(sizes.isAtMost(sizes.constant(0), s), std::nullopt);
  EXPECT_EQ(sizes.isAtMost(n, m), std::nullopt);
  EXPECT_EQ(sizes.isAtMost(plus(n, 1), n), false);
  EXPECT_EQ(sizes.isAtMost(times(2, half(n)), n), true);
  EXPECT_EQ(sizes.isAtMost(plus(n, -1), times(2, half(n))), true);
  EXPECT_EQ(sizes.isAtMost(n, times(2, half(n))), std::nullopt);
  EXPECT_EQ(sizes.isAtMost(sizes.min(n, m), sizes.max(n, k)), true);
  EXPECT_EQ(sizes.isAtMost(sizes.max(n, m), sizes.add(n, m)), true);
  EXPECT_EQ(sizes.isAtMost(sizes.sub(n, sizes.max(n, m)), sizes.constant(0)), true);
  EXPECT_EQ(sizes.isAtMost(sizes.add(half(n), half(m)), half(sizes.add(n, m))), true);
  EXPECT_EQ(sizes.isAtMost(sizes.add(times(2, half(n)), sizes.mod(n, sizes.constant(2))), n), true);
  EXPECT_EQ(sizes.isAtMost(n, sizes.add(times(2, half(n)), sizes.mod(n, sizes.constant(2)))), true);
}

/// A random expression next to its value, computed without simplification.
struct Sample {
  Size size;
  std::function<std::optional<int64_t>(llvm::ArrayRef<int64_t>)> value;
};
using Value = std::optional<int64_t>;

class Samples {
public:
  Samples(TcSize &test, unsigned seed) : test(test), random(seed) {}

  Sample make(int depth) {
    if (depth == 0 || pick(5) == 0)
      return leaf();
    Sample a = make(depth - 1), b = pick(3) ? make(depth - 1) : leaf();
    SizeContext &sizes = test.sizes;
    switch (pick(8)) {
    case 0:
    case 1:
      return {sizes.add(a.size, b.size), both(a, b, [](int64_t x, int64_t y) { return x + y; })};
    case 2:
      return {sizes.sub(a.size, b.size), both(a, b, [](int64_t x, int64_t y) { return x - y; })};
    case 3:
      return {sizes.mul(a.size, b.size), both(a, b, [](int64_t x, int64_t y) { return x * y; })};
    case 4:
      return {sizes.min(a.size, b.size),
              both(a, b, [](int64_t x, int64_t y) { return std::min(x, y); })};
    case 5:
      return {sizes.max(a.size, b.size),
              both(a, b, [](int64_t x, int64_t y) { return std::max(x, y); })};
    case 6:
      if (pick(4))
        b = number(pick(5) + 1 - 2 * (pick(6) == 0));
      return {sizes.floorDiv(a.size, b.size), both(a, b, [](int64_t x, int64_t y) {
                return y ? Value(llvm::divideFloorSigned(x, y)) : std::nullopt;
              })};
    default:
      if (pick(4))
        b = number(pick(5) + 1 - 2 * (pick(6) == 0));
      return {sizes.mod(a.size, b.size), both(a, b, [](int64_t x, int64_t y) {
                return y ? Value(x - llvm::divideFloorSigned(x, y) * y) : std::nullopt;
              })};
    }
  }

  int pick(int count) { return random() % count; }

private:
  Sample number(int64_t value) {
    return {test.sizes.constant(value), [value](llvm::ArrayRef<int64_t>) { return value; }};
  }
  Sample leaf() {
    if (pick(3) == 0)
      return number(pick(9) - 4);
    unsigned symbol = pick(4);
    Size all[] = {test.n, test.m, test.k, test.s};
    return {all[symbol], [symbol](llvm::ArrayRef<int64_t> values) { return values[symbol]; }};
  }
  template <typename F> static decltype(Sample::value) both(Sample a, Sample b, F combine) {
    return [=](llvm::ArrayRef<int64_t> values) -> Value {
      Value x = a.value(values), y = b.value(values);
      return x && y ? Value(combine(*x, *y)) : std::nullopt;
    };
  }

  TcSize &test;
  std::mt19937 random;
};

/// All small values of N, M, K and s.
template <typename F> void forAllValues(F visit) {
  for (int64_t n = 0; n != 5; ++n)
    for (int64_t m = 0; m != 5; ++m)
      for (int64_t k = 0; k != 4; ++k)
        for (int64_t s = -3; s != 4; ++s)
          visit({n, m, k, s});
}

TEST_F(TcSize, SimplificationKeepsValuesAndBounds) {
  Samples samples(*this, 1);
  for (int round = 0; round != 3000; ++round) {
    Sample sample = samples.make(4);
    if (!sample.size)
      continue; // Divided by zero.
    auto lower = sizes.lowerBound(sample.size), upper = sizes.upperBound(sample.size);
    forAllValues([&](std::initializer_list<int64_t> values) {
      Value expected = sample.value(values);
      if (!expected)
        return;
      ASSERT_EQ(sizes.evaluate(sample.size, values), expected) << sample.size.str();
      ASSERT_LE(lower.value_or(*expected), *expected) << sample.size.str();
      ASSERT_GE(upper.value_or(*expected), *expected) << sample.size.str();
    });
    if (HasFatalFailure())
      return;
  }
}

TEST_F(TcSize, ProofsAreNeverWrong) {
  Samples samples(*this, 2);
  int numProved = 0;
  for (int round = 0; round != 600; ++round) {
    Sample a = samples.make(3), b = samples.make(3);
    auto proved = sizes.isAtMost(a.size, b.size);
    if (!proved)
      continue;
    ++numProved;
    forAllValues([&](std::initializer_list<int64_t> values) {
      Value x = a.value(values), y = b.value(values);
      if (x && y)
        ASSERT_EQ(*x <= *y, *proved) << a.size.str() << " <= " << b.size.str();
    });
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(numProved, 60);
}

} // namespace
