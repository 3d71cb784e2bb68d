/// tinytc by its rules: each work-item has its own values and its own position in the program. They
/// wait for each other at barriers and where a subgroup acts together. It shares only the checked
/// tree with the compiler.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_EVALUATOR_H
#define TESSERA_TESTS_RANDOM_TINYTC_EVALUATOR_H

#include "Memory.h"
#include <variant>

namespace tessera::tinytc::random {

using Group = std::vector<Memref>;
/// The components of a coopmatrix, column by column.
using Matrix = std::vector<Quantity>;
using Datum =
    std::variant<Quantity, Memref, std::shared_ptr<const Group>, std::shared_ptr<const Matrix>>;

struct Outcome {
  enum End { Finished, Unclear, Undefined, TooLong };
  End end = Finished;
  std::string why = {}; ///< Why it did not finish.
};

/// Runs all groups in order. Arguments are the parameters' values; what they refer to
/// changes.
Outcome evaluate(const Function &function, llvm::ArrayRef<Datum> arguments, int64_t numGroups,
                 int64_t maxSteps = 2'000'000);

} // namespace tessera::tinytc::random

#endif
