#include "Inputs.h"
#include <cstdio>
#include <cstring>

using namespace tessera::bench;

/// 128 bytes, whatever the shape: peers skip so many.
static std::string headerOf(const Operand &operand) {
  constexpr size_t size = 128, prefix = 10;
  const char *type = operand.element == Element::F32   ? "<f4"
                     : operand.element == Element::F64 ? "<f8"
                                                       : "<i4";
  std::string text = std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : operand.sizes)
    text += std::to_string(extent) + ",";
  text += "), }";
  text.resize(size - prefix - 1, ' ');
  char length[] = {char(size - prefix), 0};
  return std::string("\x93NUMPY\x01\x00", 8) + std::string(length, 2) + text + "\n";
}

template <typename T> static std::vector<T> numbersOf(const Operand &operand, uint32_t seed) {
  std::vector<T> numbers(operand.count());
  uint32_t state = seed * 2654435769u + 1;
  for (T &number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = T(operand.low + (operand.high - operand.low) * double(state >> 8) / (1 << 24));
  }
  return numbers;
}

template <typename T> static bool writeNumbers(FILE *file, const Operand &operand, uint32_t seed) {
  std::vector<T> numbers = numbersOf<T>(operand, seed);
  return fwrite(numbers.data(), sizeof(T), numbers.size(), file) == numbers.size();
}

static bool writeInput(const Operand &operand, const std::string &path, uint32_t seed) {
  FILE *file = fopen(path.c_str(), "wb");
  if (!file)
    return false;
  std::string header = headerOf(operand);
  bool isGood = fwrite(header.data(), 1, header.size(), file) == header.size();
  if (operand.element == Element::F32)
    isGood &= writeNumbers<float>(file, operand, seed);
  else if (operand.element == Element::F64)
    isGood &= writeNumbers<double>(file, operand, seed);
  else
    isGood &= writeNumbers<int32_t>(file, operand, seed);
  return fclose(file) == 0 && isGood;
}

bool tessera::bench::writeInputs(const Shape &shape, const std::string &folder) {
  for (size_t i = 0; i < shape.inputs.size(); ++i)
    if (!writeInput(shape.inputs[i], folder + "/" + std::to_string(i) + ".npy", i + 1))
      return false;
  return true;
}
