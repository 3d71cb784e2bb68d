/// NumPy's .npy files. Functions return false and leave a sentence in `message`, with the path.
#ifndef TESSERA_RUNTIME_NPY_H
#define TESSERA_RUNTIME_NPY_H

#include "runtime/Text.h"
#include "tessera/runtime.h"

namespace tessera::runtime {

constexpr int32_t maxNpyRank = 32;

/// The header: what the elements are and where they begin. bf16 is stored as uint16.
struct NpyHeader {
  tessera_dtype dtype{};
  int32_t ndim = 0;
  int64_t shape[maxNpyRank] = {};
  bool fortranOrder = false;
  bool isText = false; ///< `S8`: bytes, along a last dimension; behind a text there are zeros.
  int64_t headerBytes = 0, dataBytes = 0;
};

/// An array read from a file: mapped where possible; writing to it never changes the file.
struct NpyArray : NpyHeader {
  void *data = nullptr;
  int64_t strides[maxNpyRank] = {};

  /// Valid while the array lives.
  tessera_view view();

  void *mapping = nullptr;
  int64_t mappedBytes = 0;
  void *memory = nullptr;
};

bool readNpy(const char *path, NpyArray &array, Message &message);
void releaseNpy(NpyArray &array);

/// Reads the header in the first `size` bytes of a file; more bytes than it needs do no harm.
bool parseNpyHeader(const char *bytes, int64_t size, NpyHeader &header, Message &message);

/// NumPy's name of a type, such as `<f4`. It has none for bfloat16, whose bits are stored: `<u2`.
struct NpyType {
  char text[8];
};
NpyType npyTypeOf(tessera_dtype dtype);

} // namespace tessera::runtime

#endif
