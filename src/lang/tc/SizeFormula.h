/// Sizes for those who know nothing of TC: as steps of arithmetic.
#ifndef TESSERA_LANG_TC_SIZEFORMULA_H
#define TESSERA_LANG_TC_SIZEFORMULA_H

#include "lang/Language.h"
#include "lang/tc/Size.h"

namespace tessera::tc {

/// Empty where it would be too long to be written down.
SizeFormula formulaOf(Size size);

} // namespace tessera::tc

#endif
