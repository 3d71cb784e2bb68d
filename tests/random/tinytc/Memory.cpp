#include "Memory.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

void Trace::note(Actor who) {
  bool isSameGroup = last.group == who.group;
  hasOtherGroups |= last.group >= 0 && !isSameGroup;
  bool isSameTime = isSameGroup && last.epoch == who.epoch;
  hasOtherItems = isSameTime && (hasOtherItems || last.item != who.item);
  last = who;
}

bool Trace::meets(Actor who) const {
  if (last.group < 0)
    return false;
  if (hasOtherGroups || last.group != who.group)
    return true;
  return last.epoch == who.epoch && (hasOtherItems || last.item != who.item);
}

Memory::Cell &Memory::cell(int64_t at) {
  if (isOver)
    throw Undefined{"memory is used after its lifetime"};
  if (at < 0 || at >= int64_t(cells.size()))
    throw Undefined{"an access outside of memory"};
  return cells[at];
}

void Memory::initialize(size_t at, const Quantity &value) {
  cells[at].value = value;
  cells[at].isWritten = true;
}

Quantity Memory::read(int64_t at, Actor who) {
  Cell &found = cell(at);
  if (!found.isWritten)
    throw Undefined{"a read of unwritten memory"};
  if (found.writers.meets(who) || found.adders.meets(who))
    throw Undefined{"a read races with a write"};
  found.readers.note(who);
  return found.value;
}

void Memory::write(int64_t at, const Quantity &value, Actor who) {
  Cell &found = cell(at);
  if (found.writers.meets(who) || found.adders.meets(who) || found.readers.meets(who))
    throw Undefined{"a write races with another access"};
  found.writers.note(who);
  initialize(at, value);
  sums.erase(at);
}

Quantity Memory::add(int64_t at, const Quantity &value, Actor who) {
  Cell &found = cell(at);
  if (!found.isWritten)
    throw Undefined{"an addition to unwritten memory"};
  if (found.writers.meets(who) || found.readers.meets(who))
    throw Undefined{"an atomic addition races with another access"};
  found.adders.note(who);
  Quantity before = found.value;
  auto [sum, isNew] = sums.try_emplace(at, QuantitySum(element));
  if (isNew)
    sum->second.add(before);
  sum->second.add(value);
  found.value = sum->second.result();
  return before;
}

void Memory::add(int64_t at, const QuantitySum &value, Actor who) {
  add(at, value.result(), who);
  QuantitySum &sum = sums.find(at)->second;
  sum.allowTermsOf(value, {0, {1, 0}, {}});
  cell(at).value = sum.result();
}

bool Memref::contains(llvm::ArrayRef<int64_t> indices) const {
  return llvm::all_of(llvm::zip_equal(indices, shape), [](auto pair) {
    auto [index, size] = pair;
    return index >= 0 && index < size;
  });
}

int64_t Memref::at(llvm::ArrayRef<int64_t> indices) const {
  if (!contains(indices))
    throw Undefined{"an index is outside of its mode"};
  int64_t cell = base;
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    cell += index * stride;
  return cell;
}

void random::forEachIndex(llvm::ArrayRef<int64_t> shape,
                          llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    visit(index);
    size_t mode = 0;
    while (mode < shape.size() && ++index[mode] == shape[mode])
      index[mode++] = 0;
    if (mode == shape.size())
      return;
  }
}
