/// Results against expected values.
#ifndef TESSERA_CLI_DATA_COMPARE_H
#define TESSERA_CLI_DATA_COMPARE_H

#include "lang/DataType.h"
#include <optional>

namespace tessera::cli::data {

struct Difference {
  std::string path; ///< Behind the name of the value: "[3].$1".
  std::string actual, expected;
};

/// The first difference. Numbers agree as in cli::compare; dictionaries have the same keys,
/// exactly, in any order.
std::optional<Difference> compare(const DataType &type, const void *actual, const void *expected,
                                  double rtol, double atol);

} // namespace tessera::cli::data

#endif
