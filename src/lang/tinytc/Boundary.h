/// Kernels as their callers see them.
#ifndef TESSERA_LANG_TINYTC_BOUNDARY_H
#define TESSERA_LANG_TINYTC_BOUNDARY_H

#include "lang/tinytc/Syntax.h"

namespace tessera::tinytc {

/// The signature of a checked function.
Signature signatureOf(const Function &function);

} // namespace tessera::tinytc

#endif
