/// Polynomials and constants. Written by scripts/derive-math, which says how they were found.
#ifndef TESSERA_TRANSFORM_MATH_COEFFICIENTS_H
#define TESSERA_TRANSFORM_MATH_COEFFICIENTS_H

namespace tessera::transform::math {

/// A constant as a sum. `high` may have so few bits that its products with exponents are exact.
struct Split {
  double high, low;
};

/// ln(2), in parts of 15, 24 bits.
inline constexpr Split ln2Of32{0x1.62e4000000000p-1, 0x1.7f7d1c0000000p-20};

/// ln(2), in parts of 38, 53 bits.
inline constexpr Split ln2Of64{0x1.62e42fefa0000p-1, 0x1.cf79abc9e3b3ap-40};

/// log2(e), in parts of 24, 24 bits.
inline constexpr Split log2OfEOf32{0x1.7154760000000p+0, 0x1.4ae0c00000000p-26};

/// log2(e), in parts of 53, 53 bits.
inline constexpr Split log2OfEOf64{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};

/// log10(2), in parts of 15, 24 bits.
inline constexpr Split log10Of2Of32{0x1.3440000000000p-2, 0x1.3509f80000000p-18};

/// log10(2), in parts of 38, 53 bits.
inline constexpr Split log10Of2Of64{0x1.34413509f8000p-2, -0x1.80433b83b532ap-44};

/// log10(e), in parts of 24, 24 bits.
inline constexpr Split log10OfEOf32{0x1.bcb7b20000000p-2, -0x1.5b235e0000000p-27};

/// log10(e), in parts of 53, 53 bits.
inline constexpr Split log10OfEOf64{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

/// pi / 2, in parts of 53, 53, 53 bits.
inline constexpr double halfPi[]{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                 -0x1.f1976b7ed8fbcp-110};

/// pi / 2, in parts of 27, 27, 53, 53 bits.
inline constexpr double halfPiShort[]{0x1.921fb54000000p+0, 0x1.10b4610000000p-30,
                                      0x1.a62633145c06ep-58, 0x1.cd129024e088ap-115};

/// exp(x), for -0.3467 to 0.3467. Error 2^-28.0.
inline constexpr double exp32[] = {0x1.0000000000000p+0, 0x1.0000000000000p+0, 0x1.fffff80000000p-2,
                                   0x1.55548e0000000p-3, 0x1.555b980000000p-5, 0x1.123bd60000000p-7,
                                   0x1.68513e0000000p-10};

/// exp(x), for -0.3467 to 0.3467. Error 2^-57.8.
inline constexpr double exp64[] = {
    0x1.0000000000000p+0,  0x1.0000000000000p+0,  0x1.000000000000bp-1,  0x1.555555555550fp-3,
    0x1.5555555550297p-5,  0x1.1111111122b53p-7,  0x1.6c16c1852f31dp-10, 0x1.a01a014497b41p-13,
    0x1.a01997bb5134bp-16, 0x1.71deec59c6337p-19, 0x1.28af4e8bdd70bp-22, 0x1.add79b02d7309p-26};

/// 2^x, for -0.5 to 0.5. Error 2^-28.1.
inline constexpr double exp2Of32[] = {
    0x1.0000000000000p+0, 0x1.62e4300000000p-1,  0x1.ebfbd80000000p-3, 0x1.c6af780000000p-5,
    0x1.3b30b00000000p-7, 0x1.5f0a660000000p-10, 0x1.3f906c0000000p-13};

/// 2^x, for -0.5 to 0.5. Error 2^-57.3.
inline constexpr double exp2Of64[] = {
    0x1.0000000000000p+0,  0x1.62e42fefa39efp-1,  0x1.ebfbdff82c5a5p-3,  0x1.c6b08d704a122p-5,
    0x1.3b2ab6fb9ffb3p-7,  0x1.5d87fe78a111cp-10, 0x1.4309130f139cbp-13, 0x1.ffcbfc595bcf6p-17,
    0x1.62bfc71ea7788p-20, 0x1.b5253f6036401p-24, 0x1.e61c1058a1947p-28, 0x1.e9471c875b804p-32};

/// (exp(x) - 1 - x) / x^2, for -0.3467 to 0.3467. Error 2^-26.1.
inline constexpr double expm1Rest32[] = {0x1.fffffe0000000p-2, 0x1.5554ae0000000p-3,
                                         0x1.5557220000000p-5, 0x1.1228ca0000000p-7,
                                         0x1.6b65340000000p-10};

/// (exp(x) - 1 - x) / x^2, for -0.3467 to 0.3467. Error 2^-61.5.
inline constexpr double expm1Rest64[] = {
    0x1.0000000000000p-1,  0x1.5555555555559p-3,  0x1.555555555554cp-5,  0x1.111111110f656p-7,
    0x1.6c16c16c1b323p-10, 0x1.a01a01b002a9cp-13, 0x1.a01a018b45aefp-16, 0x1.71ddf81245197p-19,
    0x1.27e5197eb0178p-22, 0x1.af5f263d49858p-26, 0x1.1f103d166df29p-29};

/// (log(1 + x) - x + x^2/2) / x^3, for -0.2929 to 0.4142. Error 2^-27.1.
inline constexpr double log32[] = {
    0x1.5555640000000p-2, -0x1.00023c0000000p-2, 0x1.9998600000000p-3, -0x1.5467900000000p-3,
    0x1.2364380000000p-3, -0x1.0e68260000000p-3, 0x1.025bea0000000p-3, -0x1.2d36360000000p-4};

/// (2 atanh(s) - 2 s) / s^3, s^2 = x, for 0 to 0.02944. Error 2^-59.5.
inline constexpr double log64[] = {0x1.5555555555594p-1, 0x1.999999997f77cp-2, 0x1.2492494235b74p-2,
                                   0x1.c71c51dbbbd75p-3, 0x1.746646d7fcebcp-3, 0x1.39a108cae2047p-3,
                                   0x1.2f0b96857276dp-3};

/// (sin(a) - a) / a^3, a^2 = x, for 0 to 0.6184. Error 2^-27.8.
inline constexpr double sin32[] = {-0x1.5555440000000p-3, 0x1.1106e20000000p-7,
                                   -0x1.992ae00000000p-13};

/// (cos(a) - 1 + a^2/2) / a^4, a^2 = x, for 0 to 0.6184. Error 2^-33.0.
inline constexpr double cos32[] = {0x1.55554a0000000p-5, -0x1.6c0c280000000p-10,
                                   0x1.99e8100000000p-16};

/// (sin(a) - a) / a^3, a^2 = x, for 0 to 0.6184. Error 2^-57.9.
inline constexpr double sin64[] = {-0x1.5555555555548p-3,  0x1.111111110f746p-7,
                                   -0x1.a01a019bed8efp-13, 0x1.71de355a08061p-19,
                                   -0x1.ae5e4fef1869bp-26, 0x1.5d8cc22f00f7cp-33};

/// (cos(a) - 1 + a^2/2) / a^4, a^2 = x, for 0 to 0.6184. Error 2^-63.8.
inline constexpr double cos64[] = {0x1.555555555554ap-5,  -0x1.6c16c16c14e39p-10,
                                   0x1.a01a019c65c4fp-16, -0x1.27e4f7d6495c8p-22,
                                   0x1.1ee9ca955c08ap-29, -0x1.8f9e1fd264b06p-37};

/// Up to here the first polynomial of erf.
inline constexpr double erfBound32 = 1.0;

/// From here on erf is 1.
inline constexpr double erfIsOne32 = 3.92;

/// Up to here the first polynomial of erf.
inline constexpr double erfBound64 = 1.25;

/// From here on erf is 1.
inline constexpr double erfIsOne64 = 5.93;

/// erf(a) / a - 1, a^2 = x, for 0 to 1. Error 2^-29.4.
inline constexpr double erf32[] = {
    0x1.06eba80000000p-3, -0x1.81273e0000000p-2,  0x1.ce2cf00000000p-4, -0x1.b7f8580000000p-6,
    0x1.53ff920000000p-8, -0x1.a3c95c0000000p-11, 0x1.48edee0000000p-14};

/// erfc(x)^(1/8), for 1 to 3.92. Error 2^-28.0.
inline constexpr double erfcRoot32[] = {
    0x1.0018d60000000p+0, -0x1.24c9c80000000p-3,  -0x1.0c385e0000000p-4,  -0x1.d17e9e0000000p-8,
    0x1.510bc80000000p-7, -0x1.8c60ea0000000p-10, -0x1.45422a0000000p-15, 0x1.04eeb40000000p-16};

/// erf(a) / a - 1, a^2 = x, for 0 to 1.562. Error 2^-56.3.
inline constexpr double erf64[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379f4p-2,  0x1.ce2f21a042f23p-4,  -0x1.b82ce3128d007p-6,
    0x1.565bcd0e5785bp-8,  -0x1.c02db3ece2cd2p-11, 0x1.f9a323d1d87b8p-14, -0x1.f4d2145afb276p-17,
    0x1.b9e2b0d37019dp-20, -0x1.5f4bb7c141739p-23, 0x1.fa9f2440752c4p-27, -0x1.47d6bd39f32dap-30,
    0x1.60a62e15da92dp-34, -0x1.d5d85442ff815p-39};

/// erfc(x)^(1/16), for 1.25 to 5.93. Error 2^-55.8.
inline constexpr double erfcRoot64[] = {
    0x1.fffff45d12ccep-1,   -0x1.20da6aa028f6cp-4, -0x1.31ab9b53d724ap-5,  -0x1.de2d1f748ebccp-9,
    0x1.2ce9fa0baf8a2p-9,   0x1.69bae09666141p-13, -0x1.bbbd302a0525dp-13, 0x1.36529d990146ap-14,
    -0x1.5e058e398d88cp-16, 0x1.39faeed90063ep-18, -0x1.a5b31286cfe63p-21, 0x1.9ea377b14016cp-24,
    -0x1.2257cfba68140p-27, 0x1.0f23688c0d476p-31, -0x1.24061906466a0p-36, 0x1.f2358609d7caap-43};

} // namespace tessera::transform::math

#endif
