#include "runtime/Format.h"
#include "runtime/Float.h"
#include "runtime/Generated.h"
#include <clocale>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace tessera::runtime;

namespace {

constexpr tessera_dtype f16{TESSERA_FLOAT, 16, 1}, bf16{TESSERA_BFLOAT, 16, 1},
    f32{TESSERA_FLOAT, 32, 1}, f64{TESSERA_FLOAT, 64, 1}, i32{TESSERA_INT, 32, 1};

Sink into(std::string &text) {
  return {[](void *text, const char *piece, size_t size) {
            static_cast<std::string *>(text)->append(piece, size);
          },
          &text};
}

template <typename T>
std::string element(tessera_dtype dtype, T value, FormatOptions options = {}) {
  std::string text;
  formatElement(into(text), dtype, &value, options);
  return text;
}

std::string single(float value) {
  return element(f32, value);
}
std::string twice(double value) {
  return element(f64, value);
}

std::string tensor(tessera_dtype dtype, std::vector<int64_t> shape, const void *data,
                   FormatOptions options = {}, int64_t *strides = nullptr) {
  std::string text;
  tessera_view view{
      const_cast<void *>(data), {1, 0}, int32_t(shape.size()), dtype, shape.data(), strides, 0};
  formatView(into(text), view, options);
  return text;
}

TEST(Format, WritesIntegersOfEveryWidth) {
  EXPECT_EQ(element({TESSERA_INT, 8, 1}, int8_t(-128)), "-128");
  EXPECT_EQ(element({TESSERA_INT, 16, 1}, int16_t(-32768)), "-32768");
  EXPECT_EQ(element(i32, INT32_MIN), "-2147483648");
  EXPECT_EQ(element({TESSERA_INT, 64, 1}, INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(element({TESSERA_UINT, 8, 1}, uint8_t(255)), "255");
  EXPECT_EQ(element({TESSERA_UINT, 16, 1}, uint16_t(65535)), "65535");
  EXPECT_EQ(element({TESSERA_UINT, 32, 1}, UINT32_MAX), "4294967295");
  EXPECT_EQ(element({TESSERA_UINT, 64, 1}, UINT64_MAX), "18446744073709551615");
}

TEST(Format, WritesBools) {
  EXPECT_EQ(element({TESSERA_BOOL, 8, 1}, char(1)), "true");
  EXPECT_EQ(element({TESSERA_BOOL, 8, 1}, char(0)), "false");
}

TEST(Format, FloatsLookLikeFloats) {
  EXPECT_EQ(single(2), "2.0");
  EXPECT_EQ(single(-0.0f), "-0.0");
  EXPECT_EQ(single(100), "100.0");
  EXPECT_EQ(single(16777216), "16777216.0");
  EXPECT_EQ(twice(1e15), "1000000000000000.0");
  EXPECT_EQ(twice(1e16), "1e+16");
  EXPECT_EQ(twice(1.5e300), "1.5e+300");
  EXPECT_EQ(single(0.0001f), "0.0001");
  EXPECT_EQ(single(0.00001f), "1e-05");
  EXPECT_EQ(twice(1.25e-7), "1.25e-07");
}

TEST(Format, FloatsHaveTheFewestDigits) {
  EXPECT_EQ(single(0.1f), "0.1");
  EXPECT_EQ(single(1.0f / 3), "0.33333334");
  EXPECT_EQ(single(3.4028235e38f), "3.4028235e+38");
  EXPECT_EQ(single(std::numeric_limits<float>::denorm_min()), "1e-45");
  EXPECT_EQ(twice(0.1), "0.1");
  EXPECT_EQ(twice(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(twice(5e-324), "5e-324");
  EXPECT_EQ(twice(123456.789), "123456.789");
}

TEST(Format, NonFiniteFloatsHaveNames) {
  EXPECT_EQ(single(NAN), "nan");
  EXPECT_EQ(single(-NAN), "nan");
  EXPECT_EQ(single(INFINITY), "inf");
  EXPECT_EQ(twice(-INFINITY), "-inf");
  EXPECT_EQ(element(f32, -INFINITY, {.quoteNonFinite = true}), "\"-inf\"");
  EXPECT_EQ(element(f32, NAN, {.quoteNonFinite = true}), "\"nan\"");
}

TEST(Format, NarrowFloatsHaveTheFewestDigits) {
  EXPECT_EQ(element(f16, uint16_t(0x3c00)), "1.0");
  EXPECT_EQ(element(f16, uint16_t(0x2e66)), "0.1");
  EXPECT_EQ(element(f16, uint16_t(0x7bff)), "65500.0");
  EXPECT_EQ(element(f16, uint16_t(0x0001)), "6e-08");
  EXPECT_EQ(element(f16, uint16_t(0xfc00)), "-inf");
  EXPECT_EQ(element(bf16, uint16_t(0x3dcd)), "0.1");
  EXPECT_EQ(element(bf16, uint16_t(0x4049)), "3.14");
  EXPECT_EQ(element(bf16, uint16_t(0x7fc0)), "nan");
}

TEST(Format, WritesComplexNumbersAsPairs) {
  float value[2] = {1.5f, -2};
  std::string text;
  formatElement(into(text), {TESSERA_COMPLEX, 64, 1}, value);
  EXPECT_EQ(text, "[1.5, -2.0]");
}

TEST(Format, FloatsReadBack) {
  std::mt19937_64 random(1);
  for (int turn = 0; turn < 20000; ++turn) {
    uint32_t bits = random();
    float value;
    memcpy(&value, &bits, 4);
    if (std::isfinite(value))
      ASSERT_EQ(strtof(single(value).c_str(), nullptr), value);
    uint64_t wide = random();
    double number;
    memcpy(&number, &wide, 8);
    if (std::isfinite(number))
      ASSERT_EQ(strtod(twice(number).c_str(), nullptr), number);
  }
}

TEST(Format, EveryNarrowFloatReadsBack) {
  for (uint32_t bits = 0; bits < 65536; ++bits)
    for (tessera_dtype dtype : {f16, bf16}) {
      uint16_t value = bits, back;
      if (std::isnan(loadFloat(dtype, &value)))
        continue;
      storeFloat(dtype, strtod(element(dtype, value).c_str(), nullptr), &back);
      ASSERT_EQ(value, back);
    }
}

TEST(Float, RoundsToNearestEven) {
  auto half = [](double value) {
    uint16_t bits;
    storeFloat(f16, value, &bits);
    return bits;
  };
  EXPECT_EQ(half(1 + 0x1p-11), 0x3c00);
  EXPECT_EQ(half(1 + 3 * 0x1p-11), 0x3c02);
  EXPECT_EQ(half(65519), 0x7bff);
  EXPECT_EQ(half(65520), 0x7c00);
  EXPECT_EQ(half(1e300), 0x7c00);
  EXPECT_EQ(half(0x1p-25), 0);
  EXPECT_EQ(half(-0.0), 0x8000);
}

TEST(Format, NestsArrays) {
  int values[] = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(tensor(i32, {2, 3}, values), "[[1, 2, 3], [4, 5, 6]]");
  EXPECT_EQ(tensor(i32, {6}, values), "[1, 2, 3, 4, 5, 6]");
  EXPECT_EQ(tensor(i32, {}, values), "1");
  EXPECT_EQ(tensor(i32, {0}, values), "[]");
  EXPECT_EQ(tensor(i32, {2, 0}, values), "[[], []]");
  EXPECT_EQ(tensor(i32, {1, 1, 2}, values), "[[[1, 2]]]");
}

TEST(Format, FollowsStrides) {
  int values[] = {1, 2, 3, 4, 5, 6};
  int64_t strides[] = {1, 2};
  EXPECT_EQ(tensor(i32, {2, 3}, values, {}, strides), "[[1, 3, 5], [2, 4, 6]]");
}

TEST(Format, AbbreviatesLargeTensors) {
  std::vector<int> values(2000);
  std::iota(values.begin(), values.end(), 0);
  EXPECT_EQ(tensor(i32, {1001}, values.data()), "[0, 1, 2, ..., 998, 999, 1000]");
  EXPECT_EQ(tensor(i32, {2, 1000}, values.data()),
            "[[0, 1, 2, ..., 997, 998, 999], [1000, 1001, 1002, ..., 1997, 1998, 1999]]");
  EXPECT_EQ(tensor(i32, {1000}, values.data()).find("..."), std::string::npos);
  EXPECT_EQ(tensor(i32, {2000}, values.data(), {.abbreviateAbove = -1}).find("..."),
            std::string::npos);
  std::string rows = tensor(i32, {1000, 2}, values.data());
  EXPECT_EQ(rows, "[[0, 1], [2, 3], [4, 5], ..., [1994, 1995], [1996, 1997], [1998, 1999]]");
}

TEST(Print, WritesLines) {
  testing::internal::CaptureStdout();
  tessera_rt_print_int(-7);
  tessera_rt_print_float(2);
  float values[] = {0, 1.5f, 2, 3.5f};
  int64_t descriptor[] = {(int64_t)values, (int64_t)values, 1, 3, 1};
  tessera_unranked matrix{1, descriptor};
  _mlir_ciface_tessera_rt_print_floats(&matrix);
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "-7\n2.0\n[1.5, 2.0, 3.5]\n");
}

} // namespace
