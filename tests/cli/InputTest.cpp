#include "cli/Input.h"
#include "Captured.h"
#include "gmock/gmock.h"

using namespace tessera;
using namespace tessera::cli;
using testing::HasSubstr;

TEST(Input, ReadsBytesAsTheyAre) {
  Folder folder;
  Captured captured;
  std::string text("a\r\n\0b", 5);
  EXPECT_EQ(readSource(folder.write("a.ttl", text), captured.terminal)->text(), text);
}

TEST(Input, SaysWhyAFileCannotBeRead) {
  Folder folder;
  Captured captured;
  EXPECT_FALSE(readSource(folder / "b.ttl", captured.terminal));
  EXPECT_FALSE(readSource(folder / "", captured.terminal));
  std::string errors = captured.errors();
  EXPECT_THAT(errors, HasSubstr("b.ttl`: No such file or directory [cli.file.1]"));
  EXPECT_THAT(errors, HasSubstr("Is a directory [cli.file.1]"));
}
