/// Sizes in C.
#ifndef TESSERA_CLI_CSIZES_H
#define TESSERA_CLI_CSIZES_H

#include "lang/Language.h"
#include <map>

namespace tessera::cli {

/// A size is a number, a parameter in C, or a formula over these.
class CSizes {
public:
  /// The functions that formulas call, for a header that may be included with others.
  static const llvm::StringLiteral functions;
  static bool callsFunctions(const Parameter &parameter);

  /// The expression for the size of this name.
  void add(llvm::StringRef name, std::string cName) { names[name.str()] = std::move(cName); }
  /// The name of a size without an expression so far; otherwise "".
  llvm::StringRef missing(const Parameter &parameter, size_t dimension) const;
  bool areKnown(const Parameter &parameter) const;
  std::string text(const Parameter &parameter, size_t dimension) const;

private:
  bool isKnown(const Parameter &parameter, size_t dimension) const;
  std::string formulaText(const SizeFormula &formula) const;

  std::map<std::string, std::string> names;
};

} // namespace tessera::cli

#endif
