#include "cli/Zip.h"
#include "Captured.h"
#include "cli/ArrayFile.h"
#include "cli/Elements.h"
#include "gmock/gmock.h"
#include <zlib.h>

using namespace tessera;
using namespace tessera::cli;
using testing::HasSubstr;

namespace {

std::string little(uint64_t value, int bytes) {
  return std::string(reinterpret_cast<char *>(&value), bytes);
}

std::string deflated(std::string text) {
  std::string packed(compressBound(text.size()) + 64, '\0');
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef *>(text.data());
  stream.avail_in = text.size();
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = packed.size();
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// An archive with one member. As in NumPy's archives, its local header has an extra field.
std::string archiveOf(std::string name, std::string contents, bool isDeflated) {
  std::string packed = isDeflated ? deflated(contents) : contents;
  uint32_t sum = crc32(0, reinterpret_cast<const Bytef *>(contents.data()), contents.size());
  std::string common = little(0, 2) + little(isDeflated ? 8 : 0, 2) + little(0, 4) +
                       little(sum, 4) + little(packed.size(), 4) + little(contents.size(), 4) +
                       little(name.size(), 2);
  std::string local = little(0x04034b50, 4) + little(20, 2) + common + little(4, 2) + name +
                      little(0x9999, 2) + little(0, 2) + packed;
  std::string entry = little(0x02014b50, 4) + little(20, 2) + little(20, 2) + common +
                      little(0, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                      little(0, 4) + name;
  return local + entry + little(0x06054b50, 4) + little(0, 4) + little(1, 2) + little(1, 2) +
         little(entry.size(), 4) + little(local.size(), 4) + little(0, 2);
}

std::string npyOf(int32_t value) {
  Tensor tensor = *Tensor::allocate(Scalar::I32, {500});
  for (int i = 0; i < 500; ++i)
    static_cast<int32_t *>(tensor.data())[i] = value;
  std::string contents;
  llvm::raw_string_ostream out(contents);
  writeNpy(out, tensor.view());
  return contents;
}

std::string problemOf(const std::string &path) {
  std::string problem;
  EXPECT_FALSE(readArrayFile(path, {Scalar::I32}, problem));
  return problem;
}

} // namespace

TEST(Npz, ReadsStoredAndDeflatedArrays) {
  for (bool isDeflated : {false, true}) {
    Folder folder;
    std::string path = folder.write("a.npz", archiveOf("x.npy", npyOf(9), isDeflated)), problem;
    for (std::string name : {":x", ":x.npy", ""}) {
      std::optional<Tensor> tensor = readArrayFile(path + name, {Scalar::I32}, problem);
      ASSERT_TRUE(tensor) << problem;
      EXPECT_EQ(tensor->numElements(), 500);
      EXPECT_EQ(static_cast<int32_t *>(tensor->data())[499], 9);
    }
  }
}

TEST(Npz, ReportsProgress) {
  std::string contents(50 << 20, 'x'), problem;
  std::string archive = archiveOf("x", contents, /*isDeflated=*/true);
  std::vector<size_t> places;
  auto note = [&](size_t done, size_t total) {
    EXPECT_EQ(total, contents.size());
    places.push_back(done);
  };
  EXPECT_TRUE(zipContents(archive, zipMembers(archive)->front(), problem, note) == contents);
  EXPECT_GE(places.size(), 3u);
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
}

TEST(Npz, ListsTheArrays) {
  Folder folder;
  std::string path = folder.write("a.npz", archiveOf("x.npy", npyOf(1), true));
  EXPECT_EQ(problemOf(path + ":y"), "it has no array `y`; it holds `x`");
}

TEST(Npz, DamagedArchivesAreRejected) {
  Folder folder;
  std::string archive = archiveOf("x.npy", npyOf(1), true);
  archive[45] ^= 0x55;
  EXPECT_EQ(problemOf(folder.write("a.npz", archive) + ":x"), "the archive is damaged");
  EXPECT_EQ(problemOf(folder.write("b.npz", "no archive") + ":x"), "it is not a .npz file");
  std::string inside = archiveOf("x.npy", "no array", false);
  EXPECT_THAT(problemOf(folder.write("c.npz", inside) + ":x"), HasSubstr("not an .npy file"));
}

TEST(Zip, SurvivesEveryPrefix) {
  std::string archive = archiveOf("x.npy", npyOf(1), true), problem;
  for (size_t size = 0; size < archive.size(); ++size)
    EXPECT_FALSE(zipMembers(llvm::StringRef(archive).take_front(size)));
}
