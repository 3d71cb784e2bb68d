#include "cli/kernels/Launch.h"
#include "cli/kernels/Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace tessera;
using namespace tessera::cli;
using kernels::Argument;
using kernels::Array;
using kernels::Field;
using kernels::Launch;

namespace {

/// A struct with C's layout, built field by field.
class Packer {
public:
  void add(const void *field, size_t size, size_t alignment) {
    size_t at = llvm::alignTo(bytes.size(), alignment);
    bytes.resize(at + size);
    memcpy(bytes.data() + at, field, size);
  }
  template <typename T> void add(T value) { add(&value, sizeof value, alignof(T)); }

  std::vector<uint64_t> take() const {
    std::vector<uint64_t> words(bytes.size() / sizeof(uint64_t) + 1);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char *>(words.data()));
    return words;
  }

private:
  std::vector<char> bytes;
};

int64_t numberOf(const Array &array, Field field) {
  return field.kind == Field::Kind::Size ? array.shape[field.mode] : array.strides[field.mode];
}

} // namespace

void Launch::pack() {
  Packer packer;
  auto addField = [&](const KernelType &type, const Argument &argument, Field field) {
    bool isGroup = type.kind == KernelType::Kind::Group;
    switch (field.kind) {
    case Field::Kind::Value:
      return packer.add(argument.members.front().data, type.elementBytes(), bytesOf(type.element));
    case Field::Kind::Count:
      return packer.add(int64_t(argument.members.size()));
    case Field::Kind::Offset:
      return packer.add(argument.offset);
    case Field::Kind::Data:
      if (!isGroup)
        return packer.add(argument.members.front().data);
      pointers.emplace_back();
      for (const Array &member : argument.members)
        pointers.back().push_back(member.data);
      return packer.add(pointers.back().data());
    case Field::Kind::Size:
    case Field::Kind::Stride:
      if (!isGroup)
        return packer.add(numberOf(argument.members.front(), field));
      numbers.emplace_back();
      for (const Array &member : argument.members)
        numbers.back().push_back(numberOf(member, field));
      return packer.add(numbers.back().data());
    }
  };
  for (auto [parameter, argument] : llvm::zip_equal(kernel.parameters, values))
    for (Field field : fieldsOf(*parameter.kernel))
      addField(*parameter.kernel, argument, field);
  packed = packer.take();
}

void Launch::listResults() {
  for (auto [index, argument] : llvm::enumerate(values)) {
    const std::string &name = kernel.parameters[index].name;
    if (argument.isUniform()) {
      arrays.push_back({index, name, argument.whole()});
      continue;
    }
    for (auto [member, array] : llvm::enumerate(argument.members))
      arrays.push_back({index, llvm::formatv("{0}[{1}]", name, member).str(), array});
  }
}

Signature Launch::signature() const {
  Signature signature = kernel;
  for (const Result &each : arrays) {
    const KernelType &type = *kernel.parameters[each.parameter].kernel;
    Parameter result;
    result.name = each.name;
    result.element = type.element;
    result.isTensor = type.kind != KernelType::Kind::Scalar;
    result.shape = each.array.shape;
    if (type.isComplex)
      result.shape.push_back(2);
    result.kernel = type;
    signature.results.push_back(std::move(result));
  }
  return signature;
}

std::vector<tessera_view> Launch::results() {
  std::vector<tessera_view> views;
  for (Result &each : arrays)
    views.push_back(viewOf(*kernel.parameters[each.parameter].kernel, each.array));
  return views;
}

std::vector<size_t> Launch::resultsOf(llvm::StringRef parameter) const {
  std::vector<size_t> found;
  for (auto [index, each] : llvm::enumerate(arrays))
    if (kernel.parameters[each.parameter].name == parameter)
      found.push_back(index);
  return found;
}

std::vector<llvm::StringRef> Launch::numberMemory() const {
  auto range = [](const void *start, size_t bytes) {
    return llvm::StringRef(static_cast<const char *>(start), bytes);
  };
  std::vector<llvm::StringRef> ranges{range(packed.data(), packed.size() * sizeof(uint64_t)),
                                      range(&launch, sizeof launch)};
  for (const std::vector<int64_t> &each : numbers)
    ranges.push_back(range(each.data(), each.size() * sizeof(int64_t)));
  return ranges;
}

std::string Launch::contents() const {
  std::string bytes;
  for (const Argument &argument : values)
    bytes.append(argument.firstByte(), argument.numBytes());
  return bytes;
}

void Launch::restore(llvm::StringRef contents) {
  for (const Argument &argument : values) {
    memcpy(argument.firstByte(), contents.data(), argument.numBytes());
    contents = contents.drop_front(argument.numBytes());
  }
}

size_t Launch::numBytes() const {
  size_t bytes = 0;
  for (auto [parameter, argument] : llvm::zip_equal(kernel.parameters, values))
    if (parameter.kernel->kind != KernelType::Kind::Scalar)
      bytes += argument.numElements() * parameter.kernel->elementBytes();
  return bytes;
}
