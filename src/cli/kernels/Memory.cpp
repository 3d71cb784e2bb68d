#include "cli/kernels/Memory.h"
#include "cli/kernels/Fields.h"
#include "runtime/View.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tessera;
using namespace tessera::cli;
using kernels::Argument;
using kernels::Array;
using llvm::ArrayRef;

using Shape = llvm::SmallVector<int64_t, 4>;

tessera_dtype kernels::dtypeOf(const KernelType &type) {
  tessera_dtype dtype = cli::dtypeOf(type.element);
  return type.isComplex ? tessera_dtype{TESSERA_COMPLEX, uint8_t(2 * dtype.bits), 1} : dtype;
}

tessera_view kernels::viewOf(const KernelType &type, Array &array) {
  return {.data = array.data,
          .device = {1, 0},
          .ndim = int32_t(array.shape.size()),
          .dtype = dtypeOf(type),
          .shape = array.shape.data(),
          .strides = array.strides.data(),
          .byte_offset = 0};
}

namespace {

/// Programs may rely on the alignment of the runtime's memory.
constexpr int64_t leastAlignment = 64;

/// a * b + c of non-negative numbers; nullopt if that is too large.
std::optional<int64_t> fused(int64_t a, int64_t b, int64_t c) {
  int64_t product, sum;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(product, c, &sum))
    return std::nullopt;
  return sum;
}

/// The layout of the elements of a memref.
struct Layout {
  Shape strides;
  int64_t extent = 1; ///< The number of elements before the first that another memref may use.
};

/// Known strides as they are, the others without gaps.
std::optional<Layout> layoutOf(const KernelType &type, ArrayRef<int64_t> shape) {
  Layout layout;
  bool isEmpty = llvm::is_contained(shape, 0);
  for (auto [stride, size] : llvm::zip_equal(type.strides, shape)) {
    layout.strides.push_back(stride == dynamicSize ? layout.extent : stride);
    auto end = fused(layout.strides.back(), size, 0);
    if (!end && !isEmpty)
      return std::nullopt;
    layout.extent = std::max(layout.extent, end.value_or(0));
  }
  layout.extent = isEmpty ? 0 : layout.extent;
  return layout;
}

/// Cleared memory in which the byte number `shift` is at a multiple of `alignment`.
std::shared_ptr<void> allocateAt(int64_t alignment, int64_t shift, size_t bytes, char *&start) {
  bool isLess = leastAlignment % alignment == 0;
  int64_t step = isLess ? leastAlignment : alignment;
  size_t needed = bytes + 2 * step;
  void *memory = needed <= physicalMemory() ? calloc(1, needed) : nullptr;
  if (!memory)
    return nullptr;
  auto address = reinterpret_cast<uintptr_t>(memory);
  start = static_cast<char *>(memory) + (llvm::alignTo(address + shift, step) - shift - address);
  return {memory, free};
}

/// In bytes: members follow each other, each at the promised alignment.
std::optional<int64_t> spacing(const KernelType &type, int64_t extent) {
  auto bytes = fused(extent, type.elementBytes(), type.alignment - 1);
  return bytes ? std::optional(*bytes / type.alignment * type.alignment) : std::nullopt;
}

/// Complex numbers as two elements each.
struct Parts {
  Parts(const KernelType &type, const Array &array) : shape(array.shape), strides(array.strides) {
    if (!type.isComplex)
      return;
    for (int64_t &stride : strides)
      stride *= 2;
    shape.push_back(2);
    strides.push_back(1);
  }
  Shape shape, strides;
};

void copyInto(const KernelType &type, const Array &array, const Tensor &values) {
  Parts to(type, array);
  Shape from(to.shape.size());
  runtime::fillRowMajorStrides(int32_t(to.shape.size()), to.shape.data(), from.data());
  runtime::copyElements({array.data, to.strides.data()}, {values.data(), from.data()},
                        int32_t(to.shape.size()), to.shape.data(), bytesOf(type.element));
}

} // namespace

std::optional<Argument> Argument::allocate(const KernelType &type, int64_t offset,
                                           ArrayRef<Shape> shapes) {
  Argument argument(type);
  argument.offset = offset;
  int64_t total = 0;
  std::vector<int64_t> places;
  for (const Shape &shape : shapes) {
    std::optional<Layout> layout = layoutOf(type, shape);
    auto step = layout ? spacing(type, layout->extent) : std::nullopt;
    places.push_back(total);
    if (!step || __builtin_add_overflow(total, *step, &total))
      return std::nullopt;
    argument.members.push_back({nullptr, shape, layout->strides});
  }
  // The members of a group are read from their offset on.
  auto end = fused(offset, type.elementBytes(), total);
  if (!end)
    return std::nullopt;
  argument.bytes = *end;
  argument.owner =
      allocateAt(type.alignment, offset * type.elementBytes(), argument.bytes, argument.start);
  if (!argument.owner)
    return std::nullopt;
  for (auto [member, place] : llvm::zip_equal(argument.members, places))
    member.data = argument.start + place;
  return argument;
}

std::optional<Argument> Argument::inPlace(const KernelType &type, int64_t offset,
                                          const MappedArray &array) {
  Argument argument(type);
  Shape shape = array.shape;
  int64_t count = argument.isGroup() ? shape.pop_back_val() : 1;
  std::optional<Layout> layout = layoutOf(type, shape);
  auto step = layout ? spacing(type, layout->extent) : std::nullopt;
  int64_t bytes = layout ? layout->extent * type.elementBytes() : 0;
  bool isAligned = reinterpret_cast<uintptr_t>(array.data) % type.alignment == 0;
  bool isPacked = layout && packedStrides(shape) == layout->strides;
  if (!isPacked || !step || *step != bytes || !isAligned || offset)
    return std::nullopt;
  argument.owner = array.owner;
  argument.start = static_cast<char *>(array.data);
  argument.bytes = bytes * count;
  for (int64_t member = 0; member < count; ++member)
    argument.members.push_back({argument.start + member * bytes, shape, layout->strides});
  return argument;
}

size_t Argument::numElements() const {
  size_t count = 0;
  for (const Array &member : members)
    count += *countElements(member.shape);
  return count;
}

bool Argument::isUniform() const {
  return llvm::all_of(members,
                      [&](const Array &member) { return member.shape == members.front().shape; });
}

Array Argument::whole() const {
  if (!isGroup())
    return members.front();
  Array array;
  array.data = start;
  if (!members.empty()) {
    array.shape = members.front().shape;
    array.strides = members.front().strides;
  } else { // No member has determined the sizes.
    for (int64_t size : type->shape)
      array.shape.push_back(size == dynamicSize ? 0 : size);
    array.strides.assign(type->shape.size(), 1);
  }
  int64_t distance = members.size() > 1 ? static_cast<char *>(members[1].data) - start : 0;
  array.strides.push_back(distance / type->elementBytes());
  array.shape.push_back(int64_t(members.size()));
  return array;
}

void Argument::fill(const Tensor &values) {
  copyInto(*type, whole(), values);
}

void Argument::fill(size_t member, const Tensor &values) {
  copyInto(*type, members[member], values);
}
