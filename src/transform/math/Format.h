/// Constants of a float's format, for the formulas.
#ifndef TESSERA_TRANSFORM_MATH_FORMAT_H
#define TESSERA_TRANSFORM_MATH_FORMAT_H

#include "transform/math/Term.h"
#include <bit>

namespace tessera::transform::math {

struct Format {
  unsigned fraction;   ///< Stored bits of the significand.
  int bias;            ///< The exponent's bias.
  double leastNormal;  ///< Smaller numbers lose bits.
  double roundingTerm; ///< x + roundingTerm has x, rounded to an integer, in its low bits.
};

inline constexpr Format single{23, 127, 0x1p-126, 0x1.8p23}, wide{52, 1023, 0x1p-1022, 0x1.8p52};

inline const Format &formatOf(Term x) {
  return x.bits() == 32 ? single : wide;
}

/// The bits of a constant in this term's format.
inline int64_t bitsOf(Term x, double number) {
  return x.bits() == 32 ? int64_t(std::bit_cast<int32_t>(float(number)))
                        : std::bit_cast<int64_t>(number);
}

} // namespace tessera::transform::math

#endif
