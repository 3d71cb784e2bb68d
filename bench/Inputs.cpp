#include "Inputs.h"
#include <bit>
#include <cstdio>
#include <cstring>

using namespace tessera::bench;

/// 128 bytes, whatever the shape: peers skip so many.
static std::string headerOf(const Operand &operand) {
  constexpr size_t size = 128, prefix = 10;
  static constexpr const char *types[] = {"<f4", "<f8", "|i1", "<i4", "<i8", "<u2"};
  std::string text = std::string("{'descr': '") + types[int(operand.element)] +
                     "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : operand.sizes)
    text += std::to_string(extent) + ",";
  text += "), }";
  text.resize(size - prefix - 1, ' ');
  char length[] = {char(size - prefix), 0};
  return std::string("\x93NUMPY\x01\x00", 8) + std::string(length, 2) + text + "\n";
}

/// All numbers of a range of up to 2^40 are as likely.
class Generator {
public:
  explicit Generator(uint64_t seed) : state(seed) {}
  double operator()(double low, double high) {
    state += 0x9e3779b97f4a7c15;
    uint64_t bits = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return low + (high - low) * double((bits ^ bits >> 31) >> 11) * 0x1p-53;
  }

private:
  uint64_t state;
};

/// The upper half of a float: numbers of a range, not rounded to the nearest.
struct Bfloat {
  uint16_t bits = 0;
  Bfloat() = default;
  explicit Bfloat(double value) : bits(std::bit_cast<uint32_t>(float(value)) >> 16) {}
};

template <typename T> static std::vector<T> numbersOf(const Operand &operand, uint32_t seed) {
  constexpr int64_t farApart = 0x9e3779b97f4a7c15;
  std::vector<T> numbers(operand.count());
  Generator next(seed);
  double place = operand.low;
  for (T &number : numbers) {
    bool isStep = operand.filling == Filling::Steps;
    number = T(isStep ? place : next(operand.low, operand.high));
    if constexpr (std::is_integral_v<T>)
      if (operand.filling == Filling::Scattered)
        number = T(uint64_t(number) * farApart);
    place += operand.high;
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
  switch (operand.element) {
  case Element::F32:
    isGood &= writeNumbers<float>(file, operand, seed);
    break;
  case Element::F64:
    isGood &= writeNumbers<double>(file, operand, seed);
    break;
  case Element::BF16:
    isGood &= writeNumbers<Bfloat>(file, operand, seed);
    break;
  case Element::I8:
    isGood &= writeNumbers<int8_t>(file, operand, seed);
    break;
  case Element::I32:
    isGood &= writeNumbers<int32_t>(file, operand, seed);
    break;
  case Element::I64:
    isGood &= writeNumbers<int64_t>(file, operand, seed);
    break;
  }
  return fclose(file) == 0 && isGood;
}

bool tessera::bench::writeInputs(const Shape &shape, const std::string &folder) {
  for (size_t i = 0; i < shape.inputs.size(); ++i)
    if (!writeInput(shape.inputs[i], folder + "/" + std::to_string(i) + ".npy", i + 1))
      return false;
  return true;
}
