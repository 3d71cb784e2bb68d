/// Expands macros: names refer to their variables, calls of macros become their text.
#ifndef TESSERA_LANG_WELD_MACROS_H
#define TESSERA_LANG_WELD_MACROS_H

#include "lang/weld/Reporter.h"

namespace tessera::weld {

/// map, filter, flatten, compare, sum: written in Weld.
const Program &standardMacros();

/// Sets the parameters and the value of a program without syntax errors. Returns false if its
/// macros are invalid or the result is too large.
bool expandMacros(Program &program, Reporter &reporter);

} // namespace tessera::weld

#endif
