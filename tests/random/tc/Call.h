/// One call of a program: the def, the sizes and the data. It is written as a comment before the
/// program, so that a file is complete.
#ifndef TESSERA_TESTS_RANDOM_TC_CALL_H
#define TESSERA_TESTS_RANDOM_TC_CALL_H

#include "Number.h"
#include "Plan.h"

namespace tessera::tc::random {

struct Call {
  std::string entry;
  uint64_t seed = 1;
  Values sizes;  ///< Values of size variables.
  Values limits; ///< For arguments that are indices: their exclusive upper limits.

  std::string text() const; ///< "# call: f seed=7 N=3 M=4 P<5"
};
std::optional<Call> readCall(llvm::StringRef program);

struct Array {
  Scalar type = Scalar::F32;
  Box box;
  std::vector<Number> elements; ///< Row-major.
};
int64_t numElements(const Box &box);

/// The elements of an argument, or of a result before the call; they depend only on the name.
Array makeArray(const Call &call, llvm::StringRef name, Scalar type, const Box &box);
/// The values that the plan needs: sizes, and integer arguments of rank 0.
Values valuesOf(const Call &call, const Def &def);

} // namespace tessera::tc::random

#endif
