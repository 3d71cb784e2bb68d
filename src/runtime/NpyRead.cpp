/// Reads .npy files: maps them if the file and its alignment allow this, otherwise copies.
#include "runtime/Npy.h"
#include "runtime/View.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera::runtime;

namespace {

[[gnu::format(printf, 2, 3)]] bool fail(Message &message, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(message.text, sizeof message.text, format, values);
  va_end(values);
  return false;
}

bool checkFileSize(const NpyArray &array, int64_t size, Message &message) {
  int64_t present = size - array.headerBytes;
  if (present == array.dataBytes)
    return true;
  return fail(message, "%s: %lld bytes of data, expected %lld",
              present < array.dataBytes ? "truncated" : "trailing bytes", (long long)present,
              (long long)array.dataBytes);
}

/// Files written by hand may start their data anywhere.
bool alignData(NpyArray &array, Message &message) {
  int64_t size = elementBytes(array.dtype);
  if (reinterpret_cast<uintptr_t>(array.data) % size == 0)
    return true;
  void *copy = aligned_alloc(64, (array.dataBytes + 63) / 64 * 64);
  if (!copy)
    return fail(message, "out of memory: %lld bytes", (long long)array.dataBytes);
  memcpy(copy, array.data, array.dataBytes);
  free(array.memory);
  array.memory = array.data = copy;
  return true;
}

bool useBytes(char *bytes, int64_t size, NpyArray &array, Message &message) {
  if (!parseNpyHeader(bytes, size, array, message) || !checkFileSize(array, size, message))
    return false;
  array.data = bytes + array.headerBytes;
  return alignData(array, message);
}

bool readMapped(int file, int64_t size, NpyArray &array, Message &message) {
  // Private: a program may write to its arguments without changing the file.
  void *mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (mapping == MAP_FAILED)
    return fail(message, "cannot map: %s", strerror(errno));
  array.mapping = mapping;
  array.mappedBytes = size;
  return useBytes(static_cast<char *>(mapping), size, array, message);
}

/// Pipes and devices have no size and cannot be mapped.
bool readStream(int file, NpyArray &array, Message &message) {
  int64_t size = 0, capacity = 0;
  for (;;) {
    if (size == capacity) {
      capacity = capacity ? 2 * capacity : 1 << 16;
      void *larger = realloc(array.memory, capacity);
      if (!larger)
        return fail(message, "out of memory: %lld bytes", (long long)capacity);
      array.memory = larger;
    }
    ssize_t got = read(file, static_cast<char *>(array.memory) + size, capacity - size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fail(message, "cannot read: %s", strerror(errno));
    if (got == 0)
      return useBytes(static_cast<char *>(array.memory), size, array, message);
    size += got;
  }
}

bool readFile(int file, NpyArray &array, Message &message) {
  struct stat status;
  if (fstat(file, &status))
    return fail(message, "cannot read: %s", strerror(errno));
  if (S_ISDIR(status.st_mode))
    return fail(message, "is a directory");
  if (!S_ISREG(status.st_mode))
    return readStream(file, array, message);
  if (status.st_size == 0)
    return fail(message, "not an .npy file (it is empty)");
  return readMapped(file, status.st_size, array, message);
}

void fillStrides(NpyArray &array) {
  auto fill = array.fortranOrder ? fillColumnMajorStrides : fillRowMajorStrides;
  fill(array.ndim, array.shape, array.strides);
}

void prefixPath(const char *path, Message &message) {
  Message whole;
  Text text(whole.text, sizeof whole.text);
  text.add("%s: %s", path, message.text);
  message = whole;
}

} // namespace

tessera_view NpyArray::view() {
  return {data, {1, 0}, ndim, dtype, shape, strides, 0};
}

bool tessera::runtime::readNpy(const char *path, NpyArray &array, Message &message) {
  array = {};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  bool read = file >= 0 ? readFile(file, array, message)
                        : fail(message, "cannot read: %s", strerror(errno));
  if (file >= 0)
    close(file);
  if (read) {
    fillStrides(array);
    return true;
  }
  releaseNpy(array);
  prefixPath(path, message);
  return false;
}

void tessera::runtime::releaseNpy(NpyArray &array) {
  if (array.mapping)
    munmap(array.mapping, array.mappedBytes);
  free(array.memory);
  array = {};
}
