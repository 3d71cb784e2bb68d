/// Writes .npy files: a temporary file beside the target, then a rename.
#include "runtime/Npy.h"
#include "runtime/View.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera::runtime;

namespace {

constexpr int64_t headerAlignment = 64;

bool fail(Message &message, const char *path, const char *text) {
  snprintf(message.text, sizeof message.text, "%s: %s", path, text);
  return false;
}

bool failWithErrno(Message &message, const char *path) {
  const char *reason = strerror(errno);
  snprintf(message.text, sizeof message.text, "%s: cannot write: %s", path, reason);
  return false;
}

bool isColumnMajor(const tessera_view &view) {
  int64_t stride = 1;
  for (int32_t dim = 0; dim < view.ndim; ++dim) {
    if (view.shape[dim] != 1 && strideOf(view, dim) != stride)
      return false;
    stride *= view.shape[dim];
  }
  return true;
}

/// Version 1: its 16-bit length holds the shape of any tensor.
size_t makeHeader(const tessera_view &view, bool fortranOrder, char *header, size_t capacity) {
  char dictionary[2048];
  Text text(dictionary, sizeof dictionary);
  text.add("{'descr': '%s', 'fortran_order': %s, 'shape': (", npyTypeOf(view.dtype).text,
           fortranOrder ? "True" : "False");
  for (int32_t dim = 0; dim < view.ndim; ++dim)
    text.add("%lld,%s", (long long)view.shape[dim], dim + 1 < view.ndim ? " " : "");
  text.add("), }");
  size_t used = 10 + strlen(dictionary) + 1;
  size_t total = (used + headerAlignment - 1) / headerAlignment * headerAlignment;
  int length = total - 10;
  memcpy(header, "\x93NUMPY\x01\x00", 8);
  header[8] = char(length & 0xff);
  header[9] = char(length >> 8);
  snprintf(header + 10, capacity - 10, "%-*s\n", length - 1, dictionary);
  return total;
}

bool writeAll(int file, const void *data, size_t size) {
  auto *bytes = static_cast<const char *>(data);
  while (size) {
    // Linux writes at most 2 GiB at a time.
    ssize_t written = write(file, bytes, size < (1u << 30) ? size : 1u << 30);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes += written;
    size -= written;
  }
  return true;
}

/// Elements in the order of the file.
struct Contents {
  char header[2304];
  size_t headerBytes;
  const void *data;
  int64_t dataBytes;
  void *packed = nullptr;
};

bool pack(const tessera_view &view, const char *path, Contents &contents, Message &message) {
  int64_t strides[maxNpyRank];
  fillRowMajorStrides(view.ndim, view.shape, strides);
  contents.packed = malloc(contents.dataBytes);
  if (!contents.packed)
    return fail(message, path, "out of memory");
  copyElements({contents.packed, strides}, {const_cast<void *>(contents.data), view.strides},
               view.ndim, view.shape, elementBytes(view.dtype));
  contents.data = contents.packed;
  return true;
}

bool prepare(const tessera_view &view, const char *path, Contents &contents, Message &message) {
  if (view.ndim > maxNpyRank || view.dtype.code > TESSERA_BOOL || view.dtype.lanes != 1 ||
      !countBytes(view.ndim, view.shape, elementBytes(view.dtype), contents.dataBytes))
    return fail(message, path, "cannot write: not an array that .npy can hold");
  contents.data = static_cast<const char *>(view.data) + view.byte_offset;
  bool rowMajor = !view.strides || isRowMajor(view.ndim, view.shape, view.strides);
  bool fortranOrder = !rowMajor && isColumnMajor(view);
  contents.headerBytes = makeHeader(view, fortranOrder, contents.header, sizeof contents.header);
  return rowMajor || fortranOrder || pack(view, path, contents, message);
}

bool writeContents(int file, const Contents &contents) {
  return writeAll(file, contents.header, contents.headerBytes) &&
         writeAll(file, contents.data, contents.dataBytes);
}

/// A device or a pipe must not be replaced by a file.
bool writeInPlace(const char *path, const Contents &contents, Message &message) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return failWithErrno(message, path);
  bool written = writeContents(file, contents);
  if (!written)
    failWithErrno(message, path);
  if (close(file) && written)
    return failWithErrno(message, path);
  return written;
}

/// mkstemp makes files private; a result has the permissions of any new file.
void giveUsualPermissions(int file) {
  mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);
}

bool writeAndRename(const char *path, const Contents &contents, Message &message) {
  char temporary[PATH_MAX];
  if (snprintf(temporary, sizeof temporary, "%s.tessera-tmpXXXXXX", path) >= int(sizeof temporary))
    return fail(message, path, "cannot write: the path is too long");
  int file = mkostemp(temporary, O_CLOEXEC);
  if (file < 0)
    return failWithErrno(message, path);
  giveUsualPermissions(file);
  bool written = writeContents(file, contents);
  int reason = errno;
  if (close(file) && written)
    written = false, reason = errno;
  if (written && !rename(temporary, path))
    return true;
  reason = written ? errno : reason;
  unlink(temporary);
  errno = reason;
  return failWithErrno(message, path);
}

bool writePrepared(const char *path, const Contents &contents, Message &message) {
  struct stat status;
  bool exists = !stat(path, &status);
  if (exists && S_ISDIR(status.st_mode))
    return fail(message, path, "cannot write: is a directory");
  if (exists && !S_ISREG(status.st_mode))
    return writeInPlace(path, contents, message);
  if (exists && access(path, W_OK))
    return failWithErrno(message, path); // A rename would replace a protected file.
  // Through a symbolic link, to the file that it names.
  char target[PATH_MAX];
  return writeAndRename(exists && realpath(path, target) ? target : path, contents, message);
}

} // namespace

NpyType tessera::runtime::npyTypeOf(tessera_dtype dtype) {
  static constexpr char kinds[] = {'i', 'u', 'f', '?', 'u', 'c', 'b'};
  NpyType type;
  Text(type.text, sizeof type.text)
      .add("%c%c%d", dtype.bits == 8 ? '|' : '<', kinds[dtype.code], dtype.bits / 8);
  return type;
}

bool tessera::runtime::writeNpy(const char *path, const tessera_view &view, Message &message) {
  Contents contents;
  bool written = prepare(view, path, contents, message) && writePrepared(path, contents, message);
  free(contents.packed);
  return written;
}
