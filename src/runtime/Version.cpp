/// One file has both symbols: libraries of two versions in one program define one of them twice,
/// and do not get mixed up.
#include "runtime/Version.h"
#include "runtime/VersionSymbol.inc" // versionedSymbol, by cmake/HashFolder.cmake

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name

extern "C" {
extern const char versionedSymbol;
const char versionedSymbol = 0;
}

const char tessera::runtime::versionSymbol[] = TEXT(versionedSymbol);
