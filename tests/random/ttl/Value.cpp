#include "Value.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace tessera::ttl;
using namespace tessera::ttl::random;

static int64_t product(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

Matrix::Matrix(std::vector<int64_t> given, bool isWritten)
    : sizes(std::move(given)), bits(product(sizes)), written(bits.size(), isWritten) {}

int64_t Matrix::position(llvm::ArrayRef<int64_t> indices) const {
  int64_t position = 0;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    position = position * sizes[dim] + indices[dim];
  return position;
}

/// The fewest digits that can be read back, in Python's format.
static std::string formatFloat(float value) {
  if (std::isnan(value))
    return "nan";
  std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value))
    return sign + "inf";
  char text[32];
  int digits = 0;
  do
    snprintf(text, sizeof text, "%.*e", digits, std::fabs(value));
  while (strtof(text, nullptr) != std::fabs(value) && ++digits < 9);
  std::string scientific = text;
  size_t e = scientific.find('e');
  int exponent = atoi(scientific.c_str() + e + 1);
  std::string mantissa = scientific.substr(0, e);
  if (exponent < -4 || exponent >= 16) {
    snprintf(text, sizeof text, "e%+03d", exponent);
    return sign + mantissa + text;
  }
  std::string figures = mantissa.substr(0, 1) + (digits ? mantissa.substr(2) : "");
  if (exponent < 0)
    return sign + "0." + std::string(-exponent - 1, '0') + figures;
  if (int(figures.size()) < exponent + 2)
    figures.resize(exponent + 2, '0');
  return sign + figures.insert(exponent + 1, ".");
}

static std::string formatElement(uint32_t bits, Type::Kind kind) {
  return kind == Type::Float ? formatFloat(std::bit_cast<float>(bits))
                             : std::to_string(int32_t(bits));
}

/// With more than a thousand elements, three at each end of a dimension.
static std::string formatPart(const Matrix &matrix, Type::Kind kind, size_t dim, int64_t first) {
  if (dim == matrix.sizes.size())
    return formatElement(matrix.bits[first], kind);
  bool isShort = matrix.bits.size() > 1000 && matrix.sizes[dim] > 6;
  int64_t step = product(llvm::ArrayRef(matrix.sizes).drop_front(dim + 1));
  std::string text = "[";
  for (int64_t index = 0; index < matrix.sizes[dim]; ++index) {
    if (index)
      text += ", ";
    if (isShort && index == 3) {
      text += "..., ";
      index = matrix.sizes[dim] - 3;
    }
    text += formatPart(matrix, kind, dim + 1, first + index * step);
  }
  return text + "]";
}

std::string tessera::ttl::random::format(const Value &value, Type::Kind element) {
  return value.matrix ? formatPart(*value.matrix, element, 0, 0)
                      : formatElement(value.bits, element);
}
