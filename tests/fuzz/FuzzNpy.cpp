/// For any bytes, arrays in .npy and .npz files are read or rejected, and arrays that are read are
/// complete.
#include "Fuzz.h"
#include "cli/ArrayFile.h"
#include "cli/Zip.h"
#include "runtime/Npy.h"
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

using namespace tessera;
using llvm::StringRef;

namespace {

/// A file in memory.
class File {
public:
  File() : number(memfd_create("fuzz", 0)) {}
  std::string path() const { return "/proc/self/fd/" + std::to_string(number); }
  void fill(StringRef bytes) {
    if (ftruncate(number, 0) || pwrite(number, bytes.data(), bytes.size(), 0) < 0)
      abort();
  }

private:
  int number;
};

void readAll(const char *bytes, size_t size) {
  [[maybe_unused]] static volatile unsigned sum;
  sum = std::accumulate(bytes, bytes + size, 0u);
}

void readAsNpy(const std::string &path) {
  runtime::NpyArray array;
  runtime::Message message;
  if (runtime::readNpy(path.c_str(), array, message))
    readAll(static_cast<const char *>(array.data), array.dataBytes);
  runtime::releaseNpy(array);
}

/// Without the extension .npy, a file is read as an archive.
void readAsNpz(const std::string &path, StringRef bytes) {
  auto members = cli::zipMembers(bytes);
  for (size_t i = 0; members && i < members->size(); ++i)
    if ((*members)[i].size > 1 << 20)
      return;
  for (Scalar element : {Scalar::F64, Scalar::Bool, Scalar::BF16}) {
    std::string problem;
    if (auto tensor = cli::readArrayFile(path, {element}, problem))
      readAll(static_cast<const char *>(tensor->data()), tensor->numBytes());
  }
  bool isText;
  std::string problem;
  if (auto tensor = cli::readArrayFile(path, {Scalar::I8, /*isComplex=*/false, &isText}, problem))
    readAll(static_cast<const char *>(tensor->data()), tensor->numBytes());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static File file;
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  file.fill(bytes);
  if (bytes.starts_with("PK"))
    readAsNpz(file.path(), bytes);
  else
    readAsNpy(file.path());
  return 0;
}
