#include "schedule/Caches.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include <fstream>

using namespace tessera::schedule;
using testing::IsEmpty;
using testing::SizeIs;
namespace fs = llvm::sys::fs;

namespace {

/// A folder like the one in sysfs.
class CachesTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("tessera-caches", root)); }
  void TearDown() override { fs::remove_directories(root); }

  void describe(int index, llvm::StringRef level, llvm::StringRef type, llvm::StringRef size,
                llvm::StringRef cpus) {
    std::string folder = (root + "/index" + std::to_string(index)).str();
    ASSERT_FALSE(fs::create_directory(folder));
    std::ofstream(folder + "/level") << level.str() << '\n';
    std::ofstream(folder + "/type") << type.str() << '\n';
    std::ofstream(folder + "/size") << size.str() << '\n';
    std::ofstream(folder + "/shared_cpu_list") << cpus.str() << '\n';
  }

  Machine machine() {
    Machine machine;
    setCaches(machine, readCaches(root));
    return machine;
  }

  llvm::SmallString<128> root;
};

TEST_F(CachesTest, ReadsTheSizeOfEachLevel) {
  describe(0, "1", "Data", "48K", "0,64");
  describe(1, "1", "Instruction", "32K", "0,64");
  describe(2, "2", "Unified", "2048K", "0,64");
  describe(3, "3", "Unified", "96M", "0-7,64-71");
  EXPECT_THAT(readCaches(root), SizeIs(4));
  EXPECT_EQ(readCaches(root)[3].numCpus, 16u);
  EXPECT_EQ(machine().l1, 48 << 10);
  EXPECT_EQ(machine().l2, 2 << 20);
  EXPECT_EQ(machine().l3, 96 << 20);
}

TEST_F(CachesTest, LimitsTheSizeOfASharedCache) {
  describe(0, "3", "Unified", "327680K", "0-1");
  EXPECT_EQ(machine().l3, 2 * maxSharedBytes);
}

TEST_F(CachesTest, UsesDefaultsForMissingCaches) {
  EXPECT_THAT(readCaches(root), IsEmpty());
  describe(0, "2", "Unified", "many", "all");
  describe(1, "4", "Unified", "64M", "0");
  EXPECT_EQ(machine().l1, Machine().l1);
  EXPECT_EQ(machine().l2, Machine().l2);
  EXPECT_EQ(machine().l3, Machine().l3);
}

} // namespace
