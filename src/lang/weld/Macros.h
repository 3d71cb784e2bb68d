/// The program without macros: names find their variables, calls of macros become their text.
#ifndef TESSERA_LANG_WELD_MACROS_H
#define TESSERA_LANG_WELD_MACROS_H

#include "lang/weld/Reporter.h"

namespace tessera::weld {

/// map, filter, flatten, compare, sum: written in Weld.
const Program &standardMacros();

/// Sets the parameters and the value of a program that has been read without errors. False where
/// what comes of it is no program: it is too large, or its macros are in error.
bool expandMacros(Program &program, Reporter &reporter);

} // namespace tessera::weld

#endif
