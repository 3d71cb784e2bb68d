#include "jit/Cache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace tessera::jit;
using testing::Optional;
namespace fs = llvm::sys::fs;

namespace {

/// A cache in a folder of its own.
class CacheTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("tessera-cache", root));
    setenv("XDG_CACHE_HOME", root.c_str(), 1);
    unsetenv("TESSERA_CACHE");
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("TESSERA_CACHE");
    chmod(folder().c_str(), 0700);
    fs::remove_directories(root);
  }

  std::string folder() { return (root + "/tessera").str(); }
  std::string pathOf(llvm::StringRef key) { return folder() + "/" + key.str() + ".obj"; }
  std::string contents(llvm::StringRef key) {
    return (*llvm::MemoryBuffer::getFile(pathOf(key)))->getBuffer().str();
  }
  void write(llvm::StringRef key, llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(pathOf(key), error) << bytes;
    ASSERT_FALSE(error);
  }
  /// An entry that claims this size, last used this many hours ago.
  void makeEntry(llvm::StringRef key, uint64_t bytes, int hours) {
    write(key, "");
    ASSERT_EQ(truncate(pathOf(key).c_str(), bytes), 0);
    timespec then{time(nullptr) - hours * 3600, 0}, times[] = {then, then};
    ASSERT_EQ(utimensat(AT_FDCWD, pathOf(key).c_str(), times, 0), 0);
  }

  llvm::SmallString<128> root;
  const std::string key = Cache::keyOf({"program"}), object = std::string("object\0file", 11);
};

} // namespace

TEST_F(CacheTest, FindsWhatWasStored) {
  Cache::open().store(key, object);
  EXPECT_THAT(Cache::open().find(key), Optional(object));
  EXPECT_EQ(Cache::open().find(Cache::keyOf({"other"})), std::nullopt);
}

TEST_F(CacheTest, FindsAnEmptyObject) {
  Cache::open().store(key, "");
  EXPECT_THAT(Cache::open().find(key), Optional(std::string()));
}

TEST_F(CacheTest, StoresOverAnOldEntry) {
  Cache::open().store(key, "old");
  Cache::open().store(key, "new");
  EXPECT_THAT(Cache::open().find(key), Optional(std::string("new")));
  EXPECT_EQ(Cache::open().usage().entries, 1u);
}

TEST_F(CacheTest, LeavesNoTemporaryFiles) {
  Cache::open().store(key, object);
  std::error_code error;
  int count = 0;
  for (fs::directory_iterator at(folder(), error), end; !error && at != end; at.increment(error))
    ++count;
  EXPECT_EQ(count, 1);
}

TEST_F(CacheTest, MissesWhereAnyByteIsWrong) {
  Cache::open().store(key, object);
  std::string good = contents(key);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] ^= 1;
    write(key, bad);
    EXPECT_EQ(Cache::open().find(key), std::nullopt) << "byte " << i;
  }
  write(key, good);
  EXPECT_THAT(Cache::open().find(key), Optional(object));
}

TEST_F(CacheTest, MissesWhereAnythingIsMissingOrTooMuch) {
  Cache::open().store(key, object);
  std::string good = contents(key);
  for (size_t size = 0; size < good.size(); ++size) {
    write(key, llvm::StringRef(good).take_front(size));
    EXPECT_EQ(Cache::open().find(key), std::nullopt) << size << " bytes";
  }
  write(key, good + "x");
  EXPECT_EQ(Cache::open().find(key), std::nullopt);
}

TEST_F(CacheTest, RepairsABrokenEntry) {
  Cache::open().store(key, object);
  write(key, "broken");
  Cache::open().store(key, object);
  EXPECT_THAT(Cache::open().find(key), Optional(object));
}

TEST_F(CacheTest, MissesWhereTheEntryIsAFolder) {
  ASSERT_FALSE(fs::create_directories(pathOf(key), true, fs::owner_all));
  chmod(folder().c_str(), 0700);
  EXPECT_EQ(Cache::open().find(key), std::nullopt);
  Cache::open().store(key, object);
  EXPECT_EQ(Cache::open().find(key), std::nullopt);
}

/// A user who can write there decides what we execute.
TEST_F(CacheTest, RejectsAFolderThatOthersCanWrite) {
  Cache::open().store(key, object);
  for (mode_t mode : {0770, 0707, 0777}) {
    chmod(folder().c_str(), mode);
    EXPECT_EQ(Cache::open().find(key), std::nullopt);
    Cache::open().store(Cache::keyOf({"other"}), object);
    EXPECT_EQ(Cache::open().usage().entries, 1u) << "nothing is added";
  }
  chmod(folder().c_str(), 0755);
  EXPECT_THAT(Cache::open().find(key), Optional(object)) << "others may read";
}

TEST_F(CacheTest, RejectsAFolderOfAnotherUser) {
  Cache::open().store(key, object);
  if (chown(folder().c_str(), geteuid() + 1, -1) != 0)
    GTEST_SKIP() << "only root can give a folder away";
  EXPECT_EQ(Cache::open().find(key), std::nullopt);
}

TEST_F(CacheTest, MakesItsFolderPrivate) {
  Cache::open().store(key, object);
  struct stat info;
  ASSERT_EQ(stat(folder().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(CacheTest, FindsInAFolderThatCannotBeWritten) {
  Cache::open().store(key, object);
  chmod(folder().c_str(), 0500);
  EXPECT_THAT(Cache::open().find(key), Optional(object));
  Cache::open().store(Cache::keyOf({"other"}), object); // Has no effect, unless we are root.
}

TEST_F(CacheTest, MissesWhereTheFolderCannotBeCreated) {
  setenv("XDG_CACHE_HOME", "/proc", 1);
  Cache::open().store(key, object);
  EXPECT_EQ(Cache::open().find(key), std::nullopt);
  EXPECT_EQ(Cache::open().usage().entries, 0u);
  EXPECT_EQ(Cache::open().clear(), 0u);
}

TEST_F(CacheTest, MissesWhereTheFolderIsAFile) {
  std::error_code error;
  llvm::raw_fd_ostream(folder(), error) << "not a folder";
  Cache::open().store(key, object);
  EXPECT_EQ(Cache::open().find(key), std::nullopt);
}

TEST_F(CacheTest, IgnoresARelativeFolder) {
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_TRUE(llvm::sys::path::is_absolute(Cache::open().directory()) ||
              Cache::open().directory().empty());
}

TEST_F(CacheTest, CanBeSwitchedOff) {
  Cache::open().store(key, object);
  setenv("TESSERA_CACHE", "off", 1);
  EXPECT_FALSE(Cache::open().isEnabled());
  EXPECT_EQ(Cache::open().find(key), std::nullopt);
  Cache::open().store(Cache::keyOf({"other"}), object);
  EXPECT_EQ(Cache::open().usage().entries, 1u);
}

TEST_F(CacheTest, ClearsOnlyItsOwnFiles) {
  Cache::open().store(key, object);
  Cache::open().store(Cache::keyOf({"other"}), object);
  std::error_code error;
  llvm::raw_fd_ostream(folder() + "/readme.txt", error) << "not ours";
  EXPECT_EQ(Cache::open().clear(), 2u);
  EXPECT_EQ(Cache::open().usage().entries, 0u);
  EXPECT_EQ(Cache::open().find(key), std::nullopt);
  EXPECT_TRUE(fs::exists(folder() + "/readme.txt"));
}

TEST_F(CacheTest, DropsTheOldestBeyondItsLimit) {
  Cache::open().store(key, object);
  makeEntry("oldest", Cache::maxBytes / 2, 30);
  makeEntry("older", Cache::maxBytes / 2, 20);
  makeEntry("old", Cache::maxBytes / 4, 10);
  Cache::open().store(Cache::keyOf({"newest"}), object);
  EXPECT_FALSE(fs::exists(pathOf("oldest")));
  EXPECT_TRUE(fs::exists(pathOf("older")));
  EXPECT_TRUE(fs::exists(pathOf("old")));
  EXPECT_THAT(Cache::open().find(Cache::keyOf({"newest"})), Optional(object));
  EXPECT_LE(Cache::open().usage().bytes, Cache::maxBytes);
}

TEST_F(CacheTest, LimitsTheNumberOfFiles) {
  Cache::open().store(key, object);
  for (uint64_t number = 0; number <= Cache::maxFiles; ++number)
    makeEntry(std::to_string(number), 1, 30);
  Cache::open().store(Cache::keyOf({"newest"}), object);
  EXPECT_EQ(Cache::open().usage().entries, Cache::maxFiles);
  EXPECT_THAT(Cache::open().find(key), Optional(object));
}

TEST_F(CacheTest, KeepsWhatFitsItsLimit) {
  Cache::open().store(key, object);
  makeEntry("old", Cache::maxBytes / 2, 30);
  Cache::open().store(Cache::keyOf({"newest"}), object);
  EXPECT_EQ(Cache::open().usage().entries, 3u);
}

/// As left by a process that was killed while writing.
TEST_F(CacheTest, CountsAndClearsUnfinishedFiles) {
  Cache::open().store(key, object);
  uint64_t bytes = Cache::open().usage().bytes;
  std::string unfinished = folder() + "/tmp-0123456789";
  std::error_code error;
  llvm::raw_fd_ostream(unfinished, error) << "half";
  EXPECT_EQ(Cache::open().usage().bytes, bytes + 4);
  EXPECT_EQ(Cache::open().usage().entries, 1u);
  Cache::open().store(Cache::keyOf({"other"}), object);
  EXPECT_TRUE(fs::exists(unfinished)) << "somebody may be writing it just now";
  EXPECT_EQ(Cache::open().clear(), 2u);
  EXPECT_FALSE(fs::exists(unfinished));
}

TEST_F(CacheTest, RemovesStaleUnfinishedFiles) {
  Cache::open().store(key, object);
  std::string unfinished = folder() + "/tmp-0123456789";
  std::error_code error;
  llvm::raw_fd_ostream(unfinished, error) << "half";
  timespec then{time(nullptr) - 2 * 3600, 0}, times[] = {then, then};
  ASSERT_EQ(utimensat(AT_FDCWD, unfinished.c_str(), times, 0), 0);
  Cache::open().store(Cache::keyOf({"other"}), object);
  EXPECT_FALSE(fs::exists(unfinished));
}

TEST_F(CacheTest, DropsWhatWasNotUsedForLongest) {
  Cache::open().store(key, object);
  timespec then{time(nullptr) - 9 * 3600, 0}, times[] = {then, then};
  ASSERT_EQ(utimensat(AT_FDCWD, pathOf(key).c_str(), times, 0), 0);
  makeEntry("other", Cache::maxBytes, 5);
  EXPECT_THAT(Cache::open().find(key), Optional(object)); // Used now, though written long ago.
  Cache::open().store(Cache::keyOf({"third"}), object);
  EXPECT_THAT(Cache::open().find(key), Optional(object));
  EXPECT_FALSE(fs::exists(pathOf("other")));
}

TEST_F(CacheTest, SaysWhyItIsNotUsed) {
  EXPECT_EQ(Cache::open().whyUnused(), "");
  ASSERT_FALSE(fs::create_directory(folder()));
  chmod(folder().c_str(), 0775);
  EXPECT_EQ(Cache::open().whyUnused(),
            "others may write to it; `chmod go-w " + folder() + "` keeps them out");
  chmod(folder().c_str(), 0700);
  EXPECT_EQ(Cache::open().whyUnused(), "");
  setenv("TESSERA_CACHE", "off", 1);
  EXPECT_EQ(Cache::open().whyUnused(), "TESSERA_CACHE=off");
}

TEST_F(CacheTest, NeverMixesObjectsOfConcurrentWriters) {
  std::vector<std::string> objects;
  for (char c = 'a'; c < 'e'; ++c)
    objects.push_back(std::string(100000, c));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> writers;
  for (const std::string &mine : objects)
    writers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        Cache::open().store(key, mine);
        auto found = Cache::open().find(key);
        wrong += !found || !llvm::is_contained(objects, *found);
      }
    });
  for (std::thread &writer : writers)
    writer.join();
  EXPECT_EQ(wrong, 0) << "each reader sees all of one writer's object";
}

TEST(CacheKey, DependsOnEveryPartAndItsPlace) {
  EXPECT_EQ(Cache::keyOf({"a", "b"}), Cache::keyOf({"a", "b"}));
  EXPECT_NE(Cache::keyOf({"a", "b"}), Cache::keyOf({"b", "a"}));
  EXPECT_NE(Cache::keyOf({"ab", "c"}), Cache::keyOf({"a", "bc"}));
  EXPECT_NE(Cache::keyOf({"a"}), Cache::keyOf({"a", ""}));
}

TEST(CacheKey, IsAFileName) {
  for (char c : Cache::keyOf({"../../etc", "/"}))
    EXPECT_TRUE(llvm::isHexDigit(c));
}
