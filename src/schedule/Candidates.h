/// The schedules that tuning tries.
#ifndef TESSERA_SCHEDULE_CANDIDATES_H
#define TESSERA_SCHEDULE_CANDIDATES_H

#include "schedule/Kernel.h"
#include <random>
#include <set>

namespace tessera::schedule {

/// The candidates for one contraction, without duplicates: the model's choice, variants that differ
/// from it in one respect, then mixtures of those. Their order depends only on the contraction, the
/// machine and the seed, not on measurements.
class Candidates {
public:
  Candidates(const Kernel &kernel, const Machine &machine, uint64_t seed);

  /// Returns nullopt when there are no more candidates.
  std::optional<Contraction> next();

private:
  /// New values of some fields.
  struct Change {
    llvm::SmallVector<std::pair<int64_t Contraction::*, int64_t>, 2> numbers;
    std::optional<Contraction::Kernel> kernel = std::nullopt;

    Contraction of(Contraction schedule) const;
  };
  /// A candidate applies at most one of these.
  using Alternatives = std::vector<Change>;

  void addTiles();
  void addInnerTiles();
  void addBlocks();
  void addRowsAndColumns(); ///< For sums whose order the depth determines.
  void addNumbers(int64_t Contraction::*field, llvm::ArrayRef<int64_t> values);
  std::optional<Contraction> mixture();
  bool isNew(const Contraction &candidate);
  uint64_t random(uint64_t bound) { return engine() % bound; }

  const Kernel &kernel;
  const Machine &machine;
  std::mt19937_64 engine;
  std::vector<Alternatives> fields;
  std::vector<Contraction> waiting; ///< The last one is next.
  std::set<std::string> seen;
};

} // namespace tessera::schedule

#endif
