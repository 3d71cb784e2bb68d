#include "Inputs.h"
#include <bit>
#include <cmath>
#include <limits>

using namespace tessera::math_test;

namespace {

constexpr size_t blockSize = size_t(1) << 20;
constexpr uint64_t numSamples = uint64_t(1) << 24, numBitPatterns = uint64_t(1) << 32;
constexpr uint64_t numRandom = uint64_t(1) << 21; ///< Where the bit patterns are too many.

/// A few steps of a 64-bit mixing function (splitmix64).
uint64_t mix(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// A random number from 0 to 1.
double uniform(uint64_t &state) {
  return double(mix(state) >> 11) * 0x1p-53;
}

/// Limits of functions and bounds between formulas, with their neighbors.
template <typename Float> const std::vector<Float> &edges() {
  static const std::vector<Float> list = [] {
    using Limits = std::numeric_limits<Float>;
    std::vector<Float> list{0,
                            Limits::denorm_min(),
                            Limits::min(),
                            Limits::max(),
                            Limits::infinity(),
                            Limits::quiet_NaN(),
                            Limits::epsilon()};
    for (double x : {0.3466,
                     0.5,
                     0.7071067811865476,
                     0.75,
                     1.0,
                     1.25,
                     1.4142135623730951,
                     2.0,
                     3.0,
                     3.92,
                     4.0,
                     5.93,
                     6.0,
                     8.0,
                     9.0,
                     10.0,
                     24.0,
                     25.0,
                     38.0,
                     55.0,
                     87.3365,
                     88.3762,
                     88.7228,
                     103.972,
                     104.0,
                     126.0,
                     127.0,
                     128.0,
                     149.0,
                     150.0,
                     151.0,
                     708.4,
                     709.78,
                     745.1,
                     746.0,
                     1022.0,
                     1023.0,
                     1024.0,
                     1074.0,
                     1075.0,
                     1076.0,
                     0x1p22,
                     0x1p23,
                     0x1p24,
                     0x1p31})
      for (Float y = std::nextafter(Float(x), Float(0));
           y <= std::nextafter(Float(x), Limits::max()); y = std::nextafter(y, Limits::max()))
        list.push_back(y);
    for (size_t i = 0, size = list.size(); i < size; ++i)
      list.push_back(-list[i]);
    return list;
  }();
  return list;
}

/// Draws one of several kinds of random numbers, to cover every part of the range.
double randomDouble(uint64_t &state) {
  double sign = mix(state) & 1 ? -1 : 1;
  switch (mix(state) % 8) {
  case 0:
    return std::bit_cast<double>(mix(state)); // Any bit pattern.
  case 1:
    return sign * uniform(state);
  case 2:
    return sign * uniform(state) * 8;
  case 3:
    return sign * uniform(state) * 760;
  case 4:
    return 1 + sign * std::exp2(-54 * uniform(state)); // Close to 1.
  case 5:
    return sign * std::exp2(-60 + 100 * uniform(state));
  case 6: // Close to a multiple of pi/4.
    return std::nearbyint(sign * std::exp2(40 * uniform(state))) * 0.78539816339744831 *
           (1 + sign * 0x1p-52 * (mix(state) % 5));
  default:
    return sign * std::exp2(-1074 + 2097 * uniform(state));
  }
}

float randomFloat(uint64_t &state) {
  return mix(state) % 4 ? float(randomDouble(state)) : std::bit_cast<float>(uint32_t(mix(state)));
}

template <typename Float> Float random(uint64_t &state) {
  if (mix(state) % 64 == 0)
    return edges<Float>()[mix(state) % edges<Float>().size()];
  if constexpr (sizeof(Float) == 4)
    return randomFloat(state);
  else
    return randomDouble(state);
}

} // namespace

template <typename Float> bool Inputs<Float>::next(Operands<Float> &operands) {
  bool isPattern = sizeof(Float) == 4 && count == 1;
  uint64_t total = !isPattern ? (isExhaustive ? 64 : 1) * numRandom
                              : (isExhaustive ? numBitPatterns : numSamples);
  if (block * blockSize >= total + blockSize) // One more than the patterns: the edges.
    return false;
  bool isRandom = !isPattern || block == 0;
  operands.assign(count, std::vector<Float>(blockSize));
  for (size_t i = 0; i < blockSize; ++i)
    for (std::vector<Float> &operand : operands)
      operand[i] = isRandom ? random<Float>(state)
                            : Float(std::bit_cast<float>(uint32_t(((block - 1) * blockSize + i) *
                                                                  (numBitPatterns / total))));
  ++block;
  return true;
}

template class tessera::math_test::Inputs<float>;
template class tessera::math_test::Inputs<double>;
