/// Memory as the evaluator sees it: cells that know whether they were written, and by whom.
#ifndef TESSERA_TESTS_RANDOM_TINYTC_MEMORY_H
#define TESSERA_TESTS_RANDOM_TINYTC_MEMORY_H

#include "Quantity.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace tessera::tinytc::random {

/// Who touches memory, and when: barriers and regions of work-items begin epochs.
struct Actor {
  int64_t group = 0, epoch = 0, item = -1;
};

/// Those who have touched a cell in one way.
class Trace {
public:
  void note(Actor who);
  /// Whether one of them did so while `who` might have.
  bool meets(Actor who) const;

private:
  Actor last = {-1};
  bool hasOtherGroups = false, hasOtherItems = false;
};

/// Elements of one type that lie side by side. What two work-items may do at once without an order,
/// and reads of what nobody wrote, are undefined.
class Memory {
public:
  Memory(ScalarType element, size_t size) : element(element), cells(size) {}

  size_t size() const { return cells.size(); }
  void initialize(size_t at, const Quantity &value);
  void end() { isOver = true; } ///< Nobody may use it any more.

  Quantity read(int64_t at, Actor who);
  void write(int64_t at, const Quantity &value, Actor who);
  /// Atomically; gives what was there before, as far as that is known.
  Quantity add(int64_t at, const Quantity &value, Actor who);
  /// A sum of the elements' type, whose terms may be added one by one.
  void add(int64_t at, const QuantitySum &value, Actor who);

  /// What is there at the end.
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
  /// The cell; undefined where it is outside.
  int64_t at(llvm::ArrayRef<int64_t> indices) const;
};

/// Calls `visit` for all indices of a shape, the first one fastest.
void forEachIndex(llvm::ArrayRef<int64_t> shape,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace tessera::tinytc::random

#endif
