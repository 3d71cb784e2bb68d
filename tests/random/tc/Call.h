/// One call of a program: which def, for which sizes, with which data. It is written as a comment
/// in front of the program, so that a file says all there is to say.
#ifndef TESSERA_TESTS_RANDOM_TC_CALL_H
#define TESSERA_TESTS_RANDOM_TC_CALL_H

#include "Number.h"
#include "Plan.h"

namespace tessera::tc::random {

struct Call {
  std::string entry;
  uint64_t seed = 1;
  Values sizes;  ///< Values of size variables.
  Values limits; ///< Arguments that are indices: below what.

  std::string text() const; ///< "# call: f seed=7 N=3 M=4 P<5"
};
std::optional<Call> readCall(llvm::StringRef program);

struct Array {
  Scalar type = Scalar::F32;
  Box box;
  std::vector<Number> elements; ///< Row-major.
};
int64_t numElements(const Box &box);

/// The elements of an argument, or of a result before the call: always the same for one name.
Array makeArray(const Call &call, llvm::StringRef name, Scalar type, const Box &box);
/// What the plan has to know: sizes, and integer arguments of rank 0.
Values valuesOf(const Call &call, const Def &def);

} // namespace tessera::tc::random

#endif
