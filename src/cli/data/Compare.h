/// Compares results with expected values.
#ifndef TESSERA_CLI_DATA_COMPARE_H
#define TESSERA_CLI_DATA_COMPARE_H

#include "lang/DataType.h"
#include <optional>

namespace tessera::cli::data {

struct Difference {
  std::string path; ///< Relative to the value: "[3].$1".
  std::string actual, expected;
};

/// The first difference. Numbers are compared as by cli::compare; dictionaries must have exactly
/// the same keys, in any order.
std::optional<Difference> compare(const DataType &type, const void *actual, const void *expected,
                                  double rtol, double atol);

} // namespace tessera::cli::data

#endif
