#include "Inputs.h"
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

using namespace tessera::bench;

/// Always 128 bytes, which peers skip.
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

/// Uniformly distributed in a range of up to 2^40.
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

/// The upper half of a float, truncated.
struct Bfloat {
  uint16_t bits = 0;
  Bfloat() = default;
  explicit Bfloat(double value) : bits(std::bit_cast<uint32_t>(float(value)) >> 16) {}
};

/// The number at `index`. With Zipf's law, the probability of k is nearly proportional to 1 / (k +
/// 1).
static double numberAt(const Operand &operand, int64_t index, Generator &next) {
  switch (operand.filling) {
  case Filling::Steps:
    return operand.low + double(index) * operand.high;
  case Filling::Zipf:
    return std::pow(operand.high, next(0, 1)) - 1;
  default:
    return next(operand.low, operand.high);
  }
}

/// Mostly `12345     `, some `12345-6789`, a few invalid ones.
static std::string codeFrom(Generator &next) {
  constexpr const char *wrong[] = {"NO CLUE   ", "N/A       ", "00000     ", "0         "};
  double kind = next(0, 1);
  if (kind < 0.05)
    return wrong[int(next(0, 4))];
  std::string digits = std::to_string(int64_t(next(1e9, 9.999e9)));
  return digits.substr(0, 5) + (kind < 0.15 ? "-" + digits.substr(5, 4) : "     ");
}

template <typename T> static std::vector<T> codesOf(const Operand &operand, uint32_t seed) {
  std::vector<T> bytes;
  bytes.reserve(operand.count());
  Generator next(seed);
  while (int64_t(bytes.size()) < operand.count())
    for (char byte : codeFrom(next))
      bytes.push_back(T(byte));
  return bytes;
}

/// Eight tasks add to each block of the result, all with the same sizes. There are `high` blocks to
/// be multiplied.
static std::vector<int32_t> tasksOf(const Operand &operand, uint32_t seed) {
  std::vector<int32_t> numbers;
  Generator next(seed);
  constexpr int numSizes = std::size(taskSizes);
  for (int64_t task = 0; task < operand.sizes[1]; ++task) {
    int64_t result = task / 8;
    for (int64_t size : {result, result / numSizes, int64_t(next(0, numSizes))})
      numbers.push_back(int32_t(taskSizes[size % numSizes]));
    for (int64_t block : {int64_t(next(0, operand.high)), int64_t(next(0, operand.high)), result})
      numbers.push_back(int32_t(block * taskBlock));
  }
  return numbers;
}

/// The numbers of input `index`.
template <typename T> static std::vector<T> numbersOf(const Shape &shape, int index) {
  const Operand &operand = shape.inputs[index];
  uint32_t seed = index + 1;
  if (operand.filling == Filling::Codes)
    return codesOf<T>(operand, seed);
  if constexpr (std::is_same_v<T, int32_t>)
    if (operand.filling == Filling::Tasks)
      return tasksOf(operand, seed);
  constexpr int64_t farApart = 0x9e3779b97f4a7c15;
  std::vector<T> numbers(operand.count()), others;
  if (operand.after >= 0)
    others = numbersOf<T>(shape, operand.after);
  Generator next(seed);
  for (int64_t i = 0; T &number : numbers) {
    number = T(numberAt(operand, i, next));
    if constexpr (std::is_arithmetic_v<T>) {
      if (operand.isScattered)
        number = T(uint64_t(number) * farApart);
      if (!others.empty())
        number += others[i * int64_t(others.size()) / int64_t(numbers.size())];
    }
    ++i;
  }
  return numbers;
}

template <typename T> static bool writeNumbers(FILE *file, const Shape &shape, int index) {
  std::vector<T> numbers = numbersOf<T>(shape, index);
  return fwrite(numbers.data(), sizeof(T), numbers.size(), file) == numbers.size();
}

static bool writeInput(const Shape &shape, int index, const std::string &path) {
  const Operand &operand = shape.inputs[index];
  FILE *file = fopen(path.c_str(), "wb");
  if (!file)
    return false;
  std::string header = headerOf(operand);
  bool isGood = fwrite(header.data(), 1, header.size(), file) == header.size();
  switch (operand.element) {
  case Element::F32:
    isGood &= writeNumbers<float>(file, shape, index);
    break;
  case Element::F64:
    isGood &= writeNumbers<double>(file, shape, index);
    break;
  case Element::BF16:
    isGood &= writeNumbers<Bfloat>(file, shape, index);
    break;
  case Element::I8:
    isGood &= writeNumbers<int8_t>(file, shape, index);
    break;
  case Element::I32:
    isGood &= writeNumbers<int32_t>(file, shape, index);
    break;
  case Element::I64:
    isGood &= writeNumbers<int64_t>(file, shape, index);
    break;
  }
  return fclose(file) == 0 && isGood;
}

bool tessera::bench::writeInputs(const Shape &shape, const std::string &folder) {
  for (size_t i = 0; i < shape.inputs.size(); ++i)
    if (!writeInput(shape, int(i), folder + "/" + std::to_string(i) + ".npy"))
      return false;
  return true;
}
