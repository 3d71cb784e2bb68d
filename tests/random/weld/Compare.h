/// Compares a program in every mode with the evaluator.
#ifndef TESSERA_TESTS_RANDOM_WELD_COMPARE_H
#define TESSERA_TESTS_RANDOM_WELD_COMPARE_H

#include "Case.h"

namespace tessera::weld::random {

/// Returns "" if all agree, else the difference.
std::string compare(const std::string &text);
/// The same in a process of its own.
std::string compareApart(const std::string &text);
/// How it ends: "finishes", "KeyNotFoundError", ...
std::string classify(const std::string &text);

/// The first difference of two values: "" or ".$1[3]: 2 instead of 3".
std::string difference(const Type &type, const Value &expected, const Value &found);

} // namespace tessera::weld::random

#endif
