/// One file defines both symbols, so two versions of the library in one program define one of them
/// twice and are rejected instead of mixed.
#include "runtime/Version.h"
#include "runtime/VersionSymbol.inc" // versionedSymbol, by cmake/HashFolder.cmake

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name

extern "C" {
extern const char versionedSymbol;
const char versionedSymbol = 0;
}

const char tessera::runtime::versionSymbol[] = TEXT(versionedSymbol);
