#include "cli/Terminal.h"
#include "gtest/gtest.h"

using namespace tessera::cli;

TEST(Color, IsUsedOnTerminalsThatAllowIt) {
  EXPECT_TRUE(wantsColor({"auto", true, nullptr, "xterm"}));
  EXPECT_TRUE(wantsColor({"auto", true, "", "xterm"}));
  EXPECT_FALSE(wantsColor({"auto", true, "1", "xterm"}));
  EXPECT_FALSE(wantsColor({"auto", true, nullptr, "dumb"}));
  EXPECT_FALSE(wantsColor({"auto", false, nullptr, "xterm"}));
  EXPECT_TRUE(wantsColor({"always", false, "1", "dumb"}));
  EXPECT_FALSE(wantsColor({"never", true, nullptr, "xterm"}));
}

TEST(Quoted, EscapesControlCharacters) {
  EXPECT_EQ(inBackticks("a\033[1mb"), "`a\\x1b[1mb`");
  EXPECT_EQ(inBackticks("a\nb\xff"), "`a b\\xff`");
  EXPECT_EQ(inBackticks(std::string(59, 'x') + "\xc3\xa9"), "`" + std::string(59, 'x') + "...`");
  EXPECT_EQ(pathInBackticks(std::string(100, 'x')), "`" + std::string(100, 'x') + "`");
  EXPECT_EQ(inBackticks(std::string(100, 'x')), "`" + std::string(60, 'x') + "...`");
}
