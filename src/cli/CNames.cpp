#include "cli/CNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;

std::string tessera::cli::cType(Scalar scalar) {
  switch (scalar) {
  case Scalar::Bool:
    return "bool";
  case Scalar::F16:
  case Scalar::BF16:
    return "uint16_t";
  case Scalar::F32:
    return "float";
  case Scalar::F64:
    return "double";
  default:
    return name(scalar).str() + "_t";
  }
}

std::string CNames::make(std::string name) {
  for (char &c : name) // Names in Weld may contain a `$`.
    if (!llvm::isAlnum(c))
      c = '_';
  if (std::string other = backend.exportedName(language, name); other != name)
    name = llvm::isDigit(name.front()) ? other : name + '_';
  while (!taken.insert(name).second)
    name += '_';
  return name;
}
