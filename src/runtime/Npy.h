/// NumPy's .npy files. On failure, functions return false and leave a sentence with the path in
/// `message`.
#ifndef TESSERA_RUNTIME_NPY_H
#define TESSERA_RUNTIME_NPY_H

#include "runtime/Text.h"
#include "tessera/runtime.h"

namespace tessera::runtime {

constexpr int32_t maxNpyRank = 32;

/// The header: the type of the elements and where they begin. bf16 is stored as uint16.
struct NpyHeader {
  tessera_dtype dtype{};
  int32_t ndim = 0;
  int64_t shape[maxNpyRank] = {};
  bool fortranOrder = false;
  bool isText = false; ///< `S8`: bytes, along the last dimension; a text is padded with zeros.
  int64_t headerBytes = 0, dataBytes = 0;
};

/// An array read from a file, mapped if possible; writing to it never changes the file.
struct NpyArray : NpyHeader {
  void *data = nullptr;
  int64_t strides[maxNpyRank] = {};

  /// Valid as long as the array.
  tessera_view view();

  void *mapping = nullptr;
  int64_t mappedBytes = 0;
  void *memory = nullptr;
};

bool readNpy(const char *path, NpyArray &array, Message &message);
void releaseNpy(NpyArray &array);

/// Reads the header in the first `size` bytes of a file; additional bytes do no harm.
bool parseNpyHeader(const char *bytes, int64_t size, NpyHeader &header, Message &message);

/// NumPy's name of a type, such as `<f4`. bfloat16 has none; its bits are stored: `<u2`.
struct NpyType {
  char text[8];
};
NpyType npyTypeOf(tessera_dtype dtype);

} // namespace tessera::runtime

#endif
