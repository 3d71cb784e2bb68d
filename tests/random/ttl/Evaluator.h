/// The meaning of a TTL program, straight from docs/languages/ttl.md: a slow walk over the checked
/// tree that shares nothing with the lowering. Random programs are compared with it.
#ifndef TESSERA_TESTS_RANDOM_TTL_EVALUATOR_H
#define TESSERA_TESTS_RANDOM_TTL_EVALUATOR_H

#include "lang/ttl/Syntax.h"
#include <optional>

namespace tessera::ttl::random {

/// A position where a program's behavior is undefined.
struct Fault {
  std::string rule; ///< "ttl.checked.9"
  LineColumn at;
  size_t printed = 0; ///< Bytes of output before the fault.
};

/// How a run ends. After overflow, reads of unwritten elements and non-positive steps it continues
/// as ttl.defined says; after any other undefined case nothing is certain.
enum class End { Finished, DividedByZero, Undefined, TooLong };

struct Outcome {
  End end = End::Finished;
  int32_t result = 0; ///< The result of `main`; 0 if it is `void`.
  std::string output;
  std::optional<Fault> undefined; ///< The first undefined case, which --checked reports.
  std::optional<Fault> division;  ///< Set by DividedByZero.
};

/// `maxSteps` bounds the work, roughly in scalar operations.
Outcome evaluate(const Program &program, int64_t maxSteps);

} // namespace tessera::ttl::random

#endif
