#include "../Kind.h"
#include "Compare.h"
#include "Generator.h"
#include "Shrink.h"

using namespace tessera::weld::random;

namespace tessera {
const Kind weldKind = {"weld", "#", generate, compare, compareApart, classify, shrink};
} // namespace tessera
