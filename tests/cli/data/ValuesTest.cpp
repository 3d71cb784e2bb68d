#include "cli/data/Values.h"
#include "Types.h"
#include "cli/ArrayFile.h"
#include "cli/data/Json.h"
#include "gmock/gmock.h"
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using testing::HasSubstr;

TEST(DataJson, ReadsAnythingByItsType) {
  EXPECT_EQ(roundTrip("i64", "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(roundTrip("u64", "18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(roundTrip("f64", "inf"), "inf");
  EXPECT_EQ(roundTrip("vec[f32]", "[1, \"nan\", -inf, 0.1]"), "[1.0, nan, -inf, 0.1]");
  EXPECT_EQ(roundTrip("vec[bool]", "[true, false, false]"), "[true, false, false]");
  EXPECT_EQ(roundTrip("vec[vec[i8]]", "[[], [1, -2]]"), "[[], [1, -2]]");
  EXPECT_EQ(roundTrip("{i8,vec[{u8,f64}],bool}", "[7, [[1, 2], [3, 4.5]], true]"),
            "[7, [[1, 2.0], [3, 4.5]], true]");
  EXPECT_EQ(roundTrip("vec[{}]", " [ [ ] , [ ] ] "), "[[], []]");
  EXPECT_EQ(roundTrip("{}", "[]"), "[]");
}

TEST(DataJson, ReportsProgress) {
  std::string text = "[0";
  for (int i = 1; i < 1'000'000; ++i)
    text += ",123";
  text += "]";
  Value value(DataType::vector(DataType::scalar(Scalar::I8)));
  std::vector<size_t> places;
  EXPECT_FALSE(readJson(text, value.type, value.slot(), value.memory, [&](size_t done, size_t all) {
    EXPECT_EQ(all, text.size());
    places.push_back(done);
  }));
  EXPECT_EQ(places.size(), text.size() >> 20);
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
}

TEST(DataJson, StringsAreBytes) {
  EXPECT_EQ(roundTrip("vec[i8]", R"("aB\n\"\\")"), "[97, 66, 10, 34, 92]");
  EXPECT_EQ(roundTrip("vec[u8]", R"("\u00e9\ud83d\ude00")"), "[195, 169, 240, 159, 152, 128]");
  EXPECT_EQ(roundTrip("vec[vec[i8]]", R"(["a", "", [1]])"), "[[97], [], [1]]");
  EXPECT_THAT(roundTrip("vec[i8]", R"("\ud83d")"), HasSubstr("not a character"));
  EXPECT_THAT(roundTrip("vec[i8]", R"("\q")"), HasSubstr("unknown escape"));
  EXPECT_THAT(roundTrip("vec[i8]", "\"a"), HasSubstr("missing quote at the end"));
}

TEST(DataJson, DictionariesKeepTheirOrder) {
  EXPECT_EQ(roundTrip("dict[i64,f64]", "[[3, 1], [-1, 2.5]]"), "[[3, 1.0], [-1, 2.5]]");
  EXPECT_EQ(roundTrip("dict[i64,f64]", "[]"), "[]");
  EXPECT_EQ(roundTrip("dict[vec[i8],vec[i32]]", R"([["a", [1]], ["b", []]])"),
            "[[[97], [1]], [[98], []]]");
  EXPECT_EQ(roundTrip("dict[{i8,f64},dict[bool,i8]]", "[[[1, 2], [[true, 3]]]]"),
            "[[[1, 2.0], [[true, 3]]]]");
  EXPECT_THAT(roundTrip("dict[f64,i8]", "[[0.0, 1], [1, 1], [-0.0, 2]]"),
              HasSubstr("parameter `x` is dict[f64,i8]; got the key of entry 2 a second time"));
}

// [cli.value.1] [cli.value.2] [cli.value.3]
TEST(DataJson, MessagesNameThePartThatDoesNotFit) {
  EXPECT_THAT(roundTrip("i64", "1.5"), HasSubstr("parameter `x` is i64; got `1.5` [cli.value.2]"));
  EXPECT_THAT(roundTrip("vec[{i64,f64}]", "[[1, 2], [1.5, 2]]"),
              HasSubstr("parameter `x` is vec[{i64,f64}]; got `1.5` for `x[1].$0`, which is i64, "
                        "at column 11 [cli.value.2]"));
  EXPECT_THAT(roundTrip("vec[{u8,f64}]", "[[256, 2]]"),
              HasSubstr("`256` for `x[0].$0`, which is u8, at column 3 does not fit: 0 to 255"));
  EXPECT_THAT(roundTrip("vec[i64]", "[1, [2]]"), HasSubstr("an array for `x[1]`, which is i64"));
  EXPECT_THAT(roundTrip("vec[i64]", "5"), HasSubstr("is vec[i64]; got `5` [cli.value.2]"));
  EXPECT_THAT(roundTrip("vec[i64]", "t.csv:a"), HasSubstr("to read a file, write `@t.csv:a`"));
  EXPECT_THAT(roundTrip("{i64,i64}", "[1]"), HasSubstr("got an array of 1 field"));
  EXPECT_THAT(roundTrip("vec[{i64,i64}]", "[[1, 2, 3]]"),
              HasSubstr("got an array of 3 or more fields for `x[0]`, which is {i64,i64}"));
  EXPECT_THAT(roundTrip("vec[i64]", "{\"a\": 1}"), HasSubstr("got an object"));
  EXPECT_THAT(roundTrip("dict[i64,i64]", "[[1, 2], [3, \"a\"]]"),
              HasSubstr("`x[1].$1`, which is i64"));
  EXPECT_THAT(roundTrip("vec[i64]", "[1, 2"), HasSubstr("missing `]` at the end"));
  EXPECT_THAT(roundTrip("vec[i64]", "[0, -01]"), HasSubstr("a number with a leading 0: `-01`"));
  EXPECT_THAT(roundTrip("vec[i64]", "[1] 2"), HasSubstr("unexpected text after the value"));
  EXPECT_THAT(roundTrip("vec[i64]", ""), HasSubstr("expected a value, found the end of the text"));
  EXPECT_THAT(roundTrip("vec[i64]", "[1,,2]"),
              HasSubstr("a value is missing before `,` at column 4"));
  EXPECT_THAT(roundTrip("vec[i64]", "[1,]"),
              HasSubstr("a value is missing before `]` at column 4"));
}

TEST(DataValues, GeneratorsMakeVectors) {
  EXPECT_EQ(roundTrip("vec[i64]", "iota:3"), "[0, 1, 2]");
  EXPECT_EQ(roundTrip("vec[vec[f32]]", "ones:2x1"), "[[1.0], [1.0]]");
  EXPECT_EQ(roundTrip("f64", "zeros"), "0.0");
  EXPECT_EQ(roundTrip("vec[vec[i8]]", "rand:0x3"), "[]");
  EXPECT_THAT(roundTrip("vec[i64]", "rand"), HasSubstr("needs a shape here, as in `rand:2`"));
  EXPECT_THAT(roundTrip("vec[i64]", "rand:2x3"), HasSubstr("`rand:2x3` is int64[2, 3]"));
  EXPECT_THAT(roundTrip("{i64,i64}", "rand:2"), HasSubstr("got `rand:2`, an array"));
  EXPECT_THAT(roundTrip("vec[i8]", "iota:129"), HasSubstr("does not fit: -128 to 127"));
}

TEST(DataValues, ReadsArraysOfNumPy) {
  Folder folder;
  Tensor matrix = *Tensor::allocate(Scalar::F64, {2, 3});
  matrix.elements<double>()[4] = 2.5;
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  cli::writeNpy(out, matrix.view());
  std::string path = "@" + folder.write("m.npy", bytes);
  EXPECT_EQ(roundTrip("vec[vec[f64]]", path), "[[0.0, 0.0, 0.0], [0.0, 2.5, 0.0]]");
  EXPECT_THAT(roundTrip("vec[f64]", path), HasSubstr("is float64[2, 3]"));
  EXPECT_THAT(roundTrip("vec[vec[f32]]", path), HasSubstr("it holds float64"));
  EXPECT_THAT(roundTrip("vec[{f64}]", path), HasSubstr("arrays have elements of one scalar type"));
  EXPECT_THAT(roundTrip("vec[f64]", "@" + folder / "none.npy"), HasSubstr("[cli.file.3]"));
}

// NumPy's byte strings, whose trailing zeros do not count.
TEST(DataValues, ReadsTextsOfNumPy) {
  Folder folder;
  std::string header = "{'descr': '|S3', 'fortran_order': False, 'shape': (3,), }";
  std::string bytes = std::string("\x93NUMPY\x01\x00", 8) + char(header.size()) + '\0' + header +
                      std::string("ab\0c\0d\0\0\0", 9);
  std::string path = "@" + folder.write("texts.npy", bytes);
  EXPECT_EQ(roundTrip("vec[vec[i8]]", path), "[[97, 98], [99, 0, 100], []]");
  EXPECT_EQ(roundTrip("vec[vec[u8]]", path), "[[97, 98], [99, 0, 100], []]");
  EXPECT_THAT(roundTrip("vec[i8]", path), HasSubstr("is int8[3, 3]"));
  EXPECT_THAT(roundTrip("vec[i64]", path), HasSubstr("it holds texts (`S3`)"));
}

TEST(DataValues, LargeArraysStayInTheirFile) {
  Folder folder;
  std::string errors, bytes;
  Tensor vector = *Tensor::allocate(Scalar::I64, {100000});
  llvm::raw_string_ostream out(bytes);
  cli::writeNpy(out, vector.view());
  std::string path = folder.write("v.npy", bytes);
  auto value = valueOf("vec[i64]", "@" + path, errors);
  ASSERT_TRUE(value) << errors;
  std::ifstream maps("/proc/self/maps");
  std::stringstream text;
  text << maps.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr(path));
}

// [cli.file.6] [cli.file.8]
TEST(DataValues, ReadsBytesAndJsonFiles) {
  Folder folder;
  std::string path = folder.write("a.json", "[[1, 2],\n [3, x]]");
  EXPECT_EQ(roundTrip("vec[i8]", "@bytes:" + folder.write("b", "hi")), "[104, 105]");
  EXPECT_EQ(roundTrip("vec[u8]", "@bytes:" + folder.write("e", "")), "[]");
  EXPECT_THAT(roundTrip("vec[vec[i64]]", "@" + path), HasSubstr("a.json:2:6"));
  EXPECT_THAT(roundTrip("vec[i64]", "@bytes:" + path), HasSubstr("[cli.file.8]"));
  EXPECT_THAT(roundTrip("vec[i64]", "@a.txt"), HasSubstr("or `@bytes:FILE` [cli.file.6]"));
}

// [cli.file.7]
TEST(DataValues, RejectsFilesLargerThanMemory) {
  Folder folder;
  std::string path = folder.write("large.csv", "a\n");
  // A hole takes no space.
  ASSERT_EQ(truncate(path.c_str(), 2 * physicalMemory()), 0);
  EXPECT_THAT(roundTrip("vec[i64]", "@" + path),
              testing::AllOf(HasSubstr(std::to_string(2 * physicalMemory()) + " bytes"),
                             HasSubstr(std::to_string(physicalMemory()) + " bytes of memory"),
                             HasSubstr("[cli.file.7]")));
}
