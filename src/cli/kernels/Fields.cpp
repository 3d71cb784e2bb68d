#include "cli/kernels/Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using kernels::Field;
using llvm::StringRef;

std::string Field::suffix() const {
  switch (kind) {
  case Kind::Size:
    return "_size" + std::to_string(mode);
  case Kind::Stride:
    return "_stride" + std::to_string(mode);
  case Kind::Count:
    return "_count";
  case Kind::Offset:
    return "_offset";
  case Kind::Value:
  case Kind::Data:
    break;
  }
  return "";
}

std::vector<Field> kernels::fieldsOf(const KernelType &type) {
  if (type.kind == KernelType::Kind::Scalar)
    return {{Field::Kind::Value}};
  std::vector<Field> fields{{Field::Kind::Data}};
  auto addDynamic = [&](Field::Kind kind, llvm::ArrayRef<int64_t> numbers) {
    for (auto [mode, number] : llvm::enumerate(numbers))
      if (number == dynamicSize)
        fields.push_back({kind, unsigned(mode)});
  };
  addDynamic(Field::Kind::Size, type.shape);
  addDynamic(Field::Kind::Stride, type.strides);
  if (type.kind == KernelType::Kind::Group) {
    addDynamic(Field::Kind::Count, type.count);
    addDynamic(Field::Kind::Offset, type.offset);
  }
  return fields;
}

llvm::SmallVector<int64_t, 4> kernels::packedStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> strides;
  int64_t stride = 1;
  for (int64_t size : shape) {
    strides.push_back(stride);
    bool isKnown = stride != dynamicSize && size != dynamicSize &&
                   !__builtin_mul_overflow(stride, size, &stride);
    stride = isKnown ? stride : dynamicSize;
  }
  return strides;
}

std::string kernels::elementText(const KernelType &type) {
  StringRef bits = name(type.element);
  if (type.isComplex)
    return ("c" + bits.drop_front(StringRef("float").size())).str();
  if (type.element == Scalar::Bool)
    return "bool";
  if (type.isIndex)
    return "index";
  StringRef kind = bits.take_while(llvm::isAlpha);
  StringRef letter = kind == "float" ? "f" : kind == "bfloat" ? "bf" : kind == "int" ? "i" : "u";
  return (letter + bits.drop_front(kind.size())).str();
}

static std::string numberText(int64_t number) {
  return number == dynamicSize ? "?" : std::to_string(number);
}

static std::string memrefText(const KernelType &type) {
  std::string text = "memref<" + kernels::elementText(type);
  for (int64_t size : type.shape)
    text += "x" + numberText(size);
  if (kernels::packedStrides(type.shape) != type.strides)
    text += ",strided<" + llvm::join(llvm::map_range(type.strides, numberText), ",") + ">";
  return text + ">";
}

std::string kernels::text(const KernelType &type) {
  if (type.kind == KernelType::Kind::Scalar)
    return elementText(type);
  if (type.kind == KernelType::Kind::Memref)
    return memrefText(type);
  std::string offset = type.offset == 0 ? "" : ", offset: " + numberText(type.offset);
  return "group<" + memrefText(type) + "x" + numberText(type.count) + offset + ">";
}
