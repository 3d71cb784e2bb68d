/// The version of this runtime. Precompiled code refers to a symbol that no other version defines,
/// because it relies on layouts and functions that may change.
#ifndef TESSERA_RUNTIME_VERSION_H
#define TESSERA_RUNTIME_VERSION_H

namespace tessera::runtime {

/// The symbol's name.
extern const char versionSymbol[];

} // namespace tessera::runtime

#endif
