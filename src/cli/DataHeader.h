/// The part of a C header that declares a function on values in memory.
#ifndef TESSERA_CLI_DATAHEADER_H
#define TESSERA_CLI_DATAHEADER_H

#include "backend/Backend.h"
#include "lang/Language.h"

namespace tessera::cli {

bool holdsBool(const DataType &type);

/// Declares the types of its arguments and its result, the function, a variant that takes arguments
/// one by one, and the C functions that it calls. `name` is its name in C.
std::string dataDeclarations(const Signature &function, llvm::StringRef name,
                             llvm::ArrayRef<ForeignFunction> foreign, const Backend &backend);

} // namespace tessera::cli

#endif
