#include "runtime/Generated.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>

// Only to take addresses of: the types do not matter.
#define TESSERA_LIB_SYMBOL(name) extern "C" void name();
#include "runtime/Symbols.def"

namespace {

/// The name stands for several functions in C++, one in C.
template <typename Return, typename... Arguments>
void *addressOfC(Return (*function)(Arguments...)) {
  return reinterpret_cast<void *>(function);
}

TEST(Symbols, AreDefinedAndListedOnce) {
  std::multiset<std::string> names;
#define TESSERA_SYMBOL(name)                                                                       \
  EXPECT_NE(addressOfC(&name), nullptr);                                                           \
  names.insert(#name);
#define TESSERA_C_SYMBOL(name) names.insert(#name);
#define TESSERA_LIB_SYMBOL(name)                                                                   \
  EXPECT_NE(addressOfC(&name), nullptr);                                                           \
  names.insert(#name);
#include "runtime/Symbols.def"
  for (const std::string &name : names)
    EXPECT_EQ(names.count(name), 1u) << name;
}

} // namespace
