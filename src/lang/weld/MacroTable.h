/// The macros that a program may call.
#ifndef TESSERA_LANG_WELD_MACROTABLE_H
#define TESSERA_LANG_WELD_MACROTABLE_H

#include "lang/weld/Reporter.h"

namespace tessera::weld {

/// The program's own macros and the standard ones.
class MacroTable {
public:
  MacroTable(const Program &program) : program(program) {}

  /// Reports invalid definitions, whether they are called or not.
  void check(Reporter &reporter) const;
  /// The program's own macros come first; null if there is none.
  const Macro *named(llvm::StringRef name) const;
  void listNames(llvm::SmallVectorImpl<llvm::StringRef> &names) const;

private:
  const Macro *standard(llvm::StringRef name) const;
  void checkName(const Macro &macro, Reporter &reporter) const;
  void checkRecursion(const Macro &macro, Reporter &reporter) const;
  bool reaches(const Macro &from, const Macro &goal, llvm::SmallVectorImpl<const Macro *> &path,
               llvm::SmallVectorImpl<const Macro *> &seen) const;

  const Program &program;
};

} // namespace tessera::weld

#endif
