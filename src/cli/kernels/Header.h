/// What a solver needs that launches kernels: the part of a C header, and a module of Fortran.
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

/// Interfaces to all of them. `path` names the module.
std::string fortranModule(llvm::StringRef path, llvm::ArrayRef<const Signature *> kernels,
                          const Backend &backend);

} // namespace tessera::cli::kernels

#endif
