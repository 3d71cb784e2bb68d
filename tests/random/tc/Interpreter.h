/// What a TC program means, straight from docs/languages/tc.md: numeric ranges, then plain loops
/// over the checked tree. It shares nothing with the compiler after the checker.
#ifndef TESSERA_TESTS_RANDOM_TC_INTERPRETER_H
#define TESSERA_TESTS_RANDOM_TC_INTERPRETER_H

#include "Call.h"

namespace tessera::tc::random {

/// A case that --checked reports.
struct Fault {
  std::string rule; ///< "tc.checked.1"
  LineColumn at;
};

enum class End {
  Finished,
  Rejected,  ///< The sizes do not fit.
  Undefined, ///< A read was out of range.
  Unclear,   ///< A decision depends on an uncertain float, or on what no rule specifies.
  TooLong
};

struct Outcome {
  End end = End::Finished;
  Rejection rejection = {};
  std::vector<Array> results;                ///< By Def::returns, if finished.
  std::vector<Array> initials;               ///< Initial contents of results, in order.
  std::map<std::string, Array> defined = {}; ///< All that the def defines, if finished.
  std::optional<Fault> fault = std::nullopt;
  std::unique_ptr<Plan> plan = nullptr; ///< Unless rejected.
};

/// `maxSteps` bounds the work, in nodes of the tree.
Outcome interpret(const Program &program, const Call &call, int64_t maxSteps);

/// A checked program; null if it has errors.
struct Parsed {
  SourceFile file;
  std::unique_ptr<Program> program;
  std::string errors;
};
std::unique_ptr<Parsed> parseAndCheck(const std::string &text);
const Def *defNamed(const Program &program, llvm::StringRef name);

/// Checks the types in the tree against the rules of tc.type; returns "" or the first mismatch.
std::string wrongType(const Program &program);

} // namespace tessera::tc::random

#endif
