/// A program in every mode against the interpreter.
#ifndef TESSERA_TESTS_RANDOM_TC_COMPARE_H
#define TESSERA_TESTS_RANDOM_TC_COMPARE_H

#include "Interpreter.h"

namespace tessera::tc::random {

constexpr int64_t maxSteps = 20000000;

/// "" where all agree; else what differs. A program without a call in its first line is called with
/// some sizes of our own.
std::string compare(const std::string &text);
/// The same in a process of its own.
std::string compareApart(const std::string &text);

/// How it ends, and what is known of its floats.
std::string classify(const std::string &text);

/// How formatting changes a program: not at all, or "" is not returned.
std::string compareFormatted(const SourceFile &file);

/// An array as the program's memory holds it, and back: "" or how it differs.
std::string encoded(const Array &array);
std::string difference(const Array &expected, const char *bytes);

} // namespace tessera::tc::random

#endif
