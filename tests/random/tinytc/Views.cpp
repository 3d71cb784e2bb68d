/// Memory: references, loads and stores.
#include "Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::tinytc;
using namespace tessera::tinytc::random;

/// The type promises sizes and strides; a view that breaks them is undefined.
static Memref checked(Memref view, const Type &type) {
  for (int64_t mode = 0; mode < type.order(); ++mode)
    if ((type.shape[mode] != dynamic && type.shape[mode] != view.shape[mode]) ||
        (type.strides[mode] != dynamic && type.strides[mode] != view.strides[mode]))
      throw Undefined{"a view is not of its type"};
  return view;
}

Machine::Result Machine::act(const Alloca &alloca, const Inst &, Thread &) {
  const Type &type = *alloca.type.type;
  int64_t size = 1;
  for (auto [mode, stride] : llvm::zip_equal(type.shape, type.strides))
    size += (mode - 1) * stride;
  if (llvm::is_contained(type.shape, 0))
    size = 0;
  return Memref{std::make_shared<Memory>(type.scalar, size),
                0,
                {type.shape.begin(), type.shape.end()},
                {type.strides.begin(), type.strides.end()}};
}

Machine::Result Machine::act(const LifetimeStop &stop, const Inst &, Thread &thread) {
  memref(stop.operand, thread).memory->end();
  return {};
}

Machine::Result Machine::act(const Expand &expand, const Inst &, Thread &thread) {
  Memref view = memref(expand.operand, thread);
  int64_t mode = expand.mode.value, product = 1, stride = view.strides[mode];
  int64_t size = view.shape[mode];
  view.shape.erase(view.shape.begin() + mode);
  view.strides.erase(view.strides.begin() + mode);
  for (auto [index, factor] : llvm::enumerate(expand.factors)) {
    int64_t count = integer(factor, thread);
    view.shape.insert(view.shape.begin() + mode + index, count);
    view.strides.insert(view.strides.begin() + mode + index, stride * product);
    product *= count;
  }
  if (product != size)
    throw Undefined{"an `expand` into another number of elements"};
  return checked(std::move(view), *expand.type.type);
}

Machine::Result Machine::act(const Fuse &fuse, const Inst &, Thread &thread) {
  Memref view = memref(fuse.operand, thread);
  int64_t from = fuse.from.value, to = fuse.to.value;
  for (int64_t mode = from; mode < to; ++mode)
    if (view.strides[mode] * view.shape[mode] != view.strides[mode + 1])
      throw Undefined{"a `fuse` of modes with gaps"};
  for (int64_t mode = from + 1; mode <= to; ++mode)
    view.shape[from] *= view.shape[mode];
  view.shape.erase(view.shape.begin() + from + 1, view.shape.begin() + to + 1);
  view.strides.erase(view.strides.begin() + from + 1, view.strides.begin() + to + 1);
  return checked(std::move(view), *fuse.type.type);
}

Machine::Result Machine::act(const Subview &node, const Inst &, Thread &thread) {
  const Memref &source = memref(node.operand, thread);
  Memref view{source.memory, source.base, {}, {}};
  for (auto [mode, slice] : llvm::enumerate(node.slices)) {
    int64_t all = source.shape[mode];
    bool isRemoved =
        slice.isWhole ? node.operand.type->shape[mode] == 0
                      : !slice.size || (slice.size->literal && slice.size->literal->integer == 0);
    int64_t offset = slice.isWhole ? 0 : integer(slice.offset, thread);
    int64_t size = isRemoved ? 1 : slice.isWhole ? all : integer(*slice.size, thread);
    if (offset < 0 || size < 0 || offset + size > all)
      throw Undefined{"a view is outside of its memory"};
    view.base += offset * source.strides[mode];
    if (isRemoved)
      continue;
    view.shape.push_back(size);
    view.strides.push_back(source.strides[mode]);
  }
  return checked(std::move(view), *node.type.type);
}

Machine::Result Machine::act(const Size &size, const Inst &, Thread &thread) {
  const Datum &operand = datum(size.operand, thread);
  if (auto *group = std::get_if<std::shared_ptr<const Group>>(&operand))
    return Quantity::ofInt(int64_t((*group)->size()));
  return Quantity::ofInt(std::get<Memref>(operand).shape[size.mode.value]);
}

Machine::Result Machine::act(const Load &load, const Inst &, Thread &thread) {
  llvm::SmallVector<int64_t> indices;
  for (const Operand &index : load.indices)
    indices.push_back(integer(index, thread));
  const Datum &operand = datum(load.operand, thread);
  if (auto *group = std::get_if<std::shared_ptr<const Group>>(&operand)) {
    if (indices[0] < 0 || indices[0] >= int64_t((*group)->size()))
      throw Undefined{"a group has no such member"};
    return (**group)[indices[0]];
  }
  const Memref &source = std::get<Memref>(operand);
  return source.memory->read(source.at(indices), actor(thread));
}

Machine::Result Machine::act(const Store &store, const Inst &, Thread &thread) {
  llvm::SmallVector<int64_t> indices;
  for (const Operand &index : store.indices)
    indices.push_back(integer(index, thread));
  const Memref &target = memref(store.target, thread);
  Quantity value = number(store.value, thread);
  if (store.flag == StoreFlag::AtomicAdd)
    return target.memory->add(target.at(indices), value, actor(thread));
  target.memory->write(target.at(indices), value, actor(thread));
  return {};
}
