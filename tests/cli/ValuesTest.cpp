#include "cli/Values.h"
#include "Captured.h"
#include "cli/ArrayFile.h"
#include "gmock/gmock.h"
#include <set>

using namespace tessera;
using namespace tessera::cli;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

template <typename T> std::vector<T> elements(const Tensor &tensor) {
  auto *first = static_cast<const T *>(tensor.data());
  return std::vector<T>(first, first + tensor.numElements());
}

Tensor read(llvm::StringRef text, const Parameter &parameter, unsigned position = 0,
            uint64_t seed = 0) {
  Captured captured;
  auto value = readValue(text, {parameter, "parameter", position, seed}, captured.terminal);
  EXPECT_TRUE(value) << captured.errors();
  return value ? std::move(*value) : *Tensor::allocate(Scalar::I32, {});
}

std::string errorsOf(llvm::StringRef text, const Parameter &parameter) {
  Captured captured;
  EXPECT_FALSE(readValue(text, {parameter}, captured.terminal));
  return captured.errors();
}

const Parameter anInt = scalar("n", Scalar::I32), aFloat = scalar("x", Scalar::F32);
const Parameter ints = tensor("v", Scalar::I32, {dynamicSize});
const Parameter matrix = tensor("a", Scalar::F32, {2, dynamicSize});

/// The bytes of a file.
std::string npy(std::string type, std::string shape, std::string data,
                std::string fortranOrder = "False") {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + fortranOrder +
                       ", 'shape': (" + shape + "), }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + char(header.size()) + '\0' + header + data;
}

} // namespace

TEST(Values, ReadsScalarsAndTensors) {
  EXPECT_THAT(elements<int32_t>(read("-7", anInt)), ElementsAre(-7));
  EXPECT_THAT(elements<float>(read("3", aFloat)), ElementsAre(3.0f));
  EXPECT_THAT(elements<float>(read("[[1, 2], [3, 4.5]]", matrix)), ElementsAre(1, 2, 3, 4.5));
}

TEST(Values, ViewsDescribeTheTensor) {
  Tensor tensor = read("[[1, 2, 3], [4, 5, 6]]", matrix);
  tessera_view view = tensor.view();
  EXPECT_EQ(view.ndim, 2);
  EXPECT_EQ(view.shape[1], 3);
  EXPECT_EQ(view.dtype.code, TESSERA_FLOAT);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(view.data) % 64, 0u);
}

TEST(Values, GeneratorsFillShapes) {
  EXPECT_THAT(elements<int32_t>(read("iota:3", ints)), ElementsAre(0, 1, 2));
  EXPECT_THAT(elements<float>(read("ones:2x2", matrix)), Each(1.0f));
  EXPECT_THAT(elements<int32_t>(read("zeros:0", ints)), ElementsAre());
  EXPECT_THAT(elements<int32_t>(read("ones", anInt)), ElementsAre(1));
  EXPECT_THAT(read("rand", tensor("b", Scalar::F32, {3, 4})).shape(), ElementsAre(3, 4));
}

TEST(Values, RandomNumbersAreTheSameEverywhere) {
  EXPECT_THAT(elements<int32_t>(read("rand:5", ints)), elements<int32_t>(read("rand:5", ints)));
  std::vector<int32_t> first = elements<int32_t>(read("rand:100", ints, 0, 1));
  EXPECT_NE(first, elements<int32_t>(read("rand:100", ints, 1, 1)));
  EXPECT_NE(first, elements<int32_t>(read("rand:100", ints, 0, 2)));
  EXPECT_THAT(first, Each(testing::AllOf(testing::Ge(0), testing::Le(9))));
  EXPECT_THAT(elements<float>(read("rand:2x500", matrix)),
              Each(testing::AllOf(testing::Ge(-1.0f), testing::Lt(1.0f))));
}

TEST(Values, GeneratorsSupportEveryType) {
  for (Scalar element :
       {Scalar::Bool, Scalar::I8, Scalar::I16, Scalar::I64, Scalar::U8, Scalar::U16, Scalar::U32,
        Scalar::U64, Scalar::F16, Scalar::BF16, Scalar::F64}) {
    Parameter two = tensor("t", element, {2});
    withElement(element, [&]<typename T>(T) {
      EXPECT_THAT(elements<T>(read("ones", two)), ElementsAre(T(1), T(1))) << name(element).str();
      EXPECT_THAT(elements<T>(read("zeros", two)), ElementsAre(T(0), T(0))) << name(element).str();
      EXPECT_THAT(elements<T>(read("iota", two)), ElementsAre(T(0), T(1))) << name(element).str();
      std::set<double> seen;
      for (T value : elements<T>(read("rand", tensor("t", element, {1000}))))
        seen.insert(double(value));
      bool isFloat = kindOf(element) == ScalarKind::Float;
      EXPECT_EQ(*seen.begin() >= (isFloat ? -1 : 0), true);
      EXPECT_EQ(*seen.rbegin() < (isFloat ? 1 : 10), true);
      EXPECT_GE(seen.size(), element == Scalar::Bool ? 2u : 10u) << name(element).str();
    });
  }
}

TEST(Values, IotaStopsAtTheEndOfTheType) {
  for (auto [element, last] : {std::pair(Scalar::Bool, 1),
                               {Scalar::I8, 127},
                               {Scalar::U8, 255},
                               {Scalar::I16, 32767},
                               {Scalar::U16, 65535},
                               {Scalar::F16, 65504}}) {
    Parameter any = tensor("t", element, {dynamicSize});
    std::string most = "iota:" + std::to_string(last + 1),
                more = "iota:" + std::to_string(last + 2);
    EXPECT_EQ(read(most, any).numElements(), last + 1);
    EXPECT_THAT(errorsOf(more, any), HasSubstr("`" + more + "` does not fit: ")) << last;
  }
  EXPECT_EQ(read("iota:0", tensor("t", Scalar::Bool, {dynamicSize})).numElements(), 0);
}

TEST(Values, MessagesNameTheRangeOfTheType) {
  for (auto [element, text, range] :
       {std::tuple(Scalar::I8, "128", "-128 to 127"),
        {Scalar::U16, "-1", "0 to 65535"},
        {Scalar::I64, "9223372036854775808", "-9223372036854775808 to 9223372036854775807"},
        {Scalar::U64, "-1", "0 to 18446744073709551615"},
        {Scalar::F16, "65520", "-65504.0 to 65504.0"},
        {Scalar::BF16, "1e39", "-3.3895314e+38 to 3.3895314e+38"},
        {Scalar::F32, "1e39", "-3.4028235e+38 to 3.4028235e+38"},
        {Scalar::F64, "1e309", "-1.7976931348623157e+308 to 1.7976931348623157e+308"}})
    EXPECT_THAT(errorsOf(text, scalar("s", element)), HasSubstr(range));
}

TEST(Values, WrongTypesNameParameterAndValue) {
  EXPECT_THAT(errorsOf("3.5", anInt), HasSubstr("parameter `n` is int32; got `3.5` [cli.value.2]"));
  EXPECT_THAT(errorsOf("1", scalar("s", Scalar::Bool)),
              HasSubstr("is bool; got `1` [cli.value.2]"));
  EXPECT_THAT(errorsOf("[1, 1e3]", ints), HasSubstr("got `1e3` at column 5"));
  EXPECT_THAT(errorsOf("[\"a\"]", ints), HasSubstr("got `\"a\"` at column 2"));
  EXPECT_THAT(errorsOf("3000000000", anInt),
              HasSubstr("`3000000000` does not fit: -2147483648 to 2147483647 [cli.value.3]"));
}

TEST(Values, WrongShapesNameBothSides) {
  EXPECT_THAT(errorsOf("3", matrix),
              HasSubstr("`a` is float32[2, ?]; `3` is a scalar [cli.value.4]"));
  EXPECT_THAT(errorsOf("[1]", anInt), HasSubstr("`n` is int32; `[1]` is int32[1]"));
  EXPECT_THAT(errorsOf("[[1]]", matrix), HasSubstr("dimension 0 must be 2, not 1 [cli.value.5]"));
  EXPECT_THAT(errorsOf("rand:3x4", matrix), HasSubstr("`rand:3x4` is float32[3, 4]"));
  EXPECT_THAT(errorsOf("rand", matrix), HasSubstr("as in `rand:2x3` [cli.value.6]"));
  EXPECT_THAT(errorsOf("rand:2x-3", matrix), HasSubstr("[cli.value.7]"));
  EXPECT_THAT(errorsOf("zeros:2x9223372036854775807", matrix), HasSubstr("[cli.value.8]"));
}

TEST(Values, UnreadableTextHasAColumn) {
  EXPECT_THAT(errorsOf("[1, 2", ints),
              HasSubstr("missing `]` at the end at column 6 [cli.value.1]"));
}

TEST(Values, JsonFilesHaveLines) {
  Folder folder;
  std::string path = folder.write("v.json", "[1,\n 2.5]");
  EXPECT_THAT(errorsOf("@" + path, ints), HasSubstr("got `2.5` at " + path + ":2:2"));
  EXPECT_THAT(elements<int32_t>(read("@" + folder.write("w.json", "[4]\n"), ints)), ElementsAre(4));
}

TEST(Values, NumPyFilesKeepTheirElements) {
  Folder folder;
  Tensor tensor = read("[[1, 2, 3], [4, 5, 6]]", matrix);
  std::string contents;
  llvm::raw_string_ostream out(contents);
  writeNpy(out, tensor.view());
  Tensor again = read("@" + folder.write("a.npy", contents), matrix);
  EXPECT_THAT(again.shape(), ElementsAre(2, 3));
  EXPECT_THAT(elements<float>(again), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Values, FortranOrderIsTransposed) {
  Folder folder;
  int32_t data[] = {1, 4, 2, 5, 3, 6};
  std::string contents =
      npy("<i4", "2, 3", std::string(reinterpret_cast<char *>(data), sizeof data), "True");
  Parameter parameter = tensor("m", Scalar::I32, {2, 3});
  EXPECT_THAT(elements<int32_t>(read("@" + folder.write("m.npy", contents), parameter)),
              ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Values, NumPyFilesOfOtherTypesAreRejected) {
  Folder folder;
  std::string contents = npy("<i8", "1,", std::string(8, '\0'));
  EXPECT_THAT(errorsOf("@" + folder.write("v.npy", contents), ints),
              HasSubstr("parameter `v` is int32[?]; cannot use"));
  EXPECT_THAT(errorsOf("@" + (folder / "v.npy"), ints), HasSubstr("it holds int64 [cli.file.3]"));
}

TEST(Values, NumPyFilesAreNeverMisread) {
  Folder folder;
  auto errors = [&](std::string contents, Scalar element) {
    return errorsOf("@" + folder.write("v.npy", contents), tensor("v", element, {1}));
  };
  std::string two(2, '\1');
  EXPECT_THAT(errors(npy("<u2", "1,", two), Scalar::F16), HasSubstr("it holds uint16"));
  EXPECT_THAT(errors(npy("<f2", "1,", two), Scalar::BF16), HasSubstr("it holds float16"));
  EXPECT_THAT(errors(npy("<u2", "1,", two), Scalar::I16), HasSubstr("it holds uint16"));
  EXPECT_THAT(errors(npy("|u1", "1,", "\1"), Scalar::Bool), HasSubstr("it holds uint8"));
  EXPECT_THAT(errors(npy(">i2", "1,", two), Scalar::I16),
              HasSubstr("big-endian data (`>i2`) is not supported"));
  EXPECT_THAT(errors(npy("|b1", "1,", "\2"), Scalar::Bool),
              HasSubstr("it holds a bool that is neither 0 nor 1 [cli.file.3]"));
}

TEST(Values, MissingFilesAreReported) {
  EXPECT_THAT(errorsOf("@/nowhere/a.npy", ints), HasSubstr("No such file or directory"));
  EXPECT_THAT(errorsOf("@/nowhere/a.npz:x", ints), HasSubstr("No such file or directory"));
  EXPECT_THAT(errorsOf("@/nowhere/a.json", ints), HasSubstr("No such file or directory"));
  EXPECT_THAT(errorsOf("@a.txt", ints), HasSubstr("[cli.file.4]"));
}
