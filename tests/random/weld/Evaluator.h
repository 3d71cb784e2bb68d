/// What a Weld program means, straight from docs/languages/weld.md: a walk over the checked tree.
/// It shares nothing with the compiler after the checker.
#ifndef TESSERA_TESTS_RANDOM_WELD_EVALUATOR_H
#define TESSERA_TESTS_RANDOM_WELD_EVALUATOR_H

#include "Value.h"
#include "support/Diagnostics.h"

namespace tessera::weld::random {

/// A program that has been parsed and checked.
struct Parsed {
  explicit Parsed(std::string text);

  SourceFile file;
  DiagnosticEngine diagnostics;
  std::unique_ptr<Program> program;
  bool isCorrect;

  std::string errors(); ///< One per line.
};

struct Limits {
  int64_t lanes = 8;              ///< Lanes of simd values: no result depends on it.
  int64_t maxSteps = 100'000'000; ///< Nodes of the tree.
};

struct Outcome {
  enum End { Finished, Failed, Unclear, TooLong };
  End end = Finished;
  Value value = {};      ///< If finished.
  std::string error;     ///< The name of the error, or why the result is unclear.
  LineColumn place = {}; ///< Where it failed.

  /// "[1, 2]", "fails at 1:5: ArrayOutOfBounds", "unclear", "too long"
  std::string text(const Program &program) const;
};

Outcome evaluate(const Program &program, llvm::ArrayRef<Value> arguments, Limits limits = {});

} // namespace tessera::weld::random

#endif
