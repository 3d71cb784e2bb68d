/// Ranges of the variables of a statement, and what follows for expressions over them.
#ifndef TESSERA_LANG_TC_BOX_H
#define TESSERA_LANG_TC_BOX_H

#include "lang/tc/Forms.h"

namespace tessera::tc {

/// A sum of variables with coefficients, and of other terms.
struct LinearForm {
  llvm::SmallVector<Size> coefficients; ///< By variable; null if it does not occur.
  Size rest;                            ///< Sizes only.
  llvm::SmallVector<Size::Term> others; ///< Neither.
};
LinearForm linearForm(Size size, const Forms &forms, SizeContext &sizes);

/// The smallest and the largest value.
struct Ends {
  Size least, most;
  bool isExact = true; ///< Both are reached, unless a range is empty.
  /// Monotone in every variable. Both ends are then reached, also in a combination with others that
  /// rise or fall likewise.
  bool rises = false, falls = false;
};

class Box {
public:
  Box(const Forms &forms, SizeContext &sizes)
      : forms(forms), sizes(sizes), ranges(forms.variables().size()) {}

  /// nullopt if a variable has no range yet, or if the value depends on data.
  std::optional<Ends> endsOf(Size size) const;
  bool isSolved(unsigned variable) const { return ranges[variable].has_value(); }
  /// Whether a variable without a range occurs.
  bool isOpen(Size size) const;
  /// The ends of a coefficient times a variable that has a range.
  Ends endsOf(Size coefficient, unsigned variable) const;

private:
  bool isNeverEmpty() const;
  std::optional<Ends> endsOfAtom(Size atom) const;
  std::optional<Ends> endsOfQuotient(Size atom) const;
  std::optional<Ends> endsOfRemainder(Size atom) const;
  Ends extreme(bool isMax, const Ends &a, const Ends &b) const;
  Ends multiply(const Ends &a, const Ends &b) const;
  Ends scale(const Ends &ends, int64_t factor) const;
  bool isAtLeast(Size size, int64_t bound) const;

  const Forms &forms;
  SizeContext &sizes;

public:
  llvm::SmallVector<std::optional<Range>> ranges; ///< By Variable::index.
};

} // namespace tessera::tc

#endif
