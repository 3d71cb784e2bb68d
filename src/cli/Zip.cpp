#include "cli/Zip.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <zlib.h>

using namespace tessera::cli;
using llvm::StringRef;
using namespace llvm::support::endian;

namespace {

constexpr uint32_t endSignature = 0x06054b50, end64Signature = 0x06064b50,
                   locator64Signature = 0x07064b50, entrySignature = 0x02014b50,
                   localSignature = 0x04034b50;
constexpr size_t endSize = 22, locator64Size = 20, end64Size = 56, entrySize = 46, localSize = 30;

bool has(StringRef archive, uint64_t offset, uint64_t size) {
  return offset <= archive.size() && size <= archive.size() - offset;
}

bool isAt(StringRef archive, uint64_t offset, uint32_t signature, uint64_t size) {
  return has(archive, offset, size) && read32le(archive.data() + offset) == signature;
}

struct Directory {
  uint64_t offset = 0, numEntries = 0;
};

/// The record at the end, which a comment may follow; archives beyond 4 GiB have another.
std::optional<Directory> findDirectory(StringRef archive) {
  if (archive.size() < endSize)
    return std::nullopt;
  size_t at = archive.size() - endSize;
  size_t lowest = at > 65535 ? at - 65535 : 0;
  while (at > lowest && !isAt(archive, at, endSignature, endSize))
    --at;
  if (!isAt(archive, at, endSignature, endSize))
    return std::nullopt;
  const char *record = archive.data() + at;
  Directory directory{read32le(record + 16), read16le(record + 10)};
  bool hasLocator =
      at >= locator64Size && isAt(archive, at - locator64Size, locator64Signature, locator64Size);
  if (!hasLocator)
    return directory;
  uint64_t at64 = read64le(archive.data() + at - locator64Size + 8);
  if (!isAt(archive, at64, end64Signature, end64Size))
    return std::nullopt;
  return Directory{read64le(archive.data() + at64 + 48), read64le(archive.data() + at64 + 32)};
}

/// Fields that do not fit into 32 bits are in extra field 1, in this order, each only if needed.
void readLargeFields(StringRef extra, ZipMember &member) {
  while (extra.size() >= 4) {
    uint16_t id = read16le(extra.data()), size = read16le(extra.data() + 2);
    StringRef field = extra.substr(4, size);
    for (uint64_t *value : {&member.size, &member.packedSize, &member.headerOffset})
      if (id == 1 && *value == UINT32_MAX && field.size() >= 8) {
        *value = read64le(field.data());
        field = field.drop_front(8);
      }
    extra = extra.drop_front(std::min<size_t>(4 + size, extra.size()));
  }
}

/// zlib counts in 32 bits, and a member may be larger; smaller steps also allow progress.
constexpr size_t mostAtOnce = 16 << 20;

bool inflateAll(StringRef packed, std::string &contents, ReadProgress progress) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  int status = Z_OK;
  size_t in = 0, out = 0;
  while (status == Z_OK) {
    uInt roomIn = std::min(packed.size() - in, mostAtOnce);
    uInt roomOut = std::min(contents.size() - out, mostAtOnce);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data() + in));
    stream.next_out = reinterpret_cast<Bytef *>(contents.data() + out);
    stream.avail_in = roomIn;
    stream.avail_out = roomOut;
    status = inflate(&stream, Z_NO_FLUSH);
    in += roomIn - stream.avail_in;
    out += roomOut - stream.avail_out;
    if (progress && out)
      progress(out, contents.size());
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END && out == contents.size();
}

/// The bytes of a member in the archive, after its local header of variable length.
std::optional<StringRef> packedBytes(StringRef archive, const ZipMember &member) {
  if (!isAt(archive, member.headerOffset, localSignature, localSize))
    return std::nullopt;
  const char *header = archive.data() + member.headerOffset;
  uint64_t begin = member.headerOffset + localSize + read16le(header + 26) + read16le(header + 28);
  if (!has(archive, begin, member.packedSize))
    return std::nullopt;
  return archive.substr(begin, member.packedSize);
}

/// Deflate reaches at most 1 : 1032, so a larger size is wrong.
bool isPlausible(const ZipMember &member) {
  return member.method == 0 ? member.size == member.packedSize
                            : member.size / 1033 <= member.packedSize;
}

} // namespace

std::optional<std::vector<ZipMember>> tessera::cli::zipMembers(StringRef archive) {
  std::optional<Directory> directory = findDirectory(archive);
  if (!directory)
    return std::nullopt;
  std::vector<ZipMember> members;
  uint64_t at = directory->offset;
  for (uint64_t i = 0; i < directory->numEntries; ++i) {
    if (!isAt(archive, at, entrySignature, entrySize))
      return std::nullopt;
    const char *entry = archive.data() + at;
    uint16_t nameSize = read16le(entry + 28), extraSize = read16le(entry + 30);
    ZipMember member{archive.substr(at + entrySize, nameSize).str(),
                     read16le(entry + 10),
                     read32le(entry + 16),
                     read32le(entry + 20),
                     read32le(entry + 24),
                     read32le(entry + 42)};
    readLargeFields(archive.substr(at + entrySize + nameSize, extraSize), member);
    members.push_back(std::move(member));
    at += entrySize + nameSize + extraSize + read16le(entry + 32);
  }
  return members;
}

std::optional<std::string> tessera::cli::zipContents(StringRef archive, const ZipMember &member,
                                                     std::string &problem, ReadProgress progress) {
  problem = "its compression method is not deflate";
  if (member.method != 0 && member.method != 8)
    return std::nullopt;
  problem = "the archive is damaged";
  std::optional<StringRef> packed = packedBytes(archive, member);
  if (!packed || !isPlausible(member))
    return std::nullopt;
  std::string contents = member.method == 0 ? packed->str() : std::string(member.size, '\0');
  if (member.method == 8 && !inflateAll(*packed, contents, progress))
    return std::nullopt;
  auto *bytes = reinterpret_cast<const Bytef *>(contents.data());
  if (crc32_z(0, bytes, contents.size()) != member.checksum)
    return std::nullopt;
  return contents;
}
