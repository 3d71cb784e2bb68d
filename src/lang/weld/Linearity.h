/// Checks that each builder is used once on every path, and that a loop returns the builder it
/// received.
#ifndef TESSERA_LANG_WELD_LINEARITY_H
#define TESSERA_LANG_WELD_LINEARITY_H

#include "lang/weld/Reporter.h"

namespace tessera::weld {

/// The types of the program must be known. Inside a loop, the name of the builder that it began
/// with is changed to that of the loop's own [weld.linear.6].
void checkLinearity(Program &program, Reporter &reporter);

} // namespace tessera::weld

#endif
