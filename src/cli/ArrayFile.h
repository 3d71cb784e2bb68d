/// Arrays in NumPy's files.
#ifndef TESSERA_CLI_ARRAYFILE_H
#define TESSERA_CLI_ARRAYFILE_H

#include "cli/Tensor.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::cli {

/// Reads FILE.npy, FILE.npz:NAME, or FILE.npz where it holds one array. A row-major .npy file is
/// mapped, not copied. Nothing, and the reason in `problem`, when it cannot be had as `element`.
std::optional<Tensor> readArrayFile(llvm::StringRef path, Scalar element, std::string &problem);

/// Writes a .npy file; the view may have strides.
void writeNpy(llvm::raw_ostream &out, const tessera_view &view);

} // namespace tessera::cli

#endif
