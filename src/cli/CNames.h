/// Names and types as C writes them.
#ifndef TESSERA_CLI_CNAMES_H
#define TESSERA_CLI_CNAMES_H

#include "backend/Backend.h"
#include "lang/DataType.h"
#include <set>

namespace tessera::cli {

/// The narrow floats have no type that every C compiler knows: they are passed as their bits.
std::string cType(Scalar scalar);

/// Names of parameters. Names that are not possible or already used in C get underscores; those
/// that begin with a digit get a prefix like functions.
class CNames {
public:
  CNames(const Backend &backend, llvm::StringRef language, std::set<std::string> taken)
      : backend(backend), language(language), taken(std::move(taken)) {}
  std::string make(std::string name);

private:
  const Backend &backend;
  llvm::StringRef language;
  std::set<std::string> taken;
};

} // namespace tessera::cli

#endif
