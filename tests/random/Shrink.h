/// Makes failing programs small.
#ifndef TESSERA_TESTS_RANDOM_SHRINK_H
#define TESSERA_TESTS_RANDOM_SHRINK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <string>
#include <vector>

namespace tessera {

/// How programs of a language are made smaller.
struct Shrinking {
  /// Returns all programs that are one step smaller; they need not be correct.
  llvm::function_ref<std::vector<std::string>(const std::string &)> steps;
  /// Returns the difference among the ways to run a program; "" if it is not correct.
  llvm::function_ref<std::string(const std::string &)> compare;
  std::chrono::seconds maxTime;
};

/// Takes steps as long as one of them leads to the same kind of difference.
std::string shrink(const std::string &text, const Shrinking &how);

} // namespace tessera

#endif
