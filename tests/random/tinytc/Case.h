/// A program with its calls, which are comments before it. So a file is complete:
///   ; @f groups=3 threads=2 seed=17
///   ; @f %alpha = 2.5
///   ; @f %A shape 4x3 strides 1x6 fill nan
///   ; @f %G shape 4x3 shape 2x3 offset 5
/// A group has one `shape` per member; `-` is the shape of order 0. Strides are packed unless they
/// are given, and static parts of the type may be omitted.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_CASE_H
#define TESSERA_TESTS_RANDOM_TINYTC_CASE_H

#include "Evaluator.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

namespace tessera::tinytc::random {

/// What memory holds before the call.
enum class Fill {
  Small, ///< Small integers, and multiples of 1/4 with as few bits: their sums are exact.
  Rough, ///< Floats of all bits.
  NaN,   ///< For integers the least number.
  Index, ///< 0, 1, 2, ...: usable as indices.
};

struct MemberCall {
  llvm::SmallVector<int64_t, 3> shape = {}, strides = {};
};
struct ArgumentCall {
  std::string value = {}; ///< The value of a scalar.
  std::vector<MemberCall> members = {};
  int64_t offset = 0;
  Fill fill = Fill::Small;
};
/// How a function is called.
struct Call {
  int64_t groups = 1, threads = 1;
  uint64_t seed = 0;
  llvm::StringMap<ArgumentCall> arguments = {}; ///< By name with `%`.
};

/// The call of a function according to the comments. Returns nullopt if they are invalid.
std::optional<Call> readCall(llvm::StringRef text, llvm::StringRef function);

/// The values of the parameters. Throws Undefined if types and call contradict each other.
std::vector<Datum> makeArguments(const Function &function, const Call &call);

/// A program that has been parsed and checked.
struct Parsed {
  explicit Parsed(const std::string &text);
  std::string errors();

  SourceFile file;
  DiagnosticEngine diagnostics;
  std::unique_ptr<Program> program;
  bool isCorrect;
};

} // namespace tessera::tinytc::random

#endif
