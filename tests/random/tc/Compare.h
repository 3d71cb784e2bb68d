/// Compares a program in every mode with the interpreter.
#ifndef TESSERA_TESTS_RANDOM_TC_COMPARE_H
#define TESSERA_TESTS_RANDOM_TC_COMPARE_H

#include "Interpreter.h"

namespace tessera::tc::random {

constexpr int64_t maxSteps = 20000000;

/// Returns "" if all agree, else the difference. A program without a call in its first line is
/// called with some sizes.
std::string compare(const std::string &text);
/// The same in a process of its own.
std::string compareApart(const std::string &text);

/// How it ends, and how exact its floats are.
std::string classify(const std::string &text);

/// Returns how formatting changes the program, or "".
std::string compareFormatted(const SourceFile &file);

/// Converts an array to the program's memory and back: returns "" or the difference.
std::string encoded(const Array &array);
std::string difference(const Array &expected, const char *bytes);

} // namespace tessera::tc::random

#endif
