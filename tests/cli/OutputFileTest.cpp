#include "cli/OutputFile.h"
#include "Captured.h"
#include "gmock/gmock.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera::cli;
using testing::HasSubstr;

TEST(OutputFile, ExistsOnlyAfterCommit) {
  Folder folder;
  Captured captured;
  auto file = OutputFile::open(folder / "a.txt", captured.terminal);
  file->stream() << "new";
  EXPECT_FALSE(llvm::sys::fs::exists(folder / "a.txt"));
  EXPECT_TRUE(file->commit());
  EXPECT_EQ(folder.read("a.txt"), "new");
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  Folder folder;
  Captured captured;
  folder.write("a.txt", "old");
  OutputFile::open(folder / "a.txt", captured.terminal)->stream() << "new";
  EXPECT_EQ(folder.read("a.txt"), "old");
  EXPECT_EQ(folder.numFiles(), 1u);
}

TEST(OutputFile, FollowsLinksAndKeepsPermissions) {
  Folder folder;
  Captured captured;
  std::string path = folder.write("a.txt", "old"), link = folder / "link";
  chmod(path.c_str(), 0640);
  ASSERT_EQ(symlink("a.txt", link.c_str()), 0);
  EXPECT_TRUE(writeFile(link, "new", captured.terminal));
  struct stat info;
  stat(path.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  EXPECT_EQ(folder.read("a.txt"), "new");
}

TEST(OutputFile, ExecutablesCanBeExecuted) {
  Folder folder;
  Captured captured;
  std::string path = folder / "a";
  EXPECT_TRUE(OutputFile::open(path, captured.terminal, OutputFile::Executable)->commit());
  EXPECT_EQ(access(path.c_str(), X_OK), 0);
}

TEST(OutputFile, DashIsStandardOutput) {
  Captured captured;
  EXPECT_TRUE(writeFile("-", "text", captured.terminal));
  EXPECT_EQ(captured.outText, "text");
}

TEST(OutputFile, SaysWhyItCannotBeWritten) {
  Folder folder;
  Captured captured;
  EXPECT_FALSE(writeFile(folder / "no/a.txt", "x", captured.terminal));
  EXPECT_FALSE(writeFile(folder / "", "x", captured.terminal));
  EXPECT_FALSE(writeFile("/dev/full", "x", captured.terminal));
  std::string errors = captured.errors();
  EXPECT_THAT(errors, HasSubstr("No such file or directory [cli.file.2]"));
  EXPECT_THAT(errors, HasSubstr("Is a directory [cli.file.2]"));
  EXPECT_THAT(errors, HasSubstr("cannot write `/dev/full`: No space left on device [cli.file.2]"));
}
