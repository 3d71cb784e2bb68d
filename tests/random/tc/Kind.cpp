#include "../Kind.h"
#include "Compare.h"

using namespace tessera::tc::random;

namespace tessera {
const Kind tcKind = {"tc", "#", nullptr, compare, compareApart, nullptr};
} // namespace tessera
