#include "runtime/Overlap.h"
#include "runtime/View.h"
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace tessera::runtime;

namespace {

/// A view of int16 into one buffer.
struct Sample {
  std::vector<int64_t> shape, strides;
  int64_t offset;

  tessera_view view(char *buffer) {
    return {buffer,       {1, 0},         int32_t(shape.size()), {TESSERA_INT, 16, 1},
            shape.data(), strides.data(), uint64_t(offset)};
  }
  int64_t numBytes() const {
    int64_t count = 2;
    for (int64_t size : shape)
      count *= size;
    return count;
  }
  std::set<int64_t> bytes() const {
    std::set<int64_t> found;
    add(0, offset, found);
    return found;
  }

private:
  void add(size_t dim, int64_t at, std::set<int64_t> &found) const {
    if (dim == shape.size()) {
      found.insert({at, at + 1});
      return;
    }
    for (int64_t index = 0; index < shape[dim]; ++index)
      add(dim + 1, at + index * strides[dim] * 2, found);
  }
};

bool haveCommon(const std::set<int64_t> &a, const std::set<int64_t> &b) {
  for (int64_t byte : a)
    if (b.contains(byte))
      return true;
  return false;
}

} // namespace

TEST(Overlap, IsFoundByteByByte) {
  static char buffer[4096];
  std::mt19937 random(1);
  auto upTo = [&](int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  };
  int numOverlapping = 0, numDouble = 0;
  for (int run = 0; run < 20'000; ++run) {
    Sample samples[2];
    for (Sample &sample : samples) {
      sample.offset = 2048 + upTo(-20, 20);
      for (int64_t rank = upTo(0, 3); rank > 0; --rank) {
        sample.shape.push_back(upTo(run % 50 ? 1 : 0, 4));
        sample.strides.push_back(upTo(-9, 9));
      }
    }
    bool expected = haveCommon(samples[0].bytes(), samples[1].bytes());
    tessera_view a = samples[0].view(buffer), b = samples[1].view(buffer);
    ASSERT_EQ(overlap(a, b), expected) << run;
    ASSERT_EQ(overlap(b, a), expected) << run;
    numOverlapping += expected;
    bool isDouble = int64_t(samples[0].bytes().size()) < samples[0].numBytes();
    ASSERT_EQ(overlapsItself(a), isDouble) << run;
    numDouble += isDouble;
  }
  EXPECT_GT(numOverlapping, 2000);
  EXPECT_LT(numOverlapping, 18'000);
  EXPECT_GT(numDouble, 2000);
  EXPECT_LT(numDouble, 18'000);
}

TEST(Overlap, BlocksOfOneMatrixAreSeparate) {
  static float matrix[1000][1000];
  int64_t shape[] = {1000, 500}, strides[] = {1000, 1};
  tessera_dtype f32{TESSERA_FLOAT, 32, 1};
  tessera_view left{matrix, {1, 0}, 2, f32, shape, strides, 0}, right = left;
  right.byte_offset = 500 * sizeof(float);
  EXPECT_FALSE(overlap(left, right));
  right.byte_offset -= 1;
  EXPECT_TRUE(overlap(left, right));
}

TEST(Overlap, EmptyViewsOverlapNothing) {
  float data[4];
  int64_t empty[] = {0}, four[] = {4};
  tessera_dtype f32{TESSERA_FLOAT, 32, 1};
  tessera_view none{data, {1, 0}, 1, f32, empty, nullptr, 0},
      all{data, {1, 0}, 1, f32, four, nullptr, 0};
  EXPECT_FALSE(overlap(none, all));
  EXPECT_FALSE(overlap(all, none));
  EXPECT_TRUE(overlap(all, all));
}
