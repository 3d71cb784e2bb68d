/// Each builder is used once on every path, and a loop gives back the builder that it got.
#ifndef TESSERA_LANG_WELD_LINEARITY_H
#define TESSERA_LANG_WELD_LINEARITY_H

#include "lang/weld/Reporter.h"

namespace tessera::weld {

/// Of a program whose types are known. A use of the builder that an inner loop has taken over is
/// changed into a use of the loop's own [weld.linear.6].
void checkLinearity(Program &program, Reporter &reporter);

} // namespace tessera::weld

#endif
