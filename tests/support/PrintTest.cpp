#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"

using namespace tessera;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr DiagnosticKind wrong{"Wrong", "test.1", Severity::Error, "{0}"};
constexpr DiagnosticKind ruleless{"Ruleless", "", Severity::Warning, "{0}"};

/// One diagnostic about a text, and its printed form.
class PrintDiagnostic : public testing::Test {
protected:
  void about(std::string text) { file.emplace("f.ttl", std::move(text)); }
  Report report(SourceRange range, const char *message = "this is wrong") {
    return engine.report(&*file, range, wrong, message);
  }
  std::string shown(PrintStyle style = {}) {
    std::string text;
    llvm::raw_string_ostream out(text);
    for (const Diagnostic &diagnostic : engine.sorted())
      print(out, diagnostic, style);
    return text;
  }
  std::optional<SourceFile> file;
  DiagnosticEngine engine;
};

} // namespace

TEST_F(PrintDiagnostic, MarksTheRange) {
  about("var int x;\n");
  report({4, 7});
  EXPECT_EQ(shown(), "f.ttl:1:5: error: this is wrong [test.1]\n"
                     "   1 | var int x;\n"
                     "     |     ^~~\n");
}

TEST_F(PrintDiagnostic, MarksAnEmptyRangeWithACaret) {
  about("x\ny z");
  report({4, 4});
  EXPECT_EQ(shown(), "f.ttl:2:3: error: this is wrong [test.1]\n"
                     "   2 | y z\n"
                     "     |   ^\n");
}

TEST_F(PrintDiagnostic, MarksTheEndOfALineAndOfTheFile) {
  about("x\n");
  report({1, 1});
  report({2, 2});
  EXPECT_EQ(shown(), "f.ttl:1:2: error: this is wrong [test.1]\n"
                     "   1 | x\n"
                     "     |  ^\n"
                     "f.ttl:2:1: error: this is wrong [test.1]\n"
                     "   2 | \n"
                     "     | ^\n");
}

TEST_F(PrintDiagnostic, MarksOnlyTheFirstLineOfARange) {
  about("a b\nc d\n");
  report({2, 7});
  EXPECT_EQ(shown(), "f.ttl:1:3: error: this is wrong [test.1]\n"
                     "   1 | a b\n"
                     "     |   ^\n");
}

TEST_F(PrintDiagnostic, LabelsBothSidesOfAMismatch) {
  about("c = left # right;\n");
  report({4, 16}).label({4, 8}, "3 columns").label({11, 16}, "5 rows");
  EXPECT_EQ(shown(), "f.ttl:1:5: error: this is wrong [test.1]\n"
                     "   1 | c = left # right;\n"
                     "     |     ~~~~   ~~~~~ 5 rows\n"
                     "     |     3 columns\n");
}

TEST_F(PrintDiagnostic, ShowsALabelOfAnotherLineThere) {
  about("var x;\nx = y;\n");
  report({7, 8}).label({11, 12}, "a matrix").label({4, 5}, "an int");
  EXPECT_EQ(shown(), "f.ttl:2:1: error: this is wrong [test.1]\n"
                     "   2 | x = y;\n"
                     "     | ~   ~ a matrix\n"
                     "f.ttl:1:5: note: an int\n"
                     "   1 | var x;\n"
                     "     |     ^\n");
}

TEST_F(PrintDiagnostic, KeepsALabelAtItsOwnMark) {
  about("x = m $ 5;\n");
  report({8, 9}).label({4, 5}, "a matrix");
  EXPECT_EQ(shown(), "f.ttl:1:9: error: this is wrong [test.1]\n"
                     "   1 | x = m $ 5;\n"
                     "     |     ~   ~\n"
                     "     |     a matrix\n");
}

TEST_F(PrintDiagnostic, ShowsNotesHintsAndFixes) {
  about("retrun x;\n");
  report({0, 6}).note({7, 8}, "declared here").hint("did you mean it?").fix({0, 6}, "return");
  EXPECT_EQ(shown(), "f.ttl:1:1: error: this is wrong [test.1]\n"
                     "   1 | retrun x;\n"
                     "     | ^~~~~~\n"
                     "     = fix: write `return` instead of `retrun` at 1:1\n"
                     "f.ttl:1:8: note: declared here\n"
                     "   1 | retrun x;\n"
                     "     |        ^\n"
                     "     = note: did you mean it?\n");
}

TEST_F(PrintDiagnostic, InsertsAndRemoves) {
  about("x = 1;;\n");
  report({5, 6}).fix({5, 5}, ")").fix({6, 7}, "");
  EXPECT_THAT(shown(), HasSubstr("     = fix: insert `)` at 1:6\n"
                                 "     = fix: remove `;` at 1:7\n"));
}

TEST_F(PrintDiagnostic, NamesNoFileWithoutOne) {
  engine.report(nullptr, {}, ruleless, "no such option").hint("see `tessera help`");
  EXPECT_EQ(shown(), "tessera: warning: no such option\n"
                     "     = note: see `tessera help`\n");
}

TEST_F(PrintDiagnostic, CutsALongLineAroundTheRange) {
  about(std::string(500, 'a') + "BAD" + std::string(500, 'z'));
  report({500, 503});
  std::string text = shown();
  EXPECT_THAT(text, HasSubstr("f.ttl:1:501: error"));
  EXPECT_THAT(text,
              HasSubstr("   1 | " + std::string(80, 'a') + "BAD" + std::string(77, 'z') + "\n"));
  EXPECT_THAT(text, HasSubstr("     | " + std::string(80, ' ') + "^~~\n"));
}

TEST_F(PrintDiagnostic, CutsALabelThatIsOutOfSight) {
  about(std::string(500, 'a') + "BAD" + std::string(500, 'z'));
  report({500, 503}).label({500, 503}, "here").label({0, 1}, "left").label({900, 901}, "right");
  std::string text = shown();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines)
    EXPECT_LE(line.size(), 200u) << line.str();
}

TEST_F(PrintDiagnostic, EscapesControlCharacters) {
  about("a\tb\033[1m\x7f");
  report({2, 3});
  EXPECT_THAT(shown(), HasSubstr("   1 | a b [1m \n     |   ^\n"));
}

TEST_F(PrintDiagnostic, EscapesControlCharactersInAFix) {
  about("a\033[1m\nb");
  report({0, 1}).fix({1, 6}, "");
  EXPECT_THAT(shown(), Not(HasSubstr("\033")));
}

TEST_F(PrintDiagnostic, IsColoredOnRequest) {
  about("x\n");
  report({0, 1});
  EXPECT_THAT(shown({.color = true}), HasSubstr("\033[1;31merror: "));
  EXPECT_THAT(shown({.color = false}), Not(HasSubstr("\033")));
}

TEST_F(PrintDiagnostic, IsOneObjectPerLineInJson) {
  about("c = left # right;\n");
  report({4, 16}, "say \"no\"")
      .label({4, 8}, "3 columns")
      .note({0, 1}, "declared here")
      .hint("a hint")
      .fix({4, 8}, "other");
  EXPECT_EQ(
      shown({.json = true}),
      R"({"column":5,"endColumn":17,"endLine":1,"file":"f.ttl",)"
      R"("fixits":[{"column":5,"endColumn":9,"endLine":1,"file":"f.ttl","line":1,"replacement":"other"}],)"
      R"("line":1,"message":"say \"no\"",)"
      R"("notes":[{"column":5,"endColumn":9,"endLine":1,"file":"f.ttl","line":1,"message":"3 columns"},)"
      R"({"column":1,"endColumn":2,"endLine":1,"file":"f.ttl","line":1,"message":"declared here"},)"
      R"({"message":"a hint"}],"rule":"test.1","severity":"error"})"
      "\n");
}

TEST_F(PrintDiagnostic, HasNoPositionInJsonWithoutAFile) {
  engine.report(nullptr, {}, ruleless, "no such option");
  EXPECT_EQ(shown({.json = true}),
            "{\"fixits\":[],\"message\":\"no such "
            "option\",\"notes\":[],\"rule\":\"\",\"severity\":\"warning\"}\n");
}

TEST_F(PrintDiagnostic, IsValidJsonWhateverTheTextHolds) {
  about("\xff\xfe\n");
  report({0, 1}, "bad \xff byte").fix({0, 1}, "\xff");
  EXPECT_TRUE(llvm::json::isUTF8(shown({.json = true})));
}

TEST_F(PrintDiagnostic, EscapesInvalidBytes) {
  about("x = \xff\xc3\xa9\xe9;\n");
  report({4, 5}, "`\xff\x01` and `\xc3\xa9` are here");
  EXPECT_EQ(shown(), "f.ttl:1:5: error: `\\xff\\x01` and `\xc3\xa9` are here [test.1]\n"
                     "   1 | x = ?\xc3\xa9?;\n"
                     "     |     ^\n");
  EXPECT_THAT(shown({.json = true}), HasSubstr(R"("`\\xff\\x01` and)"));
}
