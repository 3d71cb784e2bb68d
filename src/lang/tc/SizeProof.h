/// What follows from facts about sizes, decided over the integers. The facts are linear in symbols
/// and in divisions by constants, with case distinctions for minima and maxima; anything else is
/// bounded by its interval, so that an answer is never wrong, but may be missing.
#ifndef TESSERA_LANG_TC_SIZEPROOF_H
#define TESSERA_LANG_TC_SIZEPROOF_H

#include "lang/tc/Size.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera::tc {

/// Sizes that are all >= 0.
using Facts = llvm::SmallVector<Size, 4>;

class SizeProof {
public:
  enum Answer {
    Impossible, ///< The facts contradict each other.
    Possible,   ///< There are values of the symbols for which all hold.
    Unknown
  };

  explicit SizeProof(SizeContext &context) : context(context) {}

  SizeProof &assume(Size nonNegative);
  SizeProof &assumeNegative(Size negative);
  /// At least one list of facts holds.
  SizeProof &assumeAny(llvm::ArrayRef<Facts> alternatives);
  Answer solve();
  /// In the case that was found to be possible.
  std::optional<int64_t> valueOf(Size size);

private:
  /// Column and coefficient; the constant has column ~0u.
  using Row = llvm::SmallVector<std::pair<unsigned, int64_t>, 6>;
  using Rows = llvm::SmallVector<Row, 4>;
  static constexpr unsigned constantColumn = ~0u;

  std::optional<Row> rowOf(Size size, int64_t factor = 1, int64_t shift = 0);
  void add(std::optional<Row> row);
  unsigned columnOf(Size atom);
  void define(Size atom, unsigned column);
  void defineQuotient(Size dividend, int64_t divisor, unsigned column);
  void defineRemainder(Size atom, unsigned column);
  void defineExtreme(Size atom, unsigned column);
  void bound(Size atom, unsigned column);
  bool isEmpty(llvm::ArrayRef<Row> rows, bool overIntegers);
  Answer search(Rows &rows, unsigned choice);

  SizeContext &context;
  llvm::DenseMap<const SizeNode *, unsigned> columns;
  unsigned numColumns = 0;
  Rows rows;
  std::vector<llvm::SmallVector<Rows, 2>> choices;
  /// Whether rows and choices are equivalent to the facts.
  bool isExact = true;
  unsigned numTries = 0;
  llvm::SmallVector<int64_t> sample; ///< By column.
};

} // namespace tessera::tc

#endif
