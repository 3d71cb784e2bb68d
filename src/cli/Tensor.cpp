#include "cli/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr ElementType elementTypes[] = {
    {Scalar::I32, {TESSERA_INT, 32, 1}, "int32", "-2147483648 to 2147483647"},
    {Scalar::F32, {TESSERA_FLOAT, 32, 1}, "float32", "-3.4028235e+38 to 3.4028235e+38"},
};

const ElementType &cli::elementType(Scalar scalar) {
  return *llvm::find_if(elementTypes, [&](const ElementType &t) { return t.scalar == scalar; });
}

const ElementType *cli::elementType(tessera_dtype dtype) {
  for (const ElementType &type : elementTypes)
    if (!memcmp(&type.dtype, &dtype, sizeof dtype))
      return &type;
  return nullptr;
}

std::optional<int64_t> cli::countElements(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1, bytes;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, size, &count))
      return std::nullopt;
  if (__builtin_mul_overflow(count, int64_t(sizeof(int32_t)), &bytes))
    return std::nullopt;
  return count;
}

/// Linux promises more than it has and kills whoever believes it.
static size_t physicalMemory() {
  return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

std::optional<Tensor> Tensor::allocate(Scalar element, ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = countElements(shape);
  if (!count)
    return std::nullopt;
  // Views of tensors without elements point somewhere, too.
  size_t bytes = std::max<size_t>(llvm::alignTo(*count * sizeof(int32_t), 64), 64);
  void *memory = bytes <= physicalMemory() ? aligned_alloc(64, bytes) : nullptr;
  if (!memory)
    return std::nullopt;
  memset(memory, 0, bytes);
  return Tensor(element, shape, std::shared_ptr<void>(memory, free), memory);
}

Tensor::Tensor(Scalar element, ArrayRef<int64_t> shape, std::shared_ptr<void> owner, void *start)
    : scalar(element), sizes(shape.begin(), shape.end()), owner(std::move(owner)), start(start) {}

int64_t Tensor::numElements() const {
  return *countElements(sizes);
}

tessera_view Tensor::view() {
  return {.data = start,
          .device = {1, 0},
          .ndim = static_cast<int32_t>(sizes.size()),
          .dtype = elementType(scalar).dtype,
          .shape = sizes.data(),
          .strides = nullptr,
          .byte_offset = 0};
}

std::string cli::shapeText(ArrayRef<int64_t> shape) {
  auto text = [](int64_t size) { return size == dynamicSize ? "?" : std::to_string(size); };
  return "[" + llvm::join(llvm::map_range(shape, text), ", ") + "]";
}

std::string cli::describe(StringRef element, ArrayRef<int64_t> shape) {
  return element.str() + (shape.empty() ? "" : shapeText(shape));
}

std::string cli::describe(const Parameter &parameter) {
  return describe(elementType(parameter.element).name, parameter.shape);
}
