#include "lang/tinytc/LocalMemory.h"
#include "lang/tinytc/Device.h"
#include "lang/tinytc/Syntax.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::tinytc;

/// The bytes of a memref of known shape and strides.
static int64_t bytesOf(const Type &memref) {
  int64_t elements = 1;
  for (auto [mode, stride] : llvm::zip_equal(memref.shape, memref.strides)) {
    if (mode == 0)
      return 0;
    elements += (mode - 1) * stride;
  }
  return elements * bytesOf(memref.scalar);
}

static void place(LocalTensor &tensor, llvm::ArrayRef<const LocalTensor *> sorted) {
  for (const LocalTensor *other : sorted) {
    bool doMeet = tensor.begin <= other->end && other->begin <= tensor.end;
    if (doMeet && tensor.offset + tensor.bytes > other->offset)
      tensor.offset = std::max<int64_t>(
          tensor.offset, llvm::alignTo(other->offset + other->bytes, tensor.alignment));
  }
}

int64_t tessera::tinytc::placeLocalMemory(llvm::MutableArrayRef<LocalTensor> tensors) {
  llvm::SmallVector<const LocalTensor *> placed; // By offset.
  int64_t total = 0;
  for (LocalTensor &tensor : tensors) {
    tensor.bytes = std::min(tensor.bytes, mostLocalBytes);
    tensor.offset = 0;
    place(tensor, placed);
    total = std::max(total, tensor.offset + tensor.bytes);
    auto isBefore = [](const LocalTensor *a, const LocalTensor *b) {
      return a->offset < b->offset;
    };
    placed.insert(llvm::upper_bound(placed, &tensor, isBefore), &tensor);
  }
  return total;
}

namespace {

/// The lifetimes that a function states, and those that end with the last use.
class Lives {
public:
  void add(const Region &region) {
    size_t first = stated.size();
    llvm::MapVector<const Value *, size_t> own;
    for (const Inst *inst : region.body) {
      ++time;
      if (auto *alloca = inst->as<Alloca>())
        begin(*alloca, *inst, own);
      else if (auto *stop = inst->as<LifetimeStop>())
        end(*stop, own);
      else
        addInner(*inst);
      for (auto [value, tensor] : own)
        if (value->lastUse >= inst->range.begin && value->lastUse < inst->range.end)
          used[tensor].end = time;
    }
    ++time;
    for (auto *tensors : {&stated, &used})
      for (LocalTensor &tensor : llvm::MutableArrayRef(*tensors).drop_front(first))
        tensor.end = std::min(tensor.end, time);
  }

  llvm::SmallVector<LocalTensor> stated, used;
  llvm::SmallVector<const Inst *> allocas; ///< The `alloca` of each tensor.

private:
  void addInner(const Inst &inst) {
    if (auto *loop = inst.as<For>()) {
      addIfThere(loop->body);
    } else if (auto *branch = inst.as<If>()) {
      addIfThere(branch->thenRegion);
      addIfThere(branch->elseRegion);
    }
  }

  void addIfThere(const Region *region) {
    if (region)
      add(*region);
  }

  void begin(const Alloca &alloca, const Inst &inst, llvm::MapVector<const Value *, size_t> &own) {
    const Type &type = *alloca.type.type;
    if (!type.isMemref() || llvm::is_contained(type.shape, dynamic) ||
        llvm::is_contained(type.strides, dynamic))
      return;
    const Attr *asked = alloca.attributes ? alloca.attributes->find("alignment") : nullptr;
    bool isAsked = asked && asked->kind == Attr::Integer && asked->integer > 0;
    if (!inst.results.empty())
      own[inst.results[0]] = stated.size();
    stated.push_back(
        {time, INT64_MAX, bytesOf(type), isAsked ? asked->integer : device::defaultAlignment});
    used.push_back(stated.back());
    allocas.push_back(&inst);
  }

  /// A `lifetime_stop` counts only in the block of its alloca: elsewhere it may run any number of
  /// times.
  void end(const LifetimeStop &stop, const llvm::MapVector<const Value *, size_t> &own) {
    if (auto found = own.find(stop.operand.value); found != own.end() && !stop.isEarly)
      stated[found->second].end = std::min(stated[found->second].end, time);
  }

  int64_t time = 0;
};

} // namespace

int64_t tessera::tinytc::localBytesOf(const Function &function) {
  Lives lives;
  lives.add(*function.body);
  return std::min(placeLocalMemory(lives.stated), placeLocalMemory(lives.used));
}

llvm::SmallVector<LocalUse> tessera::tinytc::localUsesOf(const Function &function) {
  Lives lives;
  lives.add(*function.body);
  bool isStated = placeLocalMemory(lives.stated) <= placeLocalMemory(lives.used);
  llvm::ArrayRef<LocalTensor> tensors = isStated ? lives.stated : lives.used;
  auto endOf = [](const LocalTensor &tensor) { return tensor.offset + tensor.bytes; };
  const LocalTensor *highest =
      llvm::max_element(tensors, [&](const auto &a, const auto &b) { return endOf(a) < endOf(b); });
  llvm::SmallVector<LocalUse> uses;
  for (auto [tensor, alloca] : llvm::zip_equal(tensors, lives.allocas))
    if (tensor.begin <= highest->begin && highest->begin <= tensor.end)
      uses.push_back({alloca, ::bytesOf(*alloca->as<Alloca>()->type.type)});
  llvm::stable_sort(uses, [](const LocalUse &a, const LocalUse &b) { return a.bytes > b.bytes; });
  return uses;
}
