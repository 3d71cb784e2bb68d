/// The part of a C header that declares a function on values in memory.
#ifndef TESSERA_CLI_DATAHEADER_H
#define TESSERA_CLI_DATAHEADER_H

#include "backend/Backend.h"
#include "lang/Language.h"

namespace tessera::cli {

bool holdsBool(const DataType &type);

/// The types of its arguments and its result, the function, one that takes arguments one by one,
/// and those in C that it calls. `name` is what it is called in C.
std::string dataDeclarations(const Signature &function, llvm::StringRef name,
                             llvm::ArrayRef<ForeignFunction> foreign, const Backend &backend);

} // namespace tessera::cli

#endif
