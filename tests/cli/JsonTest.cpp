#include "cli/Json.h"
#include "cli/Print.h"
#include "gmock/gmock.h"
#include <cmath>
#include <cstring>

using namespace tessera;
using namespace tessera::cli;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

JsonTensor read(llvm::StringRef text, Scalar element = Scalar::I32) {
  JsonTensor tensor;
  std::optional<JsonProblem> problem = readJson(text, element, tensor);
  EXPECT_FALSE(problem) << problem->text;
  return tensor;
}

template <typename T> std::vector<T> values(llvm::StringRef text, Scalar element) {
  JsonTensor tensor = read(text, element);
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

std::vector<int32_t> ints(llvm::StringRef text) {
  return values<int32_t>(text, Scalar::I32);
}
std::vector<float> floats(llvm::StringRef text) {
  return values<float>(text, Scalar::F32);
}

JsonProblem problem(llvm::StringRef text, Scalar element = Scalar::I32) {
  JsonTensor tensor;
  std::optional<JsonProblem> problem = readJson(text, element, tensor);
  EXPECT_TRUE(problem) << text.str();
  return problem.value_or(JsonProblem());
}

} // namespace

TEST(Json, ReadsScalarsAndArrays) {
  EXPECT_THAT(read(" 3 ").shape, IsEmpty());
  EXPECT_THAT(read("[[1, 2,3],[4,5,6]]").shape, ElementsAre(2, 3));
  EXPECT_THAT(ints("[[1, 2,3],[4,5,6]]"), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Json, EmptyArraysHaveShapes) {
  EXPECT_THAT(read("[]").shape, ElementsAre(0));
  EXPECT_THAT(read("[[], []]").shape, ElementsAre(2, 0));
}

TEST(Json, IntegersAreExactToTheirLimits) {
  EXPECT_THAT(ints("[-2147483648, 2147483647]"), ElementsAre(INT32_MIN, INT32_MAX));
  EXPECT_EQ(problem("2147483648").kind, JsonProblem::OutOfRange);
  EXPECT_EQ(problem("99999999999999999999").kind, JsonProblem::OutOfRange);
}

TEST(Json, LongIntegersAreExact) {
  EXPECT_THAT(values<int64_t>("[9223372036854775807, -9223372036854775808]", Scalar::I64),
              ElementsAre(INT64_MAX, INT64_MIN));
  EXPECT_THAT(values<uint64_t>("[18446744073709551615, 9007199254740993]", Scalar::U64),
              ElementsAre(UINT64_MAX, 9007199254740993u));
  EXPECT_EQ(problem("9223372036854775808", Scalar::I64).kind, JsonProblem::OutOfRange);
  EXPECT_EQ(problem("18446744073709551616", Scalar::U64).kind, JsonProblem::OutOfRange);
}

TEST(Json, EachIntegerTypeHasItsRange) {
  EXPECT_THAT(values<int8_t>("[-128, 127]", Scalar::I8), ElementsAre(-128, 127));
  EXPECT_THAT(values<uint8_t>("[0, 255, -0]", Scalar::U8), ElementsAre(0, 255, 0));
  EXPECT_THAT(values<int16_t>("[-32768, 32767]", Scalar::I16), ElementsAre(-32768, 32767));
  EXPECT_THAT(values<uint16_t>("65535", Scalar::U16), ElementsAre(65535));
  EXPECT_THAT(values<uint32_t>("4294967295", Scalar::U32), ElementsAre(4294967295u));
  for (auto [text, element] : {std::pair("128", Scalar::I8),
                               {"-129", Scalar::I8},
                               {"256", Scalar::U8},
                               {"-1", Scalar::U8},
                               {"32768", Scalar::I16},
                               {"65536", Scalar::U16},
                               {"4294967296", Scalar::U32},
                               {"-1", Scalar::U64}})
    EXPECT_EQ(problem(text, element).kind, JsonProblem::OutOfRange) << text;
  EXPECT_EQ(problem("-", Scalar::U8).kind, JsonProblem::Unreadable);
}

TEST(Json, TruthValuesAreWords) {
  EXPECT_THAT(values<uint8_t>("[true, false]", Scalar::Bool), ElementsAre(1, 0));
  EXPECT_EQ(problem("1", Scalar::Bool).kind, JsonProblem::WrongType);
  EXPECT_EQ(problem("2", Scalar::Bool).kind, JsonProblem::WrongType);
  EXPECT_EQ(problem("1.0", Scalar::Bool).kind, JsonProblem::WrongType);
  EXPECT_EQ(problem("\"true\"", Scalar::Bool).kind, JsonProblem::WrongType);
  EXPECT_EQ(problem("\"true\"", Scalar::Bool).text, "\"true\"");
}

TEST(Json, NumbersWithAPointOrExponentAreNotIntegers) {
  for (const char *text : {"3.5", "3.0", "1e3", "nan", "inf", "true", "null", "\"a\"", "\"nan\""})
    EXPECT_EQ(problem(text).kind, JsonProblem::WrongType) << text;
}

TEST(Json, FloatsTakeIntegersAndSpecialValues) {
  EXPECT_THAT(floats("[1, -2.5, 1e3, .5]"), ElementsAre(1.0f, -2.5f, 1000.0f, 0.5f));
  std::vector<float> special = floats("[nan, \"nan\", inf, -inf, \"-inf\"]");
  EXPECT_TRUE(std::isnan(special[0]) && std::isnan(special[1]));
  EXPECT_THAT(std::vector(special.begin() + 2, special.end()),
              ElementsAre(INFINITY, -INFINITY, -INFINITY));
}

TEST(Json, TinyFloatsAreSubnormalOrZeroAndHugeOnesRejected) {
  EXPECT_THAT(floats("[1e-45, 1e-99, -1e-99]"), ElementsAre(1e-45f, 0.0f, -0.0f));
  EXPECT_EQ(problem("1e39", Scalar::F32).kind, JsonProblem::OutOfRange);
}

TEST(Json, NarrowFloatsAreRoundedToNearestEvenOnce) {
  EXPECT_THAT(values<uint16_t>("[1, 65504, 65519.99, 1e-8, -inf]", Scalar::F16),
              ElementsAre(0x3c00, 0x7bff, 0x7bff, 0, 0xfc00));
  EXPECT_THAT(values<uint16_t>("[1.00048828125, 1.00146484375]", Scalar::F16), // Ties.
              ElementsAre(0x3c00, 0x3c02));
  // Above a tie by less than the precision of a double.
  EXPECT_THAT(values<uint16_t>("1.000488281250000000000001", Scalar::F16), ElementsAre(0x3c01));
  EXPECT_THAT(values<uint16_t>("[1, 3.14159, 1.00390625, inf]", Scalar::BF16),
              ElementsAre(0x3f80, 0x4049, 0x3f80, 0x7f80));
  EXPECT_EQ(problem("65520", Scalar::F16).kind, JsonProblem::OutOfRange);
  EXPECT_EQ(problem("3.4e38", Scalar::BF16).kind, JsonProblem::OutOfRange);
  EXPECT_EQ(problem("1e400", Scalar::F16).kind, JsonProblem::OutOfRange);
}

/// Every number of the two formats, from text to bits.
TEST(Json, NarrowFloatsReadBackWhatIsPrinted) {
  for (Scalar element : {Scalar::F16, Scalar::BF16})
    for (uint32_t bits = 0; bits <= UINT16_MAX; ++bits) {
      uint16_t number = bits;
      if (std::isnan(runtime::loadFloat(dtypeOf(element), &number)))
        continue;
      std::string text = elementText(dtypeOf(element), &number);
      ASSERT_THAT(values<uint16_t>(text, element), ElementsAre(number)) << text;
    }
}

TEST(Json, DoublesKeepTheirPrecision) {
  EXPECT_THAT(values<double>("[0.1, 1e308, 5e-324]", Scalar::F64), ElementsAre(0.1, 1e308, 5e-324));
  EXPECT_EQ(problem("1e309", Scalar::F64).kind, JsonProblem::OutOfRange);
}

TEST(Json, RaggedArraysAreRejectedWhereTheyDiffer) {
  JsonProblem sizes = problem("[[1, 2, 3], [4, 5]]");
  EXPECT_EQ(sizes.offset, 12u);
  EXPECT_EQ(sizes.text, "this array has size 2, but those before it have size 3");
  EXPECT_EQ(problem("[1, [2]]").text, "an array next to a number");
  EXPECT_EQ(problem("[[1], 2]").text, "a number next to an array");
  EXPECT_EQ(problem("[[], [[]]]").kind, JsonProblem::Unreadable);
}

TEST(Json, MalformedTextIsRejectedWithItsPosition) {
  EXPECT_EQ(problem("[1, 2").offset, 5u);
  EXPECT_EQ(problem("[1 2]").text, "expected `,` or `]`");
  EXPECT_EQ(problem("[1, 2] x").offset, 7u);
  EXPECT_EQ(problem("").text, "expected a value, found the end of the text");
  EXPECT_EQ(problem("[1,]").offset, 3u);
  EXPECT_EQ(problem("[[1],]").text, "expected a number or `[`");
  EXPECT_EQ(problem("{\"a\": 1}").text, "expected a number or `[`");
  EXPECT_EQ(problem("[\"nan]").text, "missing quote at the end");
  EXPECT_EQ(problem("12abc").text, "`12abc` is not a number");
}

TEST(Json, DepthIsLimited) {
  EXPECT_THAT(problem(std::string(100000, '[')).text, HasSubstr("more than 32 nested brackets"));
  EXPECT_EQ(read(std::string(32, '[') + "1" + std::string(32, ']')).shape.size(), 32u);
}
