/// The rounds of range inference: from inequalities to ranges [tc.infer].
#ifndef TESSERA_LANG_TC_SOLVE_H
#define TESSERA_LANG_TC_SOLVE_H

#include "lang/tc/Box.h"
#include "lang/tc/Reads.h"

namespace tessera::tc {

/// One end of one dimension of a read.
struct Inequality {
  enum State {
    Open,
    Solved,  ///< A range was chosen so that it holds.
    Closed,  ///< Others determined all its variables.
    Dropped, ///< It depends on data, and says nothing about ranges.
  };

  const Read *read;
  unsigned dimension;
  bool isLower;
  Size slack; ///< What must not be negative.
  State state = Open;
  Ends ends = {}; ///< The ends of the slack, when closed.
};

class Solver {
public:
  Solver(const Forms &forms, SizeContext &sizes, llvm::MutableArrayRef<Inequality> inequalities)
      : box(forms, sizes), forms(forms), sizes(sizes), inequalities(inequalities) {}

  /// Until a round solves nothing.
  void solve();

  Box box;
  /// What determined the ends of an inferred range.
  struct Origin {
    const Inequality *lower = nullptr, *upper = nullptr;
  };
  llvm::SmallVector<Origin> origins;
  /// Coefficients that must not be zero.
  struct Factor {
    const Inequality *where;
    Size coefficient, magnitude;
  };
  llvm::SmallVector<Factor> factors;
  bool isTooLarge = false; ///< A number overflowed 64 bits.

private:
  /// What one inequality says about its only open variable: coefficient * v + rest >= 0.
  struct Claim {
    Inequality *from;
    Size coefficient, rest;
  };
  /// The range that claims leave for a variable.
  struct Candidate {
    Range range;
    Origin origin;
    llvm::SmallVector<Factor, 1> factors;
  };

  bool round();
  bool hasKnownSign(Size coefficient);
  void examine(Inequality &inequality);
  void apply(const Claim &claim, Candidate &candidate);
  void apply(const Claim &lower, const Claim &upper, Candidate &candidate);
  void narrow(const Range &found, const Origin &origin, Candidate &candidate);
  bool settle(unsigned variable);

  const Forms &forms;
  SizeContext &sizes;
  llvm::MutableArrayRef<Inequality> inequalities;
  std::vector<llvm::SmallVector<Claim, 4>> claims; ///< By variable.
};

} // namespace tessera::tc

#endif
