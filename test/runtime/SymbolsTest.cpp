#include <gtest/gtest.h>
#include <set>
#include <string>

#define TESSERA_SYMBOL(name) extern "C" void symbol_##name() __asm__(#name);
#define TESSERA_C_SYMBOL(name) TESSERA_SYMBOL(name)
#define TESSERA_LIB_SYMBOL(name) TESSERA_SYMBOL(name)
#include "runtime/Symbols.def"

namespace {

struct Symbol {
  const char *name;
  void (*address)();
};

const Symbol symbols[] = {
#define TESSERA_SYMBOL(name) {#name, symbol_##name},
#define TESSERA_C_SYMBOL(name) TESSERA_SYMBOL(name)
#define TESSERA_LIB_SYMBOL(name) TESSERA_SYMBOL(name)
#include "runtime/Symbols.def"
};

TEST(Symbols, AreDefinedAndListedOnce) {
  std::set<std::string> names;
  for (const Symbol &symbol : symbols) {
    EXPECT_TRUE(names.insert(symbol.name).second) << symbol.name;
    EXPECT_NE(symbol.address, nullptr) << symbol.name;
  }
}

TEST(Symbols, AreTheFunctionsThemselves) {
  for (const Symbol &symbol : symbols)
    if (symbol.name == std::string("sqrtf"))
      EXPECT_EQ(reinterpret_cast<float (*)(float)>(symbol.address)(9), 3);
}

} // namespace
