#include "cli/Tensor.h"
#include "cli/Print.h"
#include "cli/SizeText.h"
#include "cli/kernels/Fields.h"
#include "runtime/View.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;
using llvm::ArrayRef;
using llvm::StringRef;

tessera_dtype cli::dtypeOf(Scalar scalar) {
  static constexpr uint8_t codes[] = {TESSERA_BOOL, TESSERA_INT, TESSERA_UINT, TESSERA_FLOAT};
  uint8_t code = scalar == Scalar::BF16 ? TESSERA_BFLOAT : codes[static_cast<int>(kindOf(scalar))];
  return {code, static_cast<uint8_t>(bitsOf(scalar)), 1};
}

std::optional<Scalar> cli::scalarOf(tessera_dtype dtype) {
  static constexpr Scalar scalars[] = {
#define TESSERA_SCALAR(name, text, kind, bits) Scalar::name,
#include "lang/Scalars.def"
  };
  for (Scalar scalar : scalars)
    if (runtime::operator==(dtypeOf(scalar), dtype))
      return scalar;
  return std::nullopt;
}

/// In a float's largest number, all bits are set but the sign and the last bit of the exponent.
static std::string largestFloat(Scalar scalar) {
  uint64_t fractionBits = scalar == Scalar::F16    ? 10
                          : scalar == Scalar::BF16 ? 7
                          : scalar == Scalar::F32  ? 23
                                                   : 52;
  uint64_t bits = (~uint64_t(0) >> (65 - bitsOf(scalar))) & ~(uint64_t(1) << fractionBits);
  if (bitsOf(scalar) > 16)
    return elementText(dtypeOf(scalar), &bits);
  float exact = runtime::loadFloat(dtypeOf(scalar), &bits); // Not rounded to few digits.
  return elementText(dtypeOf(Scalar::F32), &exact);
}

std::string cli::rangeText(Scalar scalar) {
  unsigned bits = bitsOf(scalar);
  switch (kindOf(scalar)) {
  case ScalarKind::Bool:
    return "true or false";
  case ScalarKind::Signed:
    return llvm::formatv("{0} to {1}", llvm::minIntN(bits), llvm::maxIntN(bits));
  case ScalarKind::Unsigned:
    return llvm::formatv("0 to {0}", llvm::maxUIntN(bits));
  case ScalarKind::Float:
    break;
  }
  std::string largest = largestFloat(scalar);
  return "-" + largest + " to " + largest;
}

/// In bytes.
static constexpr int64_t largestElement = 8;

std::optional<int64_t> cli::countElements(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1, bytes;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, size, &count))
      return std::nullopt;
  if (__builtin_mul_overflow(count, largestElement, &bytes))
    return std::nullopt;
  return count;
}

size_t cli::physicalMemory() {
  return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

std::optional<Tensor> Tensor::allocate(Scalar element, ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = countElements(shape);
  if (!count)
    return std::nullopt;
  // Views of tensors without elements also point somewhere.
  size_t bytes = std::max<size_t>(llvm::alignTo(*count * bytesOf(element), 64), 64);
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
          .dtype = dtypeOf(scalar),
          .shape = sizes.data(),
          .strides = nullptr,
          .byte_offset = 0};
}

static std::string numberText(int64_t size) {
  return size == dynamicSize ? "?" : std::to_string(size);
}

std::string cli::shapeText(ArrayRef<int64_t> shape) {
  return "[" + llvm::join(llvm::map_range(shape, numberText), ", ") + "]";
}

std::string cli::describe(StringRef element, ArrayRef<int64_t> shape) {
  return element.str() + (shape.empty() ? "" : shapeText(shape));
}

StringRef cli::sizeName(const Parameter &parameter, size_t dimension) {
  return dimension < parameter.sizeNames.size() ? StringRef(parameter.sizeNames[dimension]) : "";
}

std::string cli::describe(const Parameter &parameter) {
  if (parameter.data)
    return parameter.data->text();
  if (parameter.kernel)
    return kernels::text(*parameter.kernel);
  llvm::SmallVector<std::string, 4> sizes;
  for (auto [dimension, size] : llvm::enumerate(parameter.shape)) {
    StringRef name = size == dynamicSize ? sizeName(parameter, dimension) : "";
    bool isComputed = size == dynamicSize && name.empty() &&
                      dimension < parameter.sizeFormulas.size() &&
                      !parameter.sizeFormulas[dimension].empty();
    sizes.push_back(isComputed     ? sizeText(parameter.sizeFormulas[dimension])
                    : name.empty() ? numberText(size)
                                   : name.str());
  }
  return name(parameter.element).str() + (sizes.empty() ? "" : "[" + llvm::join(sizes, ", ") + "]");
}
