#include "cli/Results.h"
#include "Types.h"
#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::cli;
using namespace tessera::cli::data;
using testing::AllOf;
using testing::HasSubstr;

namespace {

struct Delivered {
  int status;
  std::string out, err;
};

/// A program whose result is `text`.
Delivered deliver(llvm::StringRef type, llvm::StringRef text, std::vector<const char *> options) {
  Captured captured;
  Parameter result{"", Scalar::I32, false, {}};
  result.data = typed(type);
  Signature signature{"main", "main", {}, {result}};
  options.insert(options.begin(), {"run", "a.weld"});
  Invocation invocation = *parseArguments(options, captured.terminal);
  auto plan = planResults(signature, invocation, captured.terminal);
  std::string errors;
  auto value = valueOf(type, text, errors);
  int status =
      plan ? deliverData(signature, value->slot(), *plan, captured.terminal) : int(UsageError);
  errors += captured.errors();
  return {status, captured.outText, errors};
}

std::string printed(llvm::StringRef type, llvm::StringRef text,
                    std::vector<const char *> options = {}) {
  return deliver(type, text, options).out;
}

} // namespace

TEST(DataResults, PrintsJson) {
  EXPECT_EQ(printed("dict[i64,vec[i8]]", "[[1, \"a\"]]"), "[[1, [97]]]\n");
  EXPECT_EQ(printed("vec[i64]", "iota:1001"), "[0, 1, 2, ..., 998, 999, 1000]\n");
  EXPECT_THAT(printed("vec[i64]", "iota:1000"), HasSubstr(" 500,"));
  EXPECT_THAT(printed("vec[i64]", "iota:1001", {"--print=full"}), HasSubstr(" 500,"));
  EXPECT_EQ(printed("{i64,f64}", "[1, nan]", {"--json"}),
            "{\"name\":\"result\",\"type\":\"{i64,f64}\",\"value\":[1, \"nan\"]}\n");
}

TEST(DataResults, PrintsCsvAndTables) {
  EXPECT_EQ(printed("vec[{i64,i64}]", "[[1, 2]]", {"--print=csv"}), "$0,$1\n1,2\n");
  EXPECT_EQ(
      printed("vec[{i64,i64}]", "[[1, 2]]", {"--print=csv", "--no-header", "--delimiter=\\t"}),
      "1\t2\n");
  EXPECT_THAT(printed("vec[i64]", "[1]", {"--print=table"}), HasSubstr("value"));
}

TEST(DataResults, WritesFiles) {
  Folder folder;
  for (const char *name : {"a.npy", "a.csv", "a.json"}) {
    std::string path = folder / name;
    Delivered done = deliver("vec[f64]", "[1, 0.5]", {"-o", path.c_str()});
    EXPECT_EQ(done.status, Success) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_EQ(roundTrip("vec[f64]", "@" + path), "[1.0, 0.5]");
  }
}

// [cli.result.7] [cli.result.8]
TEST(DataResults, RejectsValuesThatAFileCannotContain) {
  Delivered npy = deliver("dict[i64,i64]", "[]", {"-o", "a.npy"});
  EXPECT_EQ(npy.status, UsageError);
  EXPECT_THAT(npy.err,
              HasSubstr("result `result` is dict[i64,i64], which a `.npy` file cannot hold: "
                        "arrays have elements of one scalar type"));
  EXPECT_THAT(deliver("vec[vec[i64]]", "[]", {"--print=csv"}).err, HasSubstr("[cli.result.8]"));
  EXPECT_THAT(
      deliver("vec[i64]", "[]", {"-o", "a.txt"}).err,
      HasSubstr("results are written as `.npy`, `.csv` or `.json`; got `a.txt` [cli.result.7]"));
  Folder folder;
  std::string path = folder / "a.npy";
  Delivered ragged = deliver("vec[vec[i64]]", "[[1], []]", {"-o", path.c_str()});
  EXPECT_EQ(ragged.status, UsageError);
  EXPECT_THAT(ragged.err, HasSubstr("one of its vectors has 0 elements, the first one 1"));
  EXPECT_EQ(folder.numFiles(), 0u);
}

// [cli.result.9]
TEST(DataResults, Expectations) {
  EXPECT_EQ(deliver("vec[f64]", "[1, 2]", {"--expect", "[1, 2.01]", "--rtol=0.1"}).status, Success);
  Delivered differs = deliver("vec[{i64,f64}]", "[[1, 2]]", {"--expect", "result=[[1, 3]]"});
  EXPECT_EQ(differs.status, RuntimeError);
  EXPECT_THAT(
      differs.err,
      HasSubstr("result `result` differs at `result[0].$1`: 2.0, expected 3.0 [cli.result.9]"));
  Delivered unreadable = deliver("vec[i64]", "[1]", {"--expect", "[x]"});
  EXPECT_EQ(unreadable.status, UsageError);
  EXPECT_THAT(unreadable.err, HasSubstr("result `result` is vec[i64]; got `x` for `result[0]`"));
}

// [cli.option.11]
TEST(DataResults, DelimitersAreOneCharacter) {
  for (const char *option : {"--delimiter=ab", "--delimiter=\"", "--delimiter=\n"})
    EXPECT_THAT(deliver("i64", "1", {option}).err, HasSubstr("[cli.option.11]"));
}
