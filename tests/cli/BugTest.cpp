#include "cli/Bug.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace tessera::cli;
namespace fs = llvm::sys::fs;

namespace {

/// In a folder of its own.
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

/// A folder that is gone can be written to by nobody, not even by root.
TEST_F(Reproducer, GoesElsewhereWhereNothingCanBeWritten) {
  fs::remove_directories(folder);
  std::string path = writeReproducer("text");
  EXPECT_EQ(textOf(path), "text");
  fs::remove(path);
}
