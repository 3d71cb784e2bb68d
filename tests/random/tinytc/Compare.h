/// Compares a program in every mode with the evaluator.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_COMPARE_H
#define TESSERA_TESTS_RANDOM_TINYTC_COMPARE_H

#include "Case.h"

namespace tessera::tinytc::random {

/// Returns "" if all agree, else the difference.
std::string compare(const std::string &text);
/// The same in a process of its own.
std::string compareApart(const std::string &text);
/// How its functions end: "finishes", or the reason why not.
std::string classify(const std::string &text);

/// Returns "" if printing and formatting keep a program, else the change (Printed.cpp).
std::string comparePrinted(const Parsed &parsed, const std::string &text);
/// The program after the language's own passes, as text.
std::string optimized(const Program &program);

} // namespace tessera::tinytc::random

#endif
