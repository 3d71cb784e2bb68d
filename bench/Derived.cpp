#include "Contest.h"

using namespace tessera::bench;

static constexpr double goalOfSpeedUp = 0.95, goalOfCompiling = 0.150;

static const Rival *probeOf(const Row &row) {
  for (const Rival &rival : row.rivals)
    if (rival.isLimit && rival.isMeasured())
      return &rival;
  return nullptr;
}

std::vector<Row> tessera::bench::speedUpOf(const Kernel &kernel, const Row &one, const Row &two) {
  const Rival *probeOfOne = probeOf(one), *probeOfTwo = probeOf(two);
  bool isMeant = isOutOfCache(kernel) && probeOfOne && probeOfTwo && two.ours > 0;
  if (!isMeant)
    return {};
  double expected = one.ours * probeOfTwo->seconds / probeOfOne->seconds;
  return {{.name = one.name + "-2/1",
           .size = two.size,
           .threads = 2,
           .schedule = two.schedule,
           .ours = two.ours,
           .rivals = {{probeOfTwo->name, goalOfSpeedUp, expected}}}};
}

std::vector<Row> tessera::bench::compileTimeOf(const Kernel &kernel, const Row &row) {
  bool hasGoal = kernel.family == Family::weld_q1 || kernel.family == Family::tiny_hundred;
  if (!hasGoal || row.compile <= 0)
    return {};
  return {{.name = row.name + "-compile",
           .ours = row.compile,
           .rivals = {{"goal", 1, goalOfCompiling}}}};
}
