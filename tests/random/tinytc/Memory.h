/// The evaluator's memory: cells that know whether and by whom they were written.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_MEMORY_H
#define TESSERA_TESTS_RANDOM_TINYTC_MEMORY_H

#include "Quantity.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace tessera::tinytc::random {

/// Who accesses memory, and when: barriers and regions of work-items begin epochs.
struct Actor {
  int64_t group = 0, epoch = 0, item = -1;
};

/// The actors that have accessed a cell in one way.
class Trace {
public:
  void note(Actor who);
  /// Whether one of them may have done so at the same time as `who`.
  bool meets(Actor who) const;

private:
  Actor last = {-1};
  bool hasOtherGroups = false, hasOtherItems = false;
};

/// Adjacent elements of one type. Unordered conflicting accesses by two work-items, and reads of
/// unwritten elements, are undefined.
class Memory {
public:
  Memory(ScalarType element, size_t size) : element(element), cells(size) {}

  size_t size() const { return cells.size(); }
  void initialize(size_t at, const Quantity &value);
  void end() { isOver = true; } ///< No further accesses are allowed.

  Quantity read(int64_t at, Actor who);
  void write(int64_t at, const Quantity &value, Actor who);
  /// Adds atomically; returns the old value as far as it is known.
  Quantity add(int64_t at, const Quantity &value, Actor who);
  /// Adds a sum of the elements' type, whose terms may also be added one by one.
  void add(int64_t at, const QuantitySum &value, Actor who);

  /// The final value.
  const Quantity &operator[](size_t at) const { return cells[at].value; }

  const ScalarType element;

private:
  struct Cell {
    Quantity value = {};
    bool isWritten = false;
    Trace readers, writers, adders;
  };
  Cell &cell(int64_t at);

  std::vector<Cell> cells;
  llvm::DenseMap<int64_t, QuantitySum>
      sums; ///< Cells that have been added to since they were written.
  bool isOver = false;
};

/// A reference to memory.
struct Memref {
  std::shared_ptr<Memory> memory;
  int64_t base = 0;
  llvm::SmallVector<int64_t, 3> shape = {}, strides = {};

  int64_t order() const { return int64_t(shape.size()); }
  bool contains(llvm::ArrayRef<int64_t> indices) const;
  /// The cell; undefined if it is out of bounds.
  int64_t at(llvm::ArrayRef<int64_t> indices) const;
};

/// Calls `visit` for all indices of a shape, the first one fastest.
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace tessera::tinytc::random

#endif
