/// A program in every mode against the evaluator.
#ifndef TESSERA_TESTS_RANDOM_TTL_COMPARE_H
#define TESSERA_TESTS_RANDOM_TTL_COMPARE_H

#include <string>

namespace tessera::ttl::random {

/// "" where all agree; else what differs. Redirects standard output for good.
std::string compare(const std::string &text);

/// The same in a process of its own, which may crash or hang: `seconds` bounds each run.
std::string compareApart(const std::string &text, unsigned seconds = 5);

/// How it ends.
std::string classify(const std::string &text);

/// Whether the program is accepted and the evaluator comes to its end.
bool endsInTime(const std::string &text);

} // namespace tessera::ttl::random

#endif
