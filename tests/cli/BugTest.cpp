#include "cli/Bug.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <csignal>

using namespace tessera::cli;
namespace fs = llvm::sys::fs;

namespace {

/// In a separate folder.
class Reproducer : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::current_path(before));
    ASSERT_FALSE(fs::createUniqueDirectory("tessera-bug", folder));
    ASSERT_FALSE(fs::set_current_path(folder));
  }
  void TearDown() override {
    ASSERT_FALSE(fs::set_current_path(before));
    fs::remove_directories(folder);
  }
  std::string textOf(const std::string &path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "<none>";
  }
  llvm::SmallString<128> before, folder;
};

} // namespace

TEST_F(Reproducer, NeverReplacesAnother) {
  std::string first = writeReproducer("first"), second = writeReproducer("second");
  EXPECT_NE(first, second);
  EXPECT_EQ(textOf((folder + "/" + first).str()), "first");
  EXPECT_EQ(textOf((folder + "/" + second).str()), "second");
}

/// Nobody can write to a folder that was removed, not even root.
TEST_F(Reproducer, GoesElsewhereIfNothingCanBeWritten) {
  fs::remove_directories(folder);
  std::string path = writeReproducer("text");
  EXPECT_EQ(textOf(path), "text");
  fs::remove(path);
}

#if !__has_feature(address_sanitizer) // It handles the signals itself.

/// Crashes while compiling, in a separate process.
static void crash(const tessera::SourceFile &file) {
  handleInterrupts();
  CrashGuard guard(file);
  raise(SIGSEGV);
}

/// A program that was piped into the compiler exists nowhere else.
TEST_F(Reproducer, OfACrashKeepsStandardInput) {
  tessera::SourceFile file("<stdin>", "func @f() {}\n");
  EXPECT_EXIT(crash(file), testing::ExitedWithCode(70),
              "crashed while compiling `<stdin>`.*\n.*with the file `tessera-bug-[0-9]*.txt`");
  std::error_code error;
  fs::directory_iterator kept(folder, error);
  ASSERT_TRUE(kept != fs::directory_iterator());
  EXPECT_EQ(textOf(kept->path()), "func @f() {}\n");
}

TEST_F(Reproducer, OfACrashIsTheFile) {
  tessera::SourceFile file("f.tinytc", "func @f() {}\n");
  EXPECT_EXIT(crash(file), testing::ExitedWithCode(70), "with that file");
  std::error_code error;
  EXPECT_TRUE(fs::directory_iterator(folder, error) == fs::directory_iterator());
}

#endif
