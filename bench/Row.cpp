#include "Row.h"

using namespace tessera::bench;

const Rival *Row::best() const {
  const Rival *best = nullptr;
  for (const Rival &rival : rivals)
    if (rival.goal > 0 && !rival.isLimit && rival.isMeasured() &&
        (!best || ratio(rival) / rival.goal < ratio(*best) / best->goal))
      best = &rival;
  return best;
}

bool Row::hasGoal() const {
  for (const Rival &rival : rivals)
    if (rival.goal > 0 && rival.isMeasured())
      return true;
  return !failure.empty();
}

bool Row::meetsGoal() const {
  if (!failure.empty())
    return false;
  for (const Rival &rival : rivals)
    if (rival.isLimit && rival.goal > 0 && rival.isMeasured() && ratio(rival) >= rival.goal)
      return true;
  const Rival *rival = best();
  return rival && ratio(*rival) >= rival->goal;
}
