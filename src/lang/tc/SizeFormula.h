/// Sizes in a form that does not depend on TC: as steps of arithmetic.
#ifndef TESSERA_LANG_TC_SIZEFORMULA_H
#define TESSERA_LANG_TC_SIZEFORMULA_H

#include "lang/Language.h"
#include "lang/tc/Size.h"

namespace tessera::tc {

/// Empty if the formula would be too long.
SizeFormula formulaOf(Size size);

} // namespace tessera::tc

#endif
