#include "jit/Cache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

using namespace tessera::jit;
using namespace llvm;

namespace {

constexpr StringLiteral magic = "TESSERA1";
constexpr StringLiteral suffixes[] = {".obj", ".kernels"};
constexpr size_t headerSize = 24; // magic, size, checksum

std::string header(StringRef object) {
  std::string bytes = magic.str();
  bytes.resize(headerSize);
  support::endian::write64le(&bytes[8], object.size());
  support::endian::write64le(&bytes[16], xxh3_64bits(object));
  return bytes;
}

/// Anyone who can write to the folder controls the code that we execute, so it must be private to
/// the user. Returns why it is not, or "".
std::string whyNotPrivate(const std::string &folder) {
  struct stat info;
  if (stat(folder.c_str(), &info) != 0)
    return "it does not exist";
  if (!S_ISDIR(info.st_mode))
    return "it is not a directory";
  if (info.st_uid != geteuid())
    return "it belongs to another user";
  if (info.st_mode & (S_IWGRP | S_IWOTH))
    return "others may write to it; `chmod go-w " + folder + "` keeps them out";
  return "";
}

bool isPrivate(const std::string &folder) {
  return whyNotPrivate(folder).empty();
}

bool isWritable(const std::string &folder) {
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

/// A missing folder is created in its nearest existing ancestor.
std::string whyNotCreatable(StringRef folder) {
  while (!folder.empty() && !sys::fs::exists(folder))
    folder = sys::path::parent_path(folder);
  return isWritable(folder.str()) ? "" : "it cannot be created in " + folder.str();
}

std::string cacheRoot() {
  if (auto root = sys::Process::GetEnv("XDG_CACHE_HOME"); root && sys::path::is_absolute(*root))
    return *root;
  SmallString<128> home;
  if (!sys::path::home_directory(home) || !sys::path::is_absolute(home))
    return "";
  sys::path::append(home, ".cache");
  return home.str().str();
}

struct File {
  std::string path;
  uint64_t bytes;
  sys::TimePoint<> used;
};

constexpr StringLiteral temporaryPrefix = "tmp-";

bool isObject(StringRef path) {
  return path.ends_with(suffixes[0]);
}
bool isEntry(StringRef path) {
  return any_of(suffixes, [&](StringRef suffix) { return path.ends_with(suffix); });
}
/// Being written, or left by a process that was killed while writing.
bool isTemporary(StringRef path) {
  return sys::path::filename(path).starts_with(temporaryPrefix);
}

std::vector<File> filesIn(StringRef folder, bool (*isWanted)(StringRef path)) {
  std::vector<File> entries;
  std::error_code error;
  for (sys::fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    sys::fs::file_status status;
    if (!isWanted(at->path()) || sys::fs::status(at->path(), status))
      continue;
    entries.push_back({at->path(), status.getSize(), status.getLastModificationTime()});
  }
  return entries;
}

} // namespace

Cache Cache::open() {
  Cache cache;
  std::string root = cacheRoot();
  if (root.empty())
    return cache;
  SmallString<128> folder(root);
  sys::path::append(folder, "tessera");
  cache.folder = folder.str().str();
  cache.enabled = sys::Process::GetEnv("TESSERA_CACHE").value_or("on") != "off";
  return cache;
}

std::string Cache::whyUnused() const {
  if (folder.empty())
    return "there is no home directory, and XDG_CACHE_HOME names none";
  if (!enabled)
    return "TESSERA_CACHE=off";
  if (!sys::fs::exists(folder))
    return whyNotCreatable(folder);
  if (std::string why = whyNotPrivate(folder); !why.empty())
    return why;
  return isWritable(folder) ? "" : "it cannot be written to";
}

std::string Cache::keyOf(ArrayRef<StringRef> parts) {
  BLAKE3 hash;
  for (StringRef part : parts) {
    // The lengths distinguish ("ab", "c") from ("a", "bc").
    uint64_t size = part.size();
    hash.update(StringRef(reinterpret_cast<const char *>(&size), sizeof(size)));
    hash.update(part);
  }
  return toHex(hash.final<16>(), /*LowerCase=*/true);
}

std::string Cache::pathOf(StringRef key, Entry entry) const {
  SmallString<160> path(folder);
  sys::path::append(path, key + suffixes[int(entry)]);
  return path.str().str();
}

std::optional<std::string> Cache::find(StringRef key, Entry entry) const {
  if (!enabled || !isPrivate(folder))
    return std::nullopt;
  std::string path = pathOf(key, entry);
  auto file = MemoryBuffer::getFile(path, false, /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  StringRef bytes = (*file)->getBuffer();
  StringRef object = bytes.substr(headerSize);
  if (bytes.size() < headerSize || bytes.take_front(headerSize) != header(object))
    return std::nullopt;
  utime(path.c_str(), nullptr); // Recently used files are pruned last.
  return object.str();
}

/// Writes a uniquely named temporary file, then renames it: readers see all of it or nothing.
void Cache::store(StringRef key, StringRef contents, Entry entry) const {
  if (!enabled || sys::fs::create_directories(folder, true, sys::fs::owner_all) ||
      !isPrivate(folder))
    return;
  int descriptor;
  SmallString<160> temporary;
  if (sys::fs::createUniqueFile(folder + "/" + temporaryPrefix + "%%%%%%%%%%", descriptor,
                                temporary))
    return;
  raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << header(contents) << contents;
  out.close();
  bool failed = out.has_error();
  out.clear_error();
  if (failed || sys::fs::rename(temporary, pathOf(key, entry)))
    sys::fs::remove(temporary);
  prune();
}

Cache::Usage Cache::usage() const {
  Usage usage;
  for (const File &entry : filesIn(folder, isEntry)) {
    usage.entries += isObject(entry.path);
    usage.bytes += entry.bytes;
  }
  for (const File &temporary : filesIn(folder, isTemporary))
    usage.bytes += temporary.bytes;
  return usage;
}

uint64_t Cache::clear() const {
  uint64_t removed = 0;
  for (const File &entry : filesIn(folder, isEntry))
    removed += !sys::fs::remove(entry.path) && isObject(entry.path);
  // A process that is still writing one gets a cache miss.
  for (const File &temporary : filesIn(folder, isTemporary))
    sys::fs::remove(temporary.path);
  return removed;
}

void Cache::prune() const {
  auto longAgo = std::chrono::system_clock::now() - std::chrono::hours(1);
  for (const File &temporary : filesIn(folder, isTemporary))
    if (temporary.used < longAgo)
      sys::fs::remove(temporary.path);
  std::vector<File> entries = filesIn(folder, isEntry);
  uint64_t bytes = 0;
  for (const File &entry : entries)
    bytes += entry.bytes;
  std::sort(entries.begin(), entries.end(),
            [](const File &a, const File &b) { return a.used < b.used; });
  uint64_t count = entries.size();
  for (const File &entry : entries) {
    if (bytes <= maxBytes && count <= maxFiles)
      return;
    sys::fs::remove(entry.path);
    bytes -= entry.bytes;
    --count;
  }
}
