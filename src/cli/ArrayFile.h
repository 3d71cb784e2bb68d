/// Arrays in NumPy's files.
#ifndef TESSERA_CLI_ARRAYFILE_H
#define TESSERA_CLI_ARRAYFILE_H

#include "cli/Tensor.h"
#include "cli/Zip.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::cli {

/// The requested form of an array.
struct WantedArray {
  Scalar element;
  bool isComplex = false; ///< Complex numbers become their parts: two, along a last dimension.
  bool *isText = nullptr; ///< If not null: texts (NumPy's `S8`) become their bytes, along a last
                          ///< dimension, and it says so.
  ReadProgress progress = nullptr;
  bool orDouble = false; ///< float64 is accepted as it is for another float.
};

/// Reads FILE.npy, FILE.npz:NAME, or FILE.npz if it contains one array. A row-major .npy file is
/// mapped, not copied. Returns nullopt and sets `problem` if it cannot be read as requested.
std::optional<Tensor> readArrayFile(llvm::StringRef path, const WantedArray &wanted,
                                    std::string &problem);

/// The names of the arrays in a .npz file, in order. Returns nullopt and sets `problem` for other
/// files.
std::optional<std::vector<std::string>> arrayNames(llvm::StringRef path, std::string &problem);

/// A file's elements in place; writing to them never changes the file.
struct MappedArray {
  std::shared_ptr<void> owner;
  void *data;
  llvm::SmallVector<int64_t, 4> shape;
};

/// A .npy file of such elements in column-major order; nullopt for any other file, about which
/// readArrayFile may report a problem.
std::optional<MappedArray> mapColumnMajor(llvm::StringRef path, tessera_dtype dtype);

/// Writes a .npy file; the view may have strides. Column-major views stay column-major.
void writeNpy(llvm::raw_ostream &out, const tessera_view &view);

} // namespace tessera::cli

#endif
