#include "runtime/Generated.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace {

class SortTest : public testing::Test {
protected:
  void SetUp() override { region = tessera_rt_region_create(nullptr); }
  void TearDown() override { tessera_rt_region_free(region); }

  template <typename T>
  bool sort(int32_t kind, bool isDescending, const std::vector<T> &from, std::vector<T> &to,
            int32_t offset = 0) {
    int32_t order[] = {kind, isDescending, sizeof(T), offset};
    to.assign(from.size(), T());
    return tessera_rt_sort(order, from.data(), to.data(), int64_t(from.size()), region, nullptr);
  }

  /// Sorts random numbers, many of them equal.
  template <typename T> void expectSorted(int32_t kind) {
    std::mt19937_64 random(1);
    for (size_t count : {0, 1, 2, 7, 100, 5000}) {
      std::vector<T> from(count), to;
      for (T &key : from)
        key = T(random() % 1000) - T(500);
      ASSERT_TRUE(sort(kind, false, from, to));
      std::vector<T> expected = from;
      std::stable_sort(expected.begin(), expected.end());
      EXPECT_EQ(to, expected);
      ASSERT_TRUE(sort(kind, true, from, to));
      std::stable_sort(expected.begin(), expected.end(), std::greater<T>());
      EXPECT_EQ(to, expected);
    }
  }

  /// Sorts fewer floats than fill a vector, and many.
  template <typename T> void expectInfinitiesKept(int32_t kind) {
    using Limits = std::numeric_limits<T>;
    const T values[] = {1, Limits::infinity(), Limits::max(), -Limits::infinity(), -Limits::max()};
    for (size_t count : {1, 2, 3, 5, 100, 5000}) {
      std::vector<T> from(count), to;
      for (size_t i = 0; i < count; ++i)
        from[i] = values[(i + i / 3) % 5];
      for (bool isDescending : {false, true}) {
        ASSERT_TRUE(sort(kind, isDescending, from, to));
        std::vector<T> expected = from;
        std::sort(expected.begin(), expected.end());
        if (isDescending)
          std::reverse(expected.begin(), expected.end());
        EXPECT_EQ(to, expected);
      }
    }
  }

  tessera_region *region;
};

TEST_F(SortTest, KeepsInfinities) {
  expectInfinitiesKept<float>(TESSERA_KIND_F32);
  expectInfinitiesKept<double>(TESSERA_KIND_F64);
}

TEST_F(SortTest, SortsScalarsBothWays) {
  expectSorted<int8_t>(TESSERA_KIND_I8);
  expectSorted<int16_t>(TESSERA_KIND_I16);
  expectSorted<int32_t>(TESSERA_KIND_I32);
  expectSorted<int64_t>(TESSERA_KIND_I64);
  expectSorted<uint8_t>(TESSERA_KIND_U8);
  expectSorted<uint16_t>(TESSERA_KIND_U16);
  expectSorted<uint32_t>(TESSERA_KIND_U32);
  expectSorted<uint64_t>(TESSERA_KIND_U64);
  expectSorted<float>(TESSERA_KIND_F32);
  expectSorted<double>(TESSERA_KIND_F64);
}

TEST_F(SortTest, KeepsTheOrderOfZerosAndLeavesNaN) {
  std::vector<double> from = {0.0, 3, -0.0, -1, 0.0, -0.0, 2}, to;
  ASSERT_TRUE(sort(TESSERA_KIND_F64, false, from, to));
  std::vector<double> expected = {-1, 0.0, -0.0, 0.0, -0.0, 2, 3};
  EXPECT_EQ(memcmp(to.data(), expected.data(), to.size() * 8), 0);
  ASSERT_TRUE(sort(TESSERA_KIND_F64, true, from, to));
  std::vector<double> descending = {3, 2, 0.0, -0.0, 0.0, -0.0, -1};
  EXPECT_EQ(memcmp(to.data(), descending.data(), to.size() * 8), 0);
  from[3] = std::nan("");
  EXPECT_FALSE(sort(TESSERA_KIND_F64, false, from, to));
}

struct Element {
  int64_t before;
  float key;
  int32_t after;
  bool operator==(const Element &) const = default;
};

TEST_F(SortTest, SortsStructsByAFieldAndIsStable) {
  std::mt19937_64 random(1);
  std::vector<Element> from(3000), to;
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = {int64_t(i), float(int(random() % 20) - 10) * 0.5f, -int32_t(i)};
  for (bool isDescending : {false, true}) {
    ASSERT_TRUE(sort(TESSERA_KIND_F32, isDescending, from, to, offsetof(Element, key)));
    std::vector<Element> expected = from;
    std::stable_sort(expected.begin(), expected.end(), [&](const Element &a, const Element &b) {
      return isDescending ? a.key > b.key : a.key < b.key;
    });
    EXPECT_EQ(to, expected);
  }
}

} // namespace
