/// Range inference with numbers for sizes, straight from section tc.infer of docs/languages/tc.md.
/// It shares only the checked tree with the compiler's.
#ifndef TESSERA_TESTS_RANDOM_TC_PLAN_H
#define TESSERA_TESTS_RANDOM_TC_PLAN_H

#include "lang/tc/Syntax.h"
#include <map>
#include <memory>

namespace tessera::tc::random {

/// Half-open.
struct Interval {
  int64_t lower = 0, upper = 0;

  int64_t size() const { return upper - lower; }
  bool contains(int64_t value) const { return lower <= value && value < upper; }
  bool operator==(const Interval &) const = default;
};
using Box = std::vector<Interval>;

/// The ranges of a def for given sizes, and of the calls in it.
struct Plan {
  const Def *def = nullptr;
  std::vector<int64_t> sizes;                ///< By Def::sizes.
  std::map<const Tensor *, int64_t> scalars; ///< Integer arguments of rank 0, as far as known.
  std::map<const Tensor *, Box> tensors;
  std::map<const Comprehension *, Box> variables; ///< By Variable::index.
  std::map<const CallStmt *, std::unique_ptr<Plan>> calls;
};

/// Why sizes are invalid for a def.
struct Rejection {
  std::string rule;
  SourceRange where;
};

struct Planned {
  std::unique_ptr<Plan> plan; ///< Null if rejected.
  Rejection rejection = {};
  bool isVague = false; ///< The rules leave it open.
};

/// With the values of size variables and of integer arguments of rank 0, by name.
using Values = std::map<std::string, int64_t>;
Planned makePlan(const Def &entry, const Values &values);

} // namespace tessera::tc::random

#endif
