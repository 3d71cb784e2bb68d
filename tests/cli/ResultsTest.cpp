#include "cli/Results.h"
#include "Captured.h"
#include "cli/Values.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace tessera;
using namespace tessera::cli;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

Parameter anyShape(Scalar element, unsigned rank) {
  return {"c", element, rank > 0, llvm::SmallVector<int64_t, 4>(rank, dynamicSize)};
}

Tensor value(llvm::StringRef text, Scalar element, unsigned rank) {
  Captured captured;
  Parameter parameter = anyShape(element, rank);
  return std::move(*readValue(text, {parameter}, captured.terminal));
}

std::string printed(llvm::StringRef text, Scalar element, unsigned rank,
                    PrintForm form = PrintForm::Short, llvm::StringRef name = "") {
  Tensor tensor = value(text, element, rank);
  std::string result;
  llvm::raw_string_ostream out(result);
  printResult(out, name, tensor.view(), form);
  return result;
}

struct Delivered {
  int status;
  std::string out, err;
};

/// Calls with one result `c`, of rank 1.
Delivered deliver(llvm::StringRef text, Scalar element, std::vector<const char *> options) {
  Captured captured;
  Signature signature{"f", "f", {}, {anyShape(element, 1)}};
  options.insert(options.begin(), {"run", "a.ttl"});
  Invocation invocation = *parseArguments(options, captured.terminal);
  auto plan = planResults(signature, invocation, captured.terminal);
  Tensor tensor = value(text, element, 1);
  int status =
      plan ? deliverResults(signature, {tensor.view()}, *plan, captured.terminal) : int(UsageError);
  std::string errors = captured.errors();
  return {status, captured.outText, errors};
}

} // namespace

TEST(PrintResult, NestedArraysAreOnOneLine) {
  EXPECT_EQ(printed("[[1, 2], [3, 4]]", Scalar::I32, 2), "[[1, 2], [3, 4]]\n");
  EXPECT_EQ(printed("7", Scalar::I32, 0, PrintForm::Short, "n"), "n = 7\n");
  EXPECT_EQ(printed("[]", Scalar::I32, 1), "[]\n");
}

TEST(PrintResult, FloatsReadBackAndLookLikeFloats) {
  EXPECT_EQ(printed("[1, 0.1, 16777216, 1e-10, nan, -inf, -0.0]", Scalar::F32, 1),
            "[1.0, 0.1, 16777216.0, 1e-10, nan, -inf, -0.0]\n");
}

TEST(PrintResult, LargeTensorsAreAbbreviatedUnlessFull) {
  EXPECT_THAT(printed("iota:1001", Scalar::I32, 1), HasSubstr("[0, 1, 2, ..., 998, 999, 1000]"));
  EXPECT_THAT(printed("iota:1000", Scalar::I32, 1), Not(HasSubstr("...")));
  EXPECT_THAT(printed("iota:1001", Scalar::I32, 1, PrintForm::Full), Not(HasSubstr("...")));
  EXPECT_THAT(printed("iota:1001", Scalar::I32, 1, PrintForm::Json), Not(HasSubstr("...")));
}

TEST(PrintResult, JsonHasNameTypeShapeAndValue) {
  EXPECT_EQ(printed("[[1.5, nan], [2, 3]]", Scalar::F32, 2, PrintForm::Json, "c"),
            "{\"name\":\"c\",\"type\":\"float32\",\"shape\":[2, 2],"
            "\"value\":[[1.5, \"nan\"], [2.0, 3.0]]}\n");
}

TEST(PrintResult, TablesAlignColumns) {
  EXPECT_EQ(printed("[[1, 20], [300, 4]]", Scalar::I32, 2, PrintForm::Table, "c"),
            "c =\n  1  20\n300   4\n");
  EXPECT_EQ(printed("[[[1]], [[2]]]", Scalar::I32, 3, PrintForm::Table),
            "[0, :, :]\n1\n[1, :, :]\n2\n");
}

TEST(PrintResult, CsvHasCommas) {
  EXPECT_EQ(printed("[[1, 2], [3, 4]]", Scalar::I32, 2, PrintForm::Csv), "1,2\n3,4\n");
  EXPECT_EQ(printed("5", Scalar::I32, 0, PrintForm::Csv), "5\n");
}

TEST(Compare, TolerancesAreRelativeToTheExpectedValue) {
  Tensor actual = value("[1.0, 100.5]", Scalar::F32, 1);
  Tensor expected = value("[1.0, 100]", Scalar::F32, 1);
  EXPECT_EQ(compare(actual.view(), expected.view(), 0, 0).count, 1);
  EXPECT_EQ(compare(actual.view(), expected.view(), 0.01, 0).count, 0);
  EXPECT_EQ(compare(actual.view(), expected.view(), 0, 0.5).count, 0);
}

TEST(Compare, LongIntegersDifferInTheirLastDigit) {
  Tensor actual = value("[18446744073709551615]", Scalar::U64, 1);
  Tensor expected = value("[18446744073709551614]", Scalar::U64, 1);
  Difference difference = compare(actual.view(), expected.view(), 0, 0);
  EXPECT_EQ(difference.count, 1);
  EXPECT_EQ(difference.actual, "18446744073709551615");
  EXPECT_EQ(compare(actual.view(), expected.view(), 0, 1).count, 0);
}

TEST(Compare, NarrowFloatsAndTruthValues) {
  Tensor half = value("[0.1, 65504]", Scalar::F16, 1),
         other = value("[0.1, 65472]", Scalar::F16, 1);
  EXPECT_EQ(compare(half.view(), other.view(), 0, 0).count, 1);
  EXPECT_EQ(compare(half.view(), other.view(), 1e-3, 0).count, 0);
  Tensor yes = value("[true, false]", Scalar::Bool, 1), no = value("[true, true]", Scalar::Bool, 1);
  EXPECT_EQ(compare(yes.view(), no.view(), 0, 0).actual, "false");
}

TEST(Compare, SpecialValuesAgreeOnlyWithThemselves) {
  Tensor actual = value("[nan, inf, 1, inf]", Scalar::F32, 1);
  Tensor expected = value("[nan, inf, inf, nan]", Scalar::F32, 1);
  Difference difference = compare(actual.view(), expected.view(), 1, 1);
  EXPECT_EQ(difference.count, 2);
  EXPECT_THAT(difference.index, ElementsAre(2));
}

TEST(DeliverResults, ASingleResultHasNoName) {
  Delivered delivered = deliver("[1, 2]", Scalar::I32, {});
  EXPECT_EQ(delivered.status, Success);
  EXPECT_EQ(delivered.out, "[1, 2]\n");
}

TEST(DeliverResults, SaysHowTheExpectedValueDiffers) {
  Delivered delivered = deliver("[1, 2, 3]", Scalar::F32, {"--expect", "c=[1, 2.5, 4]"});
  EXPECT_EQ(delivered.status, RuntimeError);
  EXPECT_THAT(delivered.err, HasSubstr("result `c` differs at [1]: 2.0, expected 2.5; 2 of 3 "
                                       "elements differ [cli.result.5]"));
  EXPECT_EQ(deliver("[1, 2]", Scalar::I32, {"--expect=[1, 2]"}).status, Success);
  EXPECT_THAT(deliver("[1, 2]", Scalar::I32, {"--expect=[1]"}).err,
              HasSubstr("result `c` has shape [2], expected [1] [cli.result.6]"));
}

TEST(DeliverResults, ExpectedValuesMustFit) {
  Delivered delivered = deliver("[1]", Scalar::I32, {"--expect", "c=[1.5]"});
  EXPECT_EQ(delivered.status, UsageError);
  EXPECT_THAT(delivered.err, HasSubstr("result `c` is int32[?]; got `1.5` at column 2"));
}

TEST(DeliverResults, FilesReplacePrinting) {
  Folder folder;
  std::string option = "-oc=" + (folder / "c.npy");
  Delivered delivered = deliver("[1, 2]", Scalar::I32, {option.c_str()});
  EXPECT_EQ(delivered.status, Success);
  EXPECT_EQ(delivered.out, "");
  EXPECT_EQ(folder.read("c.npy").size(), 128u + 8u);
  EXPECT_EQ(folder.numFiles(), 1u);
}

TEST(DeliverResults, MistakesAreFoundBeforehand) {
  EXPECT_THAT(deliver("[1]", Scalar::I32, {"-o", "d=d.npy"}).err,
              HasSubstr("`-o` gives `d.npy` for `d`, but `f` has no such result [cli.result.1]"));
  EXPECT_THAT(deliver("[1]", Scalar::I32, {"-o", "c.txt"}).err,
              HasSubstr("got `c.txt` [cli.result.4]"));
  EXPECT_THAT(deliver("[1]", Scalar::I32, {"-o", "c.npy", "-o", "c=d.npy"}).err,
              HasSubstr("`-o` names result `c` twice: `c.npy` and `d.npy` [cli.result.3]"));
}

// [cli.result.10]
TEST(DeliverResults, EachHasAFileOfItsOwn) {
  Captured captured;
  Signature signature{"f", "f", {}, {scalar("a", Scalar::I32), scalar("b", Scalar::I32)}};
  Invocation invocation;
  invocation.given.push_back({Opt::Result, "a=./x.npy"});
  invocation.given.push_back({Opt::Result, "b=x.npy"});
  EXPECT_FALSE(planResults(signature, invocation, captured.terminal));
  EXPECT_THAT(captured.errors(),
              HasSubstr("results `a` and `b` would both be written to `x.npy` [cli.result.10]"));
}

TEST(DeliverResults, SeveralResultsHaveNames) {
  Captured captured;
  Signature signature{"f", "f", {}, {scalar("a", Scalar::I32), scalar("b", Scalar::I32)}};
  Tensor one = value("1", Scalar::I32, 0), two = value("2", Scalar::I32, 0);
  ResultPlan plan = *planResults(signature, Invocation(), captured.terminal);
  EXPECT_EQ(deliverResults(signature, {one.view(), two.view()}, plan, captured.terminal), Success);
  EXPECT_EQ(captured.outText, "a = 1\nb = 2\n");

  Invocation invocation;
  invocation.given.push_back({Opt::Expect, "3"});
  EXPECT_FALSE(planResults(signature, invocation, captured.terminal));
  EXPECT_THAT(captured.errors(), HasSubstr("`f` has 2 results; `3` needs a name: "
                                           "`--expect NAME=...` [cli.result.2]"));
}
