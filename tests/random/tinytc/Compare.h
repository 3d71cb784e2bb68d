/// A program in every mode against the evaluator.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_COMPARE_H
#define TESSERA_TESTS_RANDOM_TINYTC_COMPARE_H

#include "Case.h"

namespace tessera::tinytc::random {

/// "" where all agree; else what differs.
std::string compare(const std::string &text);
/// The same in a process of its own.
std::string compareApart(const std::string &text);
/// How its functions end: "finishes", or why not.
std::string classify(const std::string &text);

/// "" where printing and formatting keep a program; else what they change (Printed.cpp).
std::string comparePrinted(const Parsed &parsed, const std::string &text);
/// The program after the language's own passes, as text.
std::string optimized(const Program &program);

} // namespace tessera::tinytc::random

#endif
