#include "cli/data/Csv.h"
#include "Types.h"
#include "gmock/gmock.h"
#include <atomic>

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Reads `selection` from a file with `text`.
std::string read(llvm::StringRef type, const std::string &text, const std::string &selection = "",
                 const CsvOptions &options = {}) {
  Folder folder;
  return roundTrip(type, "@" + folder.write("t.csv", text) + selection, {0, options});
}

} // namespace

TEST(Csv, ColumnsAndRows) {
  std::string text = "a,b,c\n1,2.5,x\n-3,4,yy\n";
  EXPECT_EQ(read("vec[i64]", text, ":a"), "[1, -3]");
  EXPECT_EQ(read("vec[vec[i8]]", text, ":c"), "[[120], [121, 121]]");
  EXPECT_EQ(read("{vec[f32],vec[i8]}", text, ":b,a"), "[[2.5, 4.0], [1, -3]]");
  EXPECT_EQ(read("vec[{i8,f64,vec[u8]}]", text), "[[1, 2.5, [120]], [-3, 4.0, [121, 121]]]");
  EXPECT_EQ(read("{vec[i64],vec[f64],vec[vec[i8]]}", "a,b,c\n"), "[[], [], []]");
}

TEST(Csv, LineEndsHeadersAndDelimiters) {
  EXPECT_EQ(read("vec[i64]", "a\r\n1\r\n2"), "[1, 2]");
  EXPECT_EQ(read("vec[i64]", "\"a\rb\"\r\n1\r\n"), "[1]");
  EXPECT_EQ(read("vec[i64]",
                 "\xef\xbb\xbf"
                 "a\n1\n",
                 ":a"),
            "[1]");
  EXPECT_EQ(read("vec[{i64,vec[i8]}]", "1;a\r\n2;\r\n", "", {false, ';'}), "[[1, [97]], [2, []]]");
  EXPECT_EQ(read("vec[i64]", "1\t2\n3\t4\n", ":2", {false, '\t'}), "[2, 4]");
  EXPECT_EQ(read("vec[bool]", "a\ntrue\n 0 \n\"1\"\n"), "[true, false, true]");
}

TEST(Csv, OtherSpellingsOfWordsAndSigns) {
  EXPECT_EQ(read("vec[bool]", "a\nTrue\nFALSE\nfalse\n\" TRUE\"\n"), "[true, false, false, true]");
  EXPECT_EQ(read("vec[i64]", "a\n+3\n -4\n"), "[3, -4]");
  EXPECT_EQ(read("vec[u8]", "a\n+255\n"), "[255]");
  EXPECT_EQ(read("vec[f64]", "a\n+.5\n+1e3\n"), "[0.5, 1000.0]");
  for (const char *cell : {"+", "++3", "+-3", "+ 3"})
    EXPECT_THAT(read("vec[i64]", std::string("a\n") + cell + "\n"), HasSubstr("2:1"));
  EXPECT_THAT(read("vec[bool]", "a\nyes\n"), HasSubstr("2:1"));
}

/// With one column, a blank line is a row; with several, blank lines at the end are not.
TEST(Csv, BlankLinesAtTheEnd) {
  EXPECT_EQ(read("vec[{i64,i64}]", "a,b\n1,2\n\n"), "[[1, 2]]");
  EXPECT_EQ(read("vec[{i64,i64}]", "a,b\r\n1,2\r\n\r\n\r\n"), "[[1, 2]]");
  EXPECT_EQ(read("vec[{i64,i64}]", "a,b\n\n"), "[]");
  EXPECT_EQ(read("vec[vec[i8]]", "a\n1\n\n"), "[[49], []]");
  EXPECT_THAT(read("vec[{i64,i64}]", "a,b\n\n1,2\n"), HasSubstr("t.csv:2:1"));
}

TEST(Csv, Quotes) {
  EXPECT_EQ(read("vec[vec[i8]]", "\"a\"\"b\"\n\"1\n2\"\n\"\"\"\"\n\"\"\n", ":\"a\"\"b\""),
            "[[49, 10, 50], [34], []]");
  EXPECT_EQ(read("{vec[vec[i8]],vec[i64]}", "a,\"b,c\"\n\"x,y\",\"7\"\n"),
            "[[[120, 44, 121]], [7]]");
}

// [cli.csv.5]
TEST(Csv, MessagesNameLineColumnAndType) {
  std::string text = "a,price\n1,2.5\n2,cheap\n";
  EXPECT_THAT(read("vec[f64]", text, ":price"),
              AllOf(HasSubstr("parameter `x` is vec[f64]; column `price` is f64; found "),
                    HasSubstr("found `cheap` at "), HasSubstr("t.csv:3:3 [cli.csv.5]"),
                    HasSubstr("the column looks like text, vec[i8]")));
  EXPECT_THAT(
      read("vec[i64]", "a,price\n1,2.5\n2,3\n", ":price"),
      AllOf(HasSubstr("found `2.5` at "), HasSubstr("t.csv:2:3"), HasSubstr("looks like f64")));
  EXPECT_THAT(
      read("vec[i64]", "a,b\n,1\n", ":a"),
      AllOf(HasSubstr("found nothing at "), HasSubstr("t.csv:2:1"), Not(HasSubstr("looks like"))));
  EXPECT_THAT(
      read("vec[i8]", "a\n1\n300\n"),
      AllOf(HasSubstr("found `300` at "), HasSubstr("t.csv:3:1"), HasSubstr("i8: -128 to 127")));
  EXPECT_THAT(read("vec[i8]", "a,b\n\"x\ny\",1\nz,w\n", ":b"), HasSubstr("t.csv:4:3"));
}

// [cli.csv.6]
TEST(Csv, MalformedRows) {
  EXPECT_THAT(read("{vec[i8],vec[i8]}", "a,b\n1,2\n3\n"),
              HasSubstr("t.csv:3:1`: 1 field for 2 columns [cli.csv.6]"));
  EXPECT_THAT(read("vec[i8]", "a,b\n1,2,3,4\n", ":a"), HasSubstr("4 fields for 2"));
  EXPECT_THAT(read("vec[i8]", "a\n\"1\n"), HasSubstr("t.csv:2:1`: an unclosed quote"));
  EXPECT_THAT(read("vec[vec[i8]]", "a\nx\"y\n"), HasSubstr("t.csv:2:2`: a quote inside"));
  EXPECT_THAT(read("vec[vec[i8]]", "a\n\"x\"y\n"), HasSubstr("text after a closing quote"));
  EXPECT_THAT(read("vec[i8]", ""), HasSubstr("no header: the file is empty"));
  EXPECT_THAT(read("vec[i8]", "\"a"), HasSubstr("an unclosed quote"));
  EXPECT_THAT(read("{vec[i8],vec[i8]}", "a,b\r1,2\r"),
              HasSubstr("t.csv:1`: a carriage return without the line feed that ends"));
}

// [cli.csv.1] [cli.csv.2] [cli.csv.3] [cli.csv.4]
TEST(Csv, ColumnsMustExist) {
  std::string text = "price,tax\n1,2\n";
  EXPECT_THAT(read("vec[i64]", text, ":prise"),
              AllOf(HasSubstr("has no column `prise` [cli.csv.2]"), HasSubstr("mean `price`?")));
  EXPECT_THAT(read("vec[i64]", text, ":zzzzzz"), HasSubstr("its columns are price, tax"));
  EXPECT_THAT(read("vec[i64]", text, ":3", {false}), HasSubstr("columns are named 1 to 2"));
  EXPECT_THAT(read("vec[i64]", text),
              AllOf(HasSubstr("is vec[i64], which takes 1 column; "),
                    HasSubstr("has 2 columns: price, tax [cli.csv.4]"), HasSubstr(":NAME`")));
  EXPECT_THAT(read("{vec[i64],vec[i64]}", "price;tax\n1;2\n"),
              HasSubstr("`--delimiter=';'` would separate them"));
  EXPECT_THAT(read("{vec[i64],vec[i64]}", text, ":tax,tax"), HasSubstr("is named twice"));
  EXPECT_THAT(read("vec[i64]", "a,a\n1,2\n", ":a"),
              HasSubstr("is in its header twice [cli.csv.3]"));
  EXPECT_THAT(read("dict[i64,i64]", text), HasSubstr("[cli.csv.1]"));
  EXPECT_THAT(read("{vec[i64],i64}", text), HasSubstr("[cli.csv.1]"));
  EXPECT_THAT(read("vec[{i64,vec[i64]}]", text), HasSubstr("[cli.csv.1]"));
}

/// Several chunks, with line breaks in quotes at their borders, for every number of threads.
TEST(Csv, LargeFilesAreReadInParallel) {
  std::string text = "number,text\n";
  int64_t count = 300000;
  for (int64_t row = 0; row < count; ++row)
    text += std::to_string(row) + ",\"line\n" + std::to_string(row) + "\"\"\"\n";
  Folder folder;
  std::string path = "@" + folder.write("t.csv", text), errors;
  for (unsigned threads : {1, 3}) {
    auto value = valueOf("vec[{i64,vec[i8]}]", path, errors, {0, {true, ',', threads}});
    ASSERT_TRUE(value) << errors;
    struct Row {
      int64_t number;
      tessera_vector text;
    };
    auto *vector = static_cast<tessera_vector *>(value->slot());
    ASSERT_EQ(vector->count, count);
    auto *rows = static_cast<Row *>(vector->data);
    for (int64_t row = 0; row < count; ++row) {
      ASSERT_EQ(rows[row].number, row);
      std::string expected = "line\n" + std::to_string(row) + "\"";
      ASSERT_EQ(llvm::StringRef(static_cast<char *>(rows[row].text.data), rows[row].text.count),
                expected);
    }
  }
  text += "x,y\nz,w\n";
  path = "@" + folder.write("t.csv", text);
  EXPECT_THAT(roundTrip("vec[i64]", path + ":number"), HasSubstr("t.csv:600002:1 [cli.csv.5]"));
}

TEST(Csv, ReportsProgress) {
  std::string text = "a\n";
  while (text.size() < 3 << 20)
    text += "123456\n";
  CsvProblem problem;
  auto csv = CsvText::open(text, {true, ',', 2}, problem);
  ASSERT_TRUE(csv);
  std::vector<std::shared_ptr<const void>> memory;
  std::atomic<size_t> numCalls{0}, last{0}, all{0};
  csv->read({}, memory, [&](size_t done, size_t total) {
    ++numCalls;
    all = total;
    if (done == total)
      last = done;
  });
  EXPECT_GT(all, 1u);
  EXPECT_EQ(numCalls, all);
  EXPECT_EQ(last, all);
}
