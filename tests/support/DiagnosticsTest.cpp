#include "support/Diagnostics.h"
#include "gmock/gmock.h"

using namespace tessera;
using testing::ElementsAre;
using testing::SizeIs;

namespace {

constexpr DiagnosticKind wrong{"Wrong", "test.1", Severity::Error, "{0} is wrong"};
constexpr DiagnosticKind odd{"Odd", "test.2", Severity::Warning, "odd"};

class Diagnostics : public testing::Test {
protected:
  std::vector<std::string> messages(DiagnosticEngine &engine) {
    std::vector<std::string> result;
    for (const Diagnostic &diagnostic : engine.sorted())
      result.push_back(diagnostic.message);
    return result;
  }
  SourceFile file{"f.ttl", "one two three\n"};
};

} // namespace

TEST_F(Diagnostics, PutValuesIntoTheirMessage) {
  DiagnosticEngine engine;
  engine.report(&file, {0, 3}, wrong, "this");
  EXPECT_THAT(messages(engine), ElementsAre("this is wrong"));
}

TEST_F(Diagnostics, ComeInTheOrderOfTheirPositions) {
  DiagnosticEngine engine;
  engine.report(&file, {8, 13}, wrong, "late");
  engine.report(&file, {0, 7}, wrong, "long");
  engine.report(&file, {0, 3}, wrong, "early");
  engine.report(&file, {0, 3}, wrong, "second");
  EXPECT_THAT(messages(engine),
              ElementsAre("early is wrong", "second is wrong", "long is wrong", "late is wrong"));
}

TEST_F(Diagnostics, AreSortedAgainWhenOneIsAdded) {
  DiagnosticEngine engine;
  engine.report(&file, {8, 13}, wrong, "late");
  EXPECT_THAT(engine.sorted(), SizeIs(1));
  engine.report(&file, {0, 3}, wrong, "early");
  EXPECT_THAT(messages(engine), ElementsAre("early is wrong", "late is wrong"));
}

TEST_F(Diagnostics, AWarningIsNotAnError) {
  DiagnosticEngine engine;
  engine.report(&file, {0, 3}, odd);
  EXPECT_FALSE(engine.hasErrors());
  EXPECT_EQ(engine.sorted().front().severity, Severity::Warning);
}

TEST_F(Diagnostics, AWarningIsAnErrorOnRequest) {
  DiagnosticEngine engine(/*warningsAreErrors=*/true);
  engine.report(&file, {0, 3}, odd);
  EXPECT_TRUE(engine.hasErrors());
  EXPECT_EQ(engine.sorted().front().severity, Severity::Error);
}

TEST_F(Diagnostics, StopAtAHundredErrors) {
  DiagnosticEngine engine;
  for (int i = 0; i < 150; ++i)
    engine.report(&file, {0, 3}, wrong, i).label({0, 1}, "label").note({0, 1}, "note").hint("hint");
  EXPECT_TRUE(engine.hasErrors());
  EXPECT_THAT(engine.sorted(), SizeIs(100));
}

TEST_F(Diagnostics, AreAllKeptOnRequest) {
  DiagnosticEngine engine(/*warningsAreErrors=*/false, /*keepsAll=*/true);
  for (int i = 0; i < 150; ++i)
    engine.report(&file, {0, 3}, wrong, i);
  EXPECT_THAT(engine.sorted(), SizeIs(150));
  EXPECT_EQ(engine.numDropped(), 0u);
}

TEST_F(Diagnostics, KeepWarningsAfterAHundredErrors) {
  DiagnosticEngine engine;
  for (int i = 0; i < 150; ++i)
    engine.report(&file, {0, 3}, wrong, i);
  engine.report(&file, {4, 7}, odd);
  EXPECT_THAT(engine.sorted(), SizeIs(101));
}

TEST_F(Diagnostics, AreGoneWhenCleared) {
  DiagnosticEngine engine;
  engine.report(&file, {0, 3}, wrong, "this");
  engine.clear();
  EXPECT_FALSE(engine.hasErrors());
  EXPECT_THAT(engine.sorted(), SizeIs(0));
}

TEST_F(Diagnostics, CollectLabelsNotesAndFixes) {
  DiagnosticEngine engine;
  Report report = engine.report(&file, {0, 7}, wrong, "this");
  engine.report(&file, {8, 13}, wrong, "another");
  report.label({0, 3}, "{0} columns", 3).note({4, 7}, "here").hint("try").fix({0, 3}, "1");
  const Diagnostic &diagnostic = engine.sorted().front();
  EXPECT_EQ(diagnostic.labels.front().text, "3 columns");
  ASSERT_THAT(diagnostic.notes, SizeIs(2));
  EXPECT_TRUE(diagnostic.notes[0].hasRange);
  EXPECT_FALSE(diagnostic.notes[1].hasRange);
  EXPECT_EQ(diagnostic.fixits.front().replacement, "1");
}

/// Tools apply all fixes at once.
TEST_F(Diagnostics, HaveFixesThatDoNotOverlap) {
  DiagnosticEngine engine;
  engine.report(&file, {4, 7}, wrong, "inner").fix({4, 7}, "inner");
  engine.report(&file, {0, 7}, wrong, "outer").fix({0, 7}, "outer");
  engine.report(&file, {7, 7}, wrong, "after").fix({7, 7}, "(").fix({13, 13}, ")");
  engine.report(&file, {8, 13}, wrong, "pair").fix({8, 9}, "a").fix({13, 13}, "b");
  const std::deque<Diagnostic> &sorted = engine.sorted();
  ASSERT_THAT(messages(engine),
              ElementsAre("outer is wrong", "inner is wrong", "after is wrong", "pair is wrong"));
  EXPECT_THAT(sorted[0].fixits, SizeIs(1));
  EXPECT_THAT(sorted[1].fixits, SizeIs(0));
  EXPECT_EQ(sorted[1].notes.front().text, "write `inner`");
  EXPECT_THAT(sorted[2].fixits, SizeIs(2));
  EXPECT_THAT(sorted[3].fixits, SizeIs(0));
  EXPECT_EQ(sorted[3].notes.front().text, "write `ahreeb`");
}

TEST_F(Diagnostics, KeepTheFixesOfErrorsFirst) {
  DiagnosticEngine engine;
  engine.report(&file, {0, 7}, odd).fix({0, 7}, "warning");
  engine.report(&file, {4, 7}, wrong, "inner").fix({4, 7}, "error");
  EXPECT_THAT(engine.sorted()[0].fixits, SizeIs(0));
  EXPECT_THAT(engine.sorted()[1].fixits, SizeIs(1));
}

/// What is inserted and what is replaced may begin at the same position.
TEST_F(Diagnostics, RememberAllPartsOfAFix) {
  DiagnosticEngine engine;
  engine.report(&file, {0, 7}, wrong, "both").fix({0, 7}, "a").fix({0, 0}, "b");
  engine.report(&file, {4, 7}, wrong, "inner").fix({4, 7}, "c");
  EXPECT_THAT(engine.sorted()[0].fixits, SizeIs(2));
  EXPECT_THAT(engine.sorted()[1].fixits, SizeIs(0));
}

TEST_F(Diagnostics, KeepFixesOfDifferentFiles) {
  DiagnosticEngine engine;
  SourceFile other("g.ttl", "one two three\n");
  engine.report(&file, {0, 3}, wrong, "this").fix({0, 3}, "1");
  engine.report(&other, {0, 3}, wrong, "that").fix({0, 3}, "1");
  EXPECT_THAT(engine.sorted()[0].fixits, SizeIs(1));
  EXPECT_THAT(engine.sorted()[1].fixits, SizeIs(1));
}

TEST(NearestName, ForgivesFewMistakesInShortNames) {
  EXPECT_EQ(nearestName("main", {"mean"}), "");
  EXPECT_EQ(nearestName("total", {"local"}), "");
  EXPECT_EQ(nearestName("ab", {"ac", "a"}), "");
  EXPECT_EQ(nearestName("abdc", {"abcd"}), "abcd");
  EXPECT_EQ(nearestName("acb", {"xyz", "abc"}), "abc");
}

TEST(NearestName, ForgivesAboutOneMistakeInThreeLetters) {
  EXPECT_EQ(nearestName("lenght", {"length", "width"}), "length");
  EXPECT_EQ(nearestName("canonicalise", {"cse", "canonicalize"}), "canonicalize");
  EXPECT_EQ(nearestName("frobnicate", {"length", "width"}), "");
}

TEST(NearestName, ForgivesCapitals) {
  EXPECT_EQ(nearestName("SUM", {"sum", "num"}), "sum");
}

TEST(NearestName, IsTheFirstOfEquallyNearNames) {
  EXPECT_EQ(nearestName("sums", {"sumac", "sum"}), "sum");
  EXPECT_EQ(nearestName("bat", {"cat", "hat"}), "cat");
}

TEST(NearestName, IsNeverADifferentLetter) {
  EXPECT_EQ(nearestName("a", {"b", "c"}), "");
  EXPECT_EQ(nearestName("", {"b"}), "");
  EXPECT_EQ(nearestName("x", {}), "");
}

class SuggestName : public Diagnostics {
protected:
  /// What is suggested for `name`: a fix, a question or "".
  std::string suggested(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known) {
    DiagnosticEngine engine;
    suggestName(engine.report(&file, {0, 3}, odd), {0, 3}, name, known);
    const Diagnostic &diagnostic = engine.sorted().front();
    if (!diagnostic.fixits.empty())
      return diagnostic.notes.empty() ? "fix: " + diagnostic.fixits[0].replacement : "both";
    return diagnostic.notes.empty() ? "" : diagnostic.notes[0].text;
  }
};

TEST_F(SuggestName, OffersAFixForATypo) {
  EXPECT_EQ(suggested("lenght", {"length", "width"}), "fix: length");
  EXPECT_EQ(suggested("x", {"X"}), "fix: X");
  EXPECT_EQ(suggested("load_matrx", {"load_matrix", "store_matrix"}), "fix: load_matrix");
}

TEST_F(SuggestName, AsksWhereAnotherNameMayBeMeant) {
  EXPECT_EQ(suggested("sqr", {"sqrt"}), "did you mean `sqrt`?");
  EXPECT_EQ(suggested("input3", {"input1"}), "did you mean `input1`?");
  EXPECT_EQ(suggested("rowC", {"rowA", "rowB"}), "did you mean `rowA`?");
  EXPECT_EQ(suggested("canonicalise", {"canonicalizer"}), "did you mean `canonicalizer`?");
}

/// A letter at an end makes another name, and so does any other letter of a short one.
TEST_F(SuggestName, AsksAboutNamesThatExistElsewhere) {
  EXPECT_EQ(suggested("sorted", {"sort"}), "did you mean `sort`?");
  EXPECT_EQ(suggested("asinh", {"sinh"}), "did you mean `sinh`?");
  EXPECT_EQ(suggested("log2", {"log"}), "did you mean `log`?");
  EXPECT_EQ(suggested("coth", {"cosh"}), "did you mean `cosh`?");
  EXPECT_EQ(suggested("height", {"weight"}), "did you mean `weight`?");
  EXPECT_EQ(suggested("matrixB", {"matrixA"}), "did you mean `matrixA`?");
  EXPECT_EQ(suggested("rows", {"row"}), "did you mean `row`?");
  EXPECT_EQ(suggested("marrix", {"matrix"}), "fix: matrix");
  EXPECT_EQ(suggested("lokup", {"lookup"}), "fix: lookup");
  EXPECT_EQ(suggested("alignmentt", {"alignment"}), "fix: alignment");
  EXPECT_EQ(suggested("wdith", {"width"}), "fix: width");
}

TEST_F(SuggestName, ComparesWordByWord) {
  EXPECT_EQ(suggested("load_a", {"load_b"}), "");
  EXPECT_EQ(suggested("frobnicate", {"length"}), "");
}
