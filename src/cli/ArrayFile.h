/// Arrays in NumPy's files.
#ifndef TESSERA_CLI_ARRAYFILE_H
#define TESSERA_CLI_ARRAYFILE_H

#include "cli/Tensor.h"
#include "cli/Zip.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::cli {

/// How somebody wants an array.
struct WantedArray {
  Scalar element;
  bool isComplex = false; ///< Numbers are had as their parts: two, along a last dimension.
  bool *isText = nullptr; ///< Texts (NumPy's `S8`) are had as their bytes, along a last dimension,
                          ///< where there is a place to say so.
  ReadProgress progress = nullptr;
  bool orDouble = false; ///< float64 is had as it is, where another float is wanted.
};

/// Reads FILE.npy, FILE.npz:NAME, or FILE.npz where it holds one array. A row-major .npy file is
/// mapped, not copied. Nothing, and the reason in `problem`, when it cannot be had as wanted.
std::optional<Tensor> readArrayFile(llvm::StringRef path, const WantedArray &wanted,
                                    std::string &problem);

/// The names of the arrays in a .npz file, in order; nothing, and the reason in `problem`, when it
/// is none.
std::optional<std::vector<std::string>> arrayNames(llvm::StringRef path, std::string &problem);

/// A file's elements where they are; writing to them never changes the file.
struct MappedArray {
  std::shared_ptr<void> owner;
  void *data;
  llvm::SmallVector<int64_t, 4> shape;
};

/// A .npy file of such elements in column-major order. Nothing where it is any other file, which
/// readArrayFile may have something to say about.
std::optional<MappedArray> mapColumnMajor(llvm::StringRef path, tessera_dtype dtype);

/// Writes a .npy file; the view may have strides. Column-major views stay so.
void writeNpy(llvm::raw_ostream &out, const tessera_view &view);

} // namespace tessera::cli

#endif
