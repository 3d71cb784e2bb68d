#include "schedule/TuningDatabase.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera::schedule;
using testing::HasSubstr;
using testing::SizeIs;
namespace fs = llvm::sys::fs;

namespace {

class TuningDatabaseTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("tessera-tuning", root)); }
  void TearDown() override { fs::remove_directories(root); }

  std::string path() { return (root + "/made/tuning.db").str(); }
  std::vector<Record> read(llvm::StringRef processor = "cpu/64", llvm::StringRef source = "f.tc") {
    auto records = TuningDatabase(path()).read(processor, source, error);
    EXPECT_TRUE(records) << error;
    return records.value_or(std::vector<Record>());
  }
  void write(const Record &record, llvm::StringRef source = "f.tc") {
    EXPECT_TRUE(TuningDatabase(path()).write(record, source, error)) << error;
  }
  void spoil(llvm::StringRef contents) {
    ASSERT_FALSE(fs::create_directories((root + "/made").str()));
    std::ofstream(path()) << contents.str();
  }

  llvm::SmallString<128> root;
  std::string error;
  Record record{"cpu/64",
                2,
                "",
                "f32*f32+f32,fused",
                {512, 512, 512, 1},
                {.lanes = 16, .rows = 14, .vectors = 2},
                0.5,
                1,
                7};
};

} // namespace

TEST_F(TuningDatabaseTest, IsEmptyIfMissing) {
  EXPECT_THAT(read(), SizeIs(0));
  EXPECT_EQ(TuningDatabase(path()).count(error), 0);
  EXPECT_FALSE(fs::exists(path())) << "reading makes no file";
}

TEST_F(TuningDatabaseTest, ReadsWhatWasWritten) {
  write(record);
  ASSERT_THAT(read(), SizeIs(1));
  EXPECT_EQ(printRecords(read()), printRecords(record));
  EXPECT_EQ(TuningDatabase(path()).count(error), 1);
}

TEST_F(TuningDatabaseTest, ReplacesRecordsWithTheSameKey) {
  write(record);
  record.schedule.rows = 7;
  write(record);
  ASSERT_THAT(read(), SizeIs(1));
  EXPECT_EQ(read()[0].schedule.rows, 7);
  record.threads = 1;
  write(record);
  EXPECT_THAT(read(), SizeIs(2));
}

TEST_F(TuningDatabaseTest, KeepsProcessorsApart) {
  write(record);
  EXPECT_THAT(read("other/32"), SizeIs(0));
}

TEST_F(TuningDatabaseTest, KeepsUnknownSizesToTheirFile) {
  record.function = "f";
  record.sizes[0] = mlir::ShapedType::kDynamic;
  write(record, "f.tc");
  EXPECT_THAT(read("cpu/64", "./f.tc"), SizeIs(1)) << "the same file";
  EXPECT_THAT(read("cpu/64", "other/f.tc"), SizeIs(0));
}

TEST_F(TuningDatabaseTest, ExplainsInvalidFiles) {
  spoil("this has never been a database, however long it is");
  EXPECT_FALSE(TuningDatabase(path()).read("cpu/64", "f.tc", error));
  EXPECT_THAT(error, HasSubstr("not a database"));
  error.clear();
  EXPECT_FALSE(TuningDatabase(path()).write(record, "f.tc", error));
  EXPECT_THAT(error, HasSubstr("not a database"));
  error.clear();
  EXPECT_FALSE(TuningDatabase(path()).isWritable(error));
  error.clear();
  EXPECT_FALSE(TuningDatabase(path()).count(error));
}

TEST_F(TuningDatabaseTest, TreatsAnEmptyFileAsAnEmptyDatabase) {
  spoil("");
  EXPECT_THAT(read(), SizeIs(0));
  write(record);
  EXPECT_THAT(read(), SizeIs(1));
}

TEST_F(TuningDatabaseTest, NeedsAFolder) {
  EXPECT_FALSE(TuningDatabase("/proc/tessera/tuning.db").isWritable(error));
  EXPECT_NE(error, "");
}

/// An invalid schedule is ignored.
TEST_F(TuningDatabaseTest, SkipsInvalidRecords) {
  write(record);
  record.sizes[0] = 64;
  record.schedule.rows = 60;
  write(record);
  EXPECT_THAT(read(), SizeIs(1));
}

TEST_F(TuningDatabaseTest, KeepsTheRecordsOfConcurrentWriters) {
  constexpr int numWriters = 4, numRecords = 10;
  write(record);
  for (int writer = 0; writer < numWriters; ++writer)
    if (fork() == 0) {
      for (int i = 0; i < numRecords; ++i) {
        record.sizes[0] = 1000 * (writer + 1) + i;
        if (!TuningDatabase(path()).write(record, "f.tc", error))
          _exit(1);
      }
      _exit(0);
    }
  for (int writer = 0; writer < numWriters; ++writer) {
    int status = 1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_THAT(read(), SizeIs(1 + numWriters * numRecords));
}

TEST(DefaultPath, FollowsXdg) {
  const char *old = getenv("XDG_DATA_HOME");
  std::string saved = old ? old : "";
  setenv("XDG_DATA_HOME", "/somewhere", 1);
  EXPECT_EQ(TuningDatabase::defaultPath(), "/somewhere/tessera/tuning.db");
  setenv("XDG_DATA_HOME", "relative", 1);
  EXPECT_THAT(TuningDatabase::defaultPath(), HasSubstr("/.local/share/tessera/tuning.db"));
  old ? setenv("XDG_DATA_HOME", saved.c_str(), 1) : unsetenv("XDG_DATA_HOME");
}
