#include "../Kind.h"
#include "Compare.h"
#include "Generator.h"
#include "Shrink.h"

using namespace tessera::tc::random;

namespace tessera {
const Kind tcKind = {"tc", "#", generate, compare, compareApart, classify, shrink};
} // namespace tessera
