/// Which runtime this is. Code made ahead of time refers to a symbol that no other version has:
/// layouts and functions that it relies on may change, and so must not be linked with others.
#ifndef TESSERA_RUNTIME_VERSION_H
#define TESSERA_RUNTIME_VERSION_H

namespace tessera::runtime {

/// The symbol's name.
extern const char versionSymbol[];

} // namespace tessera::runtime

#endif
