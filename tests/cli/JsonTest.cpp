#include "cli/Json.h"
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

std::vector<float> floats(llvm::StringRef text) {
  JsonTensor tensor = read(text, Scalar::F32);
  std::vector<float> values(tensor.words.size());
  memcpy(values.data(), tensor.words.data(), 4 * values.size());
  return values;
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
  EXPECT_THAT(read("[[1, 2,3],[4,5,6]]").words, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Json, EmptyArraysHaveShapes) {
  EXPECT_THAT(read("[]").shape, ElementsAre(0));
  EXPECT_THAT(read("[[], []]").shape, ElementsAre(2, 0));
}

TEST(Json, IntegersAreExactToTheirLimits) {
  EXPECT_THAT(read("[-2147483648, 2147483647]").words, ElementsAre(0x80000000u, 0x7fffffffu));
  EXPECT_EQ(problem("2147483648").kind, JsonProblem::OutOfRange);
  EXPECT_EQ(problem("99999999999999999999").kind, JsonProblem::OutOfRange);
}

TEST(Json, NumbersWithAPointOrExponentAreNoIntegers) {
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

TEST(Json, TinyFloatsAreDenormalOrZeroAndHugeOnesRefused) {
  EXPECT_THAT(floats("[1e-45, 1e-99, -1e-99]"), ElementsAre(1e-45f, 0.0f, -0.0f));
  EXPECT_EQ(problem("1e39", Scalar::F32).kind, JsonProblem::OutOfRange);
}

TEST(Json, RaggedArraysAreRefusedWhereTheyDiffer) {
  JsonProblem sizes = problem("[[1, 2, 3], [4, 5]]");
  EXPECT_EQ(sizes.offset, 12u);
  EXPECT_EQ(sizes.text, "this array has size 2, those before it size 3");
  EXPECT_EQ(problem("[1, [2]]").text, "an array beside a number");
  EXPECT_EQ(problem("[[1], 2]").text, "a number beside an array");
  EXPECT_EQ(problem("[[], [[]]]").kind, JsonProblem::Unreadable);
}

TEST(Json, MalformedTextIsRefusedWithItsPlace) {
  EXPECT_EQ(problem("[1, 2").offset, 5u);
  EXPECT_EQ(problem("[1 2]").text, "expected `,` or `]`");
  EXPECT_EQ(problem("[1, 2] x").offset, 7u);
  EXPECT_EQ(problem("").text, "the text ends where a value should be");
  EXPECT_EQ(problem("[1,]").offset, 3u);
  EXPECT_EQ(problem("{\"a\": 1}").text, "expected a number or `[`");
  EXPECT_EQ(problem("[\"nan]").text, "a quote is missing at the end");
  EXPECT_EQ(problem("12abc").text, "`12abc` is not a number");
}

TEST(Json, DepthIsLimited) {
  EXPECT_THAT(problem(std::string(100000, '[')).text, HasSubstr("more than 32 brackets"));
  EXPECT_EQ(read(std::string(32, '[') + "1" + std::string(32, ']')).shape.size(), 32u);
}
