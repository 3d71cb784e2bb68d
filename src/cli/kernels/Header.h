/// What a solver needs to launch kernels: a part of a C header, and modules of Fortran.
#ifndef TESSERA_CLI_KERNELS_HEADER_H
#define TESSERA_CLI_KERNELS_HEADER_H

#include "backend/Backend.h"
#include "lang/Language.h"
#include <set>

namespace tessera::cli::kernels {

bool usesBool(const Signature &kernel);

/// The kernel, with arguments as docs/runtime-abi.md says, and a launcher with its numbers of
/// groups and threads. `name` is what it is called in C; the launcher's name joins `taken`.
std::string declarations(const Signature &kernel, llvm::StringRef name, const Backend &backend,
                         std::set<std::string> &taken);

/// A module with interfaces of the kernels, named for the file `path`. It uses the module that all
/// such modules share.
std::string fortranModule(llvm::StringRef path, llvm::ArrayRef<const Signature *> kernels,
                          const Backend &backend);

/// The shared module, and the name of its file.
inline constexpr llvm::StringLiteral fortranRuntimeFile = "tessera_runtime.f90";
std::string fortranRuntime();

} // namespace tessera::cli::kernels

#endif
