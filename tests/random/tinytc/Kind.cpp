#include "../Kind.h"
#include "Compare.h"
#include "Generator.h"
#include "Shrink.h"

using namespace tessera::tinytc::random;

namespace tessera {
const Kind tinytcKind = {"tinytc", ";", generate, compare, compareApart, classify, shrink};
} // namespace tessera
