#include "cli/data/Print.h"
#include "Types.h"
#include "cli/data/Compare.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using testing::HasSubstr;

namespace {

std::unique_ptr<Value> value(llvm::StringRef type, llvm::StringRef text) {
  std::string errors;
  auto read = valueOf(type, text, errors);
  EXPECT_TRUE(read) << errors;
  return read;
}

std::string table(llvm::StringRef type, llvm::StringRef text, TableStyle style = {80, false}) {
  auto read = value(type, text);
  std::string result;
  llvm::raw_string_ostream out(result);
  printTable(out, tabulateTexts(read->type, read->slot()), style);
  return result;
}

std::string csv(llvm::StringRef type, llvm::StringRef text, const CsvOptions &options = {}) {
  auto read = value(type, text);
  std::string result, problem = whyNoCsv(read->type);
  llvm::raw_string_ostream out(result);
  if (!problem.empty() || !printCsv(out, read->type, read->slot(), options, problem))
    return problem;
  return result;
}

std::string difference(llvm::StringRef type, llvm::StringRef actual, llvm::StringRef expected,
                       double rtol = 0, double atol = 0) {
  auto left = value(type, actual), right = value(type, expected);
  auto found = compare(left->type, left->slot(), right->slot(), rtol, atol);
  return found ? found->path + ": " + found->actual + ", expected " + found->expected : "";
}

} // namespace

TEST(DataPrint, JsonIsAbbreviatedAtBothEnds) {
  auto longer = value("vec[{i64,i64}]", "[[1,1],[2,2],[3,3],[4,4],[5,5],[6,6],[7,7],[8,8]]");
  EXPECT_EQ(json(*longer, {.isAbbreviated = true}),
            "[[1, 1], [2, 2], [3, 3], ..., [6, 6], [7, 7], [8, 8]]");
  EXPECT_EQ(countScalars(longer->type, longer->slot(), 1000), 16);
  EXPECT_EQ(countBytes(longer->type, longer->slot()), 16 + 8 * 16);
  auto floats = value("vec[f64]", "[nan, inf, -inf]");
  EXPECT_EQ(json(*floats, {.quotesNonFinite = true}), R"(["nan", "inf", "-inf"])");
}

TEST(DataPrint, TablesHaveFrames) {
  EXPECT_EQ(table("vec[{i64,vec[i8]}]", R"([[1, "a"], [-20, "bcd"]])"), "+-----+-----+\n"
                                                                        "|  $0 | $1  |\n"
                                                                        "+-----+-----+\n"
                                                                        "|   1 | a   |\n"
                                                                        "| -20 | bcd |\n"
                                                                        "+-----+-----+\n");
  EXPECT_THAT(table("dict[{i8,i8},{f64,i64}]", "[[[1, 2], [3, 4]]]"),
              HasSubstr("| key.$0 | key.$1 | value.$0 | value.$1 |"));
  EXPECT_THAT(table("{vec[i64],vec[f32]}", "[[1, 2], [3, 4]]", {80, true}),
              HasSubstr("│  1 │ 3.0 │\n│  2 │ 4.0 │\n"));
  EXPECT_THAT(table("{vec[i64],vec[f32]}", "[[1, 2], []]"), HasSubstr("| [1, 2] | [] |"));
  EXPECT_THAT(table("i64", "7"), HasSubstr("|     7 |"));
  EXPECT_THAT(table("vec[vec[i8]]", R"(["a\u001b[31m\n"])"), HasSubstr("| a\\x1b[31m\\n |"));
}

/// Alike at every depth, with the escape sequences of Weld: the value itself, a cell, and inside of
/// a cell, where quotes separate them.
TEST(DataPrint, TablesShowTexts) {
  EXPECT_THAT(table("vec[i8]", R"("abc")"), HasSubstr("| abc   |"));
  EXPECT_THAT(table("{vec[i8],vec[i8]}", R"(["ab", "cd"])"), HasSubstr("| ab | cd |"));
  EXPECT_THAT(table("vec[vec[vec[i8]]]", R"([["a", "b\"c"]])"), HasSubstr(R"(| ["a", "b\"c"] |)"));
  EXPECT_THAT(table("dict[vec[i8],{i8,vec[vec[u8]]}]", R"([["k", [1, ["v\u0007"]]]])"),
              HasSubstr(R"(| k   |        1 | ["v\x07"] |)"));
  EXPECT_THAT(table("vec[{i32,vec[vec[i8]]}]", R"([[1, ["l\nm\\"]]])"),
              HasSubstr(R"(| ["l\nm\\"] |)"));
  EXPECT_THAT(table("vec[{i32,vec[i8]}]", R"([[1, "l\nm\\"]])"), HasSubstr(R"(| l\nm\\ |)"));
  EXPECT_THAT(table("{vec[vec[i8]],vec[f64]}", R"([["ab"], [1]])"), HasSubstr("| ab | 1.0 |"));
}

TEST(DataPrint, TablesFitTheTerminal) {
  EXPECT_THAT(table("vec[{i64,vec[i8]}]", R"([[12345, "a text of many letters"]])", {24, false}),
              HasSubstr("| 12345 | a text of... |\n"));
  std::string rows = table("vec[i64]", "iota:1000");
  EXPECT_THAT(rows, HasSubstr("|    19 |\n|     : |\n|   980 |\n"));
  EXPECT_THAT(rows, HasSubstr("1000 rows, 1 column\n"));
  std::string wide = table("{i64,i64,i64,i64,i64,i64}", "[10000, 2, 3, 4, 5, 60000]", {30, false});
  EXPECT_THAT(wide, HasSubstr("10000 |"));
  EXPECT_THAT(wide, HasSubstr("60000 |"));
  EXPECT_THAT(wide, HasSubstr("| ... |"));
  EXPECT_THAT(wide, HasSubstr("1 row, 6 columns"));
  for (llvm::StringRef line : llvm::split(wide, '\n'))
    EXPECT_LE(line.size(), 30u);
}

TEST(DataPrint, CsvReadsBack) {
  EXPECT_EQ(csv("vec[{i64,vec[i8]}]", R"([[1, "a,\"b\""], [2, ""]])"),
            "$0,$1\n1,\"a,\"\"b\"\"\"\n2,\n");
  EXPECT_EQ(csv("vec[f64]", "[1, 0.1]", {false}), "1.0\n0.1\n");
  EXPECT_EQ(csv("dict[i64,{i8,i8}]", "[[5, [1, 2]]]", {true, ';'}),
            "key;value.$0;value.$1\n5;1;2\n");
  EXPECT_EQ(csv("{vec[i64],vec[i64]}", "[[1], [2, 3]]"), "its vectors differ in length");
  EXPECT_THAT(csv("vec[vec[i64]]", "[[1]]"), HasSubstr("column `value` would be vec[i64]"));
  EXPECT_EQ(csv("{}", "[]"), "it has no columns");
}

TEST(DataPrint, ArraysAreRectangles) {
  std::string bytes, problem;
  llvm::raw_string_ostream out(bytes);
  auto ragged = value("vec[vec[i16]]", "[[1, 2], [3]]");
  EXPECT_FALSE(writeNpy(out, ragged->type, ragged->slot(), problem));
  EXPECT_EQ(problem, "one of its vectors has 1 elements, the first one 2");
  EXPECT_NE(whyNoNpy(typed("vec[{i64}]")), "");
  EXPECT_EQ(whyNoNpy(typed("i64")), "");
  Folder folder;
  for (auto [type, text] : {std::pair("vec[vec[i16]]", "[[1, 2], [3, 4]]"),
                            {"vec[bool]", "[true]"},
                            {"f64", "2.5"},
                            {"vec[vec[f32]]", "[]"}}) {
    auto array = value(type, text);
    bytes.clear();
    ASSERT_TRUE(writeNpy(out, array->type, array->slot(), problem));
    EXPECT_EQ(roundTrip(type, "@" + folder.write("a.npy", bytes)), json(*array));
  }
}

TEST(DataCompare, NamesTheFirstDifference) {
  EXPECT_EQ(difference("vec[{i64,f64}]", "[[1, 2]]", "[[1, 2]]"), "");
  EXPECT_EQ(difference("vec[{i64,f64}]", "[[1, 2], [1, 3]]", "[[1, 2], [1, 4]]"),
            "[1].$1: 3.0, expected 4.0");
  EXPECT_EQ(difference("f64", "1.05", "1", 0.1), "");
  EXPECT_EQ(difference("vec[f64]", "[nan, inf]", "[nan, inf]"), "");
  EXPECT_EQ(difference("{i8,vec[i8]}", "[1, [1]]", "[1, [1, 2]]"),
            ".$1: 1 element, expected 2 elements");
}

TEST(DataCompare, DictionariesAreComparedByKey) {
  EXPECT_EQ(difference("dict[vec[i8],i64]", R"([["a", 1], ["b", 2]])", R"([["b", 2], ["a", 1]])"),
            "");
  EXPECT_EQ(difference("dict[i64,{i64,f64}]", "[[1, [2, 3]]]", "[[1, [2, 4]]]"),
            "[1].$1: 3.0, expected 4.0");
  EXPECT_EQ(difference("dict[i64,i64]", "[[1, 2]]", "[[3, 2]]"), ": no key 3, expected it");
  EXPECT_EQ(difference("dict[i64,i64]", "[[1, 2]]", "[]"), ": 1 entry, expected 0 entries");
}
