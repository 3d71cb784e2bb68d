#include "runtime/Npy.h"
#include "runtime/View.h"
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tessera::runtime;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

constexpr tessera_dtype f32{TESSERA_FLOAT, 32, 1};

/// A folder of its own.
class NpyTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/tessera-npy-XXXXXX";
    folder = mkdtemp(name);
  }
  void TearDown() override {
    releaseNpy(array);
    fs::remove_all(folder);
  }

  std::string path(const char *name = "a.npy") { return folder + "/" + name; }

  void store(const std::string &bytes) {
    std::ofstream(path(), std::ios::binary).write(bytes.data(), bytes.size());
  }

  /// A version 1 file with this dictionary and data.
  void storeWith(const std::string &dictionary, const std::string &data) {
    std::string length{char(dictionary.size()), char(dictionary.size() >> 8)};
    store(std::string("\x93NUMPY\x01\x00", 8) + length + dictionary + data);
  }

  bool read() { return readNpy(path().c_str(), array, message); }

  void expectError(const char *text) {
    EXPECT_FALSE(read());
    EXPECT_THAT(message.text, HasSubstr(path() + ": "));
    EXPECT_THAT(message.text, HasSubstr(text));
    EXPECT_EQ(array.data, nullptr);
  }

  /// Row-major or, if `isFortran` says so, column-major.
  void write(tessera_dtype dtype, const std::vector<int64_t> &shape, const void *data,
             const char *isFortran = "False") {
    std::string sizes;
    int64_t count = 1;
    for (int64_t size : shape) {
      sizes += std::to_string(size) + ",";
      count *= size;
    }
    storeWith("{'descr': '" + std::string(npyTypeOf(dtype).text) +
                  "', 'fortran_order': " + isFortran + ", 'shape': (" + sizes + "), }\n",
              std::string(static_cast<const char *>(data), count * elementBytes(dtype)));
  }

  std::string folder;
  NpyArray array;
  Message message;
  float values[6] = {1, 2, 3, 4, 5, 6};
};

TEST_F(NpyTest, ReadsEveryType) {
  std::string bytes(96, 'x');
  for (auto [code, bits] : std::vector<std::pair<int, int>>{{TESSERA_BOOL, 8},
                                                            {TESSERA_INT, 8},
                                                            {TESSERA_INT, 16},
                                                            {TESSERA_INT, 32},
                                                            {TESSERA_INT, 64},
                                                            {TESSERA_UINT, 8},
                                                            {TESSERA_UINT, 16},
                                                            {TESSERA_UINT, 32},
                                                            {TESSERA_UINT, 64},
                                                            {TESSERA_FLOAT, 16},
                                                            {TESSERA_FLOAT, 32},
                                                            {TESSERA_FLOAT, 64},
                                                            {TESSERA_COMPLEX, 64},
                                                            {TESSERA_COMPLEX, 128}}) {
    tessera_dtype dtype{uint8_t(code), uint8_t(bits), 1};
    write(dtype, {2, 3}, bytes.data());
    ASSERT_TRUE(read()) << message.text;
    EXPECT_TRUE(array.dtype == dtype) << nameOf(dtype).text;
    EXPECT_EQ(array.ndim, 2);
    EXPECT_EQ(array.shape[1], 3);
    EXPECT_FALSE(array.fortranOrder);
    EXPECT_EQ(memcmp(array.data, bytes.data(), 6 * bits / 8), 0);
    releaseNpy(array);
  }
}

TEST_F(NpyTest, BfloatIsRawBits) {
  uint16_t bits[] = {0x3f80, 0x4000};
  write({TESSERA_BFLOAT, 16, 1}, {2}, bits);
  ASSERT_TRUE(read());
  EXPECT_EQ(array.dtype.code, TESSERA_UINT);
  EXPECT_EQ(static_cast<uint16_t *>(array.data)[1], 0x4000);
}

TEST_F(NpyTest, KeepsScalarsAndEmptyArrays) {
  write(f32, {}, values);
  ASSERT_TRUE(read());
  EXPECT_EQ(array.ndim, 0);
  EXPECT_EQ(*static_cast<float *>(array.data), 1);
  releaseNpy(array);
  write(f32, {3, 0, 5}, values);
  ASSERT_TRUE(read());
  EXPECT_EQ(array.shape[2], 5);
  EXPECT_EQ(array.dataBytes, 0);
}

TEST_F(NpyTest, KeepsColumnMajorArrays) {
  write(f32, {2, 3}, values, "True");
  ASSERT_TRUE(read());
  EXPECT_TRUE(array.fortranOrder);
  EXPECT_THAT(array.strides, testing::AllOf(testing::Contains(1), testing::Contains(2)));
  EXPECT_EQ(static_cast<float *>(array.data)[1], 2);
}

TEST_F(NpyTest, WritingToAnArrayLeavesItsFile) {
  write(f32, {6}, values);
  ASSERT_TRUE(read());
  EXPECT_NE(array.mapping, nullptr);
  *static_cast<float *>(array.data) = 99;
  releaseNpy(array);
  ASSERT_TRUE(read());
  EXPECT_EQ(*static_cast<float *>(array.data), 1);
}

TEST_F(NpyTest, ReadsVersions2And3) {
  std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
  for (char version : {2, 3}) {
    std::string length{char(dictionary.size()), 0, 0, 0};
    store(std::string("\x93NUMPY") + version + std::string(1, 0) + length + dictionary + "abcd");
    ASSERT_TRUE(read()) << message.text;
    EXPECT_EQ(array.shape[0], 1);
    EXPECT_EQ(memcmp(array.data, "abcd", 4), 0);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data) % 4, 0u);
    releaseNpy(array);
  }
}

TEST_F(NpyTest, ReadsHeadersInAnyOrder) {
  storeWith("{\"shape\":(2L,1),\"fortran_order\":True,\"descr\":\"|i1\"}", "ab");
  ASSERT_TRUE(read()) << message.text;
  EXPECT_EQ(array.shape[0], 2);
  EXPECT_TRUE(array.fortranOrder);
  releaseNpy(array);
  storeWith("{'descr': '>u1', 'fortran_order': False, 'shape': ()}", "a");
  EXPECT_TRUE(read()) << message.text;
}

TEST_F(NpyTest, ReadsPipes) {
  write(f32, {6}, values);
  std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ifstream in(path(), std::ios::binary);
    std::ofstream(pipe, std::ios::binary) << in.rdbuf();
  });
  EXPECT_TRUE(readNpy(pipe.c_str(), array, message)) << message.text;
  writer.join();
  EXPECT_EQ(static_cast<float *>(array.data)[5], 6);
}

TEST_F(NpyTest, RejectsOtherFiles) {
  store("");
  expectError("not an .npy file (it is empty)");
  store("PK\x03\x04 and so on");
  expectError("not an .npy file");
  store(std::string("\x93NUMPY\x04\x00\x10\x00", 10));
  expectError("a version of the .npy format other than 1, 2 and 3");
}

TEST_F(NpyTest, RejectsTruncatedAndOversizedFiles) {
  for (int size : {6, 7, 9})
    store(std::string("\x93NUMPY\x01\x00\xff", 9).substr(0, size)), expectError("truncated");
  store(std::string("\x93NUMPY\x02\x00\x01\x00", 10));
  expectError("truncated: the file ends in its header");
  store(std::string("\x93NUMPY\x01\x00\xff\xff{'descr'", 18));
  expectError("truncated: the file ends in its header");
  std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  storeWith(dictionary, std::string(23, 0));
  expectError("truncated: 23 bytes of data, expected 24");
  storeWith(dictionary, std::string(25, 0));
  expectError("trailing bytes: 25 bytes of data, expected 24");
}

// NumPy's byte strings: padded with zeros.
TEST_F(NpyTest, ReadsTextsAsBytesAlongALastDimension) {
  auto storeTexts = [&](const char *order, const char *shape) {
    storeWith(std::string("{'descr': '|S3', 'fortran_order': ") + order + ", 'shape': " + shape +
                  ", }",
              std::string("ab\0cde", 6));
  };
  for (const char *order : {"False", "True"}) {
    storeTexts(order, "(2,)");
    ASSERT_TRUE(read()) << message.text;
    EXPECT_TRUE(array.isText);
    EXPECT_EQ(std::vector(array.shape, array.shape + array.ndim), (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(static_cast<char *>(array.data)[array.strides[0]], 'c');
    releaseNpy(array);
  }
  storeTexts("True", "(1, 2)");
  expectError("texts in column-major order");
  storeWith("{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }", "1234");
  expectError("texts are bytes, `array.astype('S')`");
}

TEST_F(NpyTest, RejectsElementTypes) {
  auto storeType = [&](const char *type) {
    storeWith("{'descr': " + std::string(type) + ", 'fortran_order': False, 'shape': (1,), }",
              "12345678");
  };
  storeType("'>f4'");
  expectError("big-endian data (`>f4`) is not supported");
  for (const char *type : {"'|O'", "'<U3'", "'|S'", "'|S0'", "'|S8x'", "'<M8[ns]'", "'|V8'",
                           "'<f16'", "'<f3'", "'<i'", "''", "'<'", "'b2'", "'<c4'"}) {
    storeType(type);
    expectError("is not supported");
  }
  storeType("[('x', '<f4'), ('y', '<f4')]");
  expectError("structured element types are not supported");
}

TEST_F(NpyTest, RejectsMalformedHeaders) {
  for (const char *dictionary :
       {"", "{", "{}", "[]", "{'descr'}", "{'descr': '<f4'}", "{'descr': '<f4",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}",
        "{'descr': '<f4', 'fortran_order': False 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()} more"}) {
    storeWith(dictionary, "1234");
    EXPECT_FALSE(read()) << dictionary;
    EXPECT_THAT(message.text, HasSubstr(": malformed header: ")) << dictionary;
  }
}

TEST_F(NpyTest, RejectsImpossibleShapes) {
  auto storeShape = [&](const std::string &shape) {
    storeWith("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}", "");
  };
  storeShape("(4294967296, 4294967296)");
  expectError("more elements than memory can hold");
  storeShape("(99999999999999999999,)");
  expectError("a size in the shape is too large");
  std::string many = "(";
  for (int dim = 0; dim < 33; ++dim)
    many += "1,";
  storeShape(many + ")");
  expectError("more than 32 dimensions");
}

TEST_F(NpyTest, ReportsErrorsOfTheSystem) {
  expectError("cannot read: No such file or directory");
  fs::create_directory(path());
  expectError("is a directory");
}

TEST_F(NpyTest, ReportsMissingPermissions) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may do everything";
  write(f32, {6}, values);
  chmod(path().c_str(), 0);
  expectError("cannot read: Permission denied");
}

TEST_F(NpyTest, AgreesWithNumPy) {
  if (system("/usr/bin/python3 -c 'import numpy' 2>/dev/null"))
    GTEST_SKIP() << "no NumPy";
  write(f32, {2, 3}, values, "True");
  std::string script =
      "cd " + folder +
      " && /usr/bin/python3 -c \"import numpy as n; a = n.load('a.npy');"
      "assert a.shape == (2, 3) and a.dtype == 'f4' and a[0].tolist() == [1, 3, 5];"
      "n.save('a.npy', n.arange(6, dtype='c16').reshape(3, 2) * 1j)\"";
  ASSERT_EQ(system(script.c_str()), 0);
  ASSERT_TRUE(read()) << message.text;
  EXPECT_EQ(array.dtype.bits, 128);
  EXPECT_EQ(static_cast<double *>(array.data)[11], 5);
}

} // namespace
