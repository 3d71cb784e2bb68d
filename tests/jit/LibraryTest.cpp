#include "jit/RuntimeSymbols.h"
#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace tessera::jit;

namespace {

const char *const names[] = {
#define TESSERA_LIBRARY(name) #name, #name "f",
#include "backend/cpu/Library.def"
};

/// The JIT must find every function that the back end takes for a library function.
TEST(Library, IsKnownToTheJit) {
  std::set<std::string> known;
  for (const RuntimeSymbol &symbol : runtimeSymbols())
    known.insert(symbol.name);
  for (const char *name : names)
    EXPECT_TRUE(known.count(name)) << name;
}

} // namespace
