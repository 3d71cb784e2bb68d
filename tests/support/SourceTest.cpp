#include "support/Source.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

std::pair<uint32_t, uint32_t> at(const SourceFile &file, uint32_t offset) {
  LineColumn position = file.position(offset);
  return {position.line, position.column};
}
using P = std::pair<uint32_t, uint32_t>;

} // namespace

TEST(Source, CountsLinesAndColumnsFromOne) {
  SourceFile file("f.ttl", "ab\n\ncd");
  EXPECT_EQ(at(file, 0), P(1, 1));
  EXPECT_EQ(at(file, 1), P(1, 2));
  EXPECT_EQ(at(file, 2), P(1, 3)) << "the line's end belongs to the line";
  EXPECT_EQ(at(file, 3), P(2, 1));
  EXPECT_EQ(at(file, 4), P(3, 1));
  EXPECT_EQ(at(file, 6), P(3, 3)) << "the end of the file has a position";
}

TEST(Source, CountsBytesInColumns) {
  EXPECT_EQ(at(SourceFile("f.ttl", "\xC3\xA4x"), 2), P(1, 3));
}

TEST(Source, SkipsAByteOrderMark) {
  SourceFile file("f.ttl", "\xEF\xBB\xBFx\n");
  EXPECT_EQ(file.text(), "x\n");
  EXPECT_EQ(at(file, 0), P(1, 1));
  EXPECT_EQ(SourceFile("f.ttl", "x\xEF\xBB\xBF").text(), "x\xEF\xBB\xBF") << "only in front";
}

TEST(Source, HasOneEmptyLineWithoutText) {
  SourceFile file("f.ttl", "");
  EXPECT_EQ(file.numLines(), 1u);
  EXPECT_EQ(file.line(1), "");
  EXPECT_EQ(at(file, 0), P(1, 1));
}

TEST(Source, HasAnEmptyLineAfterTheLastLineEnd) {
  SourceFile file("f.ttl", "ab\n");
  EXPECT_EQ(file.numLines(), 2u);
  EXPECT_EQ(file.line(2), "");
  EXPECT_EQ(at(file, 3), P(2, 1));
}

TEST(Source, ReturnsLinesWithoutTheirEnds) {
  SourceFile file("f.ttl", "one\r\ntwo\nthree\r");
  EXPECT_EQ(file.line(1), "one");
  EXPECT_EQ(file.line(2), "two");
  EXPECT_EQ(file.line(3), "three");
  EXPECT_EQ(file.lineStart(2), 5u);
}

TEST(Source, ReturnsTheTextOfARange) {
  SourceFile file("f.ttl", "var int x;");
  EXPECT_EQ(file.text({4, 7}), "int");
  EXPECT_EQ(file.text({4, 4}), "");
  EXPECT_EQ(file.text({8, 100}), "x;");
}

TEST(SourceRange, CanBeExtendedToTheEndOfAnother) {
  EXPECT_EQ((SourceRange{1, 2}.upTo({5, 9})), (SourceRange{1, 9}));
  EXPECT_TRUE((SourceRange{3, 3}.empty()));
}
