#include "../Kind.h"
#include "Compare.h"
#include "Generator.h"
#include "Shrink.h"

using namespace tessera::ttl::random;

/// The evaluator decides whether a program terminates in time.
static std::string generateTerminating(uint64_t seed) {
  for (uint64_t attempt = 0;; ++attempt) {
    std::string text = generate(seed + (attempt << 40));
    if (endsInTime(text))
      return text;
  }
}

namespace tessera {
const Kind ttlKind = {"ttl",
                      "//",
                      generateTerminating,
                      compare,
                      [](const std::string &text) { return compareApart(text); },
                      classify,
                      shrink};
} // namespace tessera
