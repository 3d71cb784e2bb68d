/// Compares a program in every mode with the evaluator.
#ifndef TESSERA_TESTS_RANDOM_TTL_COMPARE_H
#define TESSERA_TESTS_RANDOM_TTL_COMPARE_H

#include <string>

namespace tessera::ttl::random {

/// Returns "" if all agree, else the difference. Redirects standard output permanently.
std::string compare(const std::string &text);

/// The same in a process of its own, which may crash or hang: `seconds` bounds each run.
std::string compareApart(const std::string &text, unsigned seconds = 5);

/// How it ends.
std::string classify(const std::string &text);

/// Whether the program is accepted and the evaluator finishes.
bool endsInTime(const std::string &text);

} // namespace tessera::ttl::random

#endif
