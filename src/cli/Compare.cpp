/// Comparison of results with expected values.
#include "cli/Elements.h"
#include "cli/Print.h"
#include "cli/Results.h"
#include <cmath>

using namespace tessera;
using namespace tessera::cli;

bool cli::agree(long double actual, long double expected, double rtol, double atol) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected)))
    return true;
  // An infinite tolerance, from an infinite expected value, would accept anything.
  if (std::isinf(actual) || std::isinf(expected))
    return false;
  return std::fabs(actual - expected) <= atol + rtol * std::fabs(expected);
}

template <typename T, typename U>
static Difference compareElements(const tessera_view &actual, const tessera_view &expected,
                                  double rtol, double atol) {
  Difference difference;
  const U *next = firstElement<U>(expected); // Expected values have no gaps.
  forEachElement<T>(actual, [&](llvm::ArrayRef<int64_t> index, const T &element) {
    const U &wanted = *next++;
    if (agree(wide(element), wide(wanted), rtol, atol) || difference.count++)
      return;
    difference.index.assign(index.begin(), index.end());
    difference.actual = elementText(actual.dtype, &element);
    difference.expected = elementText(expected.dtype, &wanted);
  });
  return difference;
}

Difference cli::compare(const tessera_view &actual, const tessera_view &expected, double rtol,
                        double atol) {
  bool isDouble = *scalarOf(expected.dtype) == Scalar::F64;
  return withElement(*scalarOf(actual.dtype), [&]<typename T>(T) {
    return isDouble ? compareElements<T, double>(actual, expected, rtol, atol)
                    : compareElements<T, T>(actual, expected, rtol, atol);
  });
}
