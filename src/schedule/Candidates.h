/// The schedules that tuning tries.
#ifndef TESSERA_SCHEDULE_CANDIDATES_H
#define TESSERA_SCHEDULE_CANDIDATES_H

#include "schedule/Kernel.h"
#include <random>
#include <set>

namespace tessera::schedule {

/// Of one kernel, each once: the model's choice, what differs from it in one respect, then mixtures
/// of that. Kernel, machine and seed alone decide about the order, not what is measured.
class Candidates {
public:
  Candidates(const Kernel &kernel, const Machine &machine, uint64_t seed);

  /// Nothing when there are no more.
  std::optional<Contraction> next();

private:
  /// New values of some fields.
  struct Change {
    llvm::SmallVector<std::pair<int64_t Contraction::*, int64_t>, 2> numbers;
    std::optional<Contraction::Kernel> kernel = std::nullopt;

    Contraction of(Contraction schedule) const;
  };
  /// Of which a candidate has one at most.
  using Alternatives = std::vector<Change>;

  void addTiles();
  void addInnerTiles();
  void addBlocks();
  void addRowsAndColumns(); ///< Where the depth decides about sums.
  void addNumbers(int64_t Contraction::*field, llvm::ArrayRef<int64_t> values);
  std::optional<Contraction> mixture();
  bool isNew(const Contraction &candidate);
  uint64_t random(uint64_t bound) { return engine() % bound; }

  const Kernel &kernel;
  const Machine &machine;
  std::mt19937_64 engine;
  std::vector<Alternatives> fields;
  std::vector<Contraction> waiting; ///< The last is next.
  std::set<std::string> seen;
};

} // namespace tessera::schedule

#endif
