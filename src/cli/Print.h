/// Values as text, in the formats that programs print with.
#ifndef TESSERA_CLI_PRINT_H
#define TESSERA_CLI_PRINT_H

#include "tessera/runtime.h"
#include <string>

namespace tessera::cli {

std::string elementText(tessera_dtype dtype, const void *element);

} // namespace tessera::cli

#endif
