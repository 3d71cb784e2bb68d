/// Decimal numbers of any length.
#ifndef TESSERA_SUPPORT_DECIMAL_H
#define TESSERA_SUPPORT_DECIMAL_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tessera {

/// A number that every format of at most 64 bits rounds like this one, with so few digits that
/// llvm::APFloat can read it: it overflows its buffers with tens of thousands of them. Short texts
/// and hexadecimal numbers are returned as they are.
std::string roundableDecimal(llvm::StringRef number);

} // namespace tessera

#endif
