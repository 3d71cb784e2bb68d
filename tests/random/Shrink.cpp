#include "Shrink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using Clock = std::chrono::steady_clock;

/// The kind of a difference: the words before values and positions.
static std::string gist(llvm::StringRef difference) {
  std::string kind;
  for (char c : difference.take_front(60))
    if (!llvm::isDigit(c) && !llvm::is_contained({'.', '$', '[', ']'}, c))
      kind += c;
  return kind.substr(0, 24);
}

std::string tessera::shrink(const std::string &text, const Shrinking &how) {
  auto deadline = Clock::now() + how.maxTime;
  std::string smallest = text, kind = gist(how.compare(text));
  for (bool changed = !kind.empty(); changed;) {
    changed = false;
    for (std::string &smaller : how.steps(smallest)) {
      if (Clock::now() > deadline)
        return smallest;
      if (gist(how.compare(smaller)) != kind)
        continue;
      smallest = std::move(smaller);
      changed = true;
      break;
    }
  }
  return smallest;
}
