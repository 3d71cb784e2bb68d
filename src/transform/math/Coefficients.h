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

/// pi / 2, in parts of 24, 24 bits.
inline constexpr Split halfPiOf32{0x1.921fb60000000p+0, -0x1.777a5c0000000p-25};

/// pi / 2, in parts of 53, 53 bits.
inline constexpr Split halfPiOf64{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// pi, in parts of 24, 24, 24 bits.
inline constexpr double piOf32[]{0x1.921fb60000000p+1, -0x1.777a5c0000000p-24,
                                 -0x1.ee59da0000000p-49};

/// pi, in parts of 11, 11, 11, 24 bits.
inline constexpr double piShortOf32[]{0x1.9200000000000p+1, 0x1.fb40000000000p-11,
                                      0x1.4440000000000p-23, 0x1.68c2340000000p-38};

/// pi, in parts of 53, 29, 53 bits.
inline constexpr double piOf64[]{0x1.921fb54442d18p+1, 0x1.1a62633000000p-53,
                                 0x1.45c06e0e68948p-85};

/// pi, in parts of 27, 27, 53, 53 bits.
inline constexpr double piShortOf64[]{0x1.921fb54000000p+1, 0x1.10b4610000000p-29,
                                      0x1.a62633145c06ep-57, 0x1.cd129024e088ap-114};

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

/// 1.000 (log(1 + x) - x) / x^2, for -0.2929 to 0.4142. Error 2^-24.8.
inline constexpr double log32[] = {
    -0x1.0000000000000p-1, 0x1.5557020000000p-2, -0x1.00028a0000000p-2, 0x1.98cb160000000p-3,
    -0x1.53b8c80000000p-3, 0x1.3231b20000000p-3, -0x1.22c2580000000p-3, 0x1.5c710e0000000p-4};

/// 1.443 (log(1 + x) - x) / x^2, for -0.2929 to 0.4142. Error 2^-24.8.
inline constexpr double log2Of32[] = {
    -0x1.7154760000000p-1, 0x1.ec73080000000p-2, -0x1.71584a0000000p-2, 0x1.26e1f40000000p-2,
    -0x1.ea17520000000p-3, 0x1.b9b5fe0000000p-3, -0x1.a39cf60000000p-3, 0x1.f730800000000p-4};

/// 0.434 (log(1 + x) - x) / x^2, for -0.2929 to 0.4142. Error 2^-24.8.
inline constexpr double log10Of32[] = {
    -0x1.bcb7b00000000p-3, 0x1.287bea0000000p-3, -0x1.bcbcc20000000p-4, 0x1.63136a0000000p-4,
    -0x1.2708180000000p-4, 0x1.09e3aa0000000p-4, -0x1.f9a1cc0000000p-5, 0x1.2f9ec60000000p-5};

/// (2 atanh(s) - 2 s) / s^3, s^2 = x, for 0 to 0.02944. Error 2^-59.5.
inline constexpr double log64[] = {0x1.5555555555594p-1, 0x1.999999997f77cp-2, 0x1.2492494235b74p-2,
                                   0x1.c71c51dbbbd75p-3, 0x1.746646d7fcebcp-3, 0x1.39a108cae2047p-3,
                                   0x1.2f0b96857276dp-3};

/// (sin(a) - a) / a^3, a^2 = x, for 0 to 2.499. Error 2^-26.9.
inline constexpr double sin32[] = {-0x1.55554a0000000p-3, 0x1.110e940000000p-7,
                                   -0x1.9f655a0000000p-13, 0x1.5d301c0000000p-19};

/// (sin(a) - a) / a^3, a^2 = x, for 0 to 2.499. Error 2^-61.4.
inline constexpr double sin64[] = {
    -0x1.5555555555555p-3,  0x1.11111111110c6p-7,  -0x1.a01a01a014a96p-13, 0x1.71de3a528869bp-19,
    -0x1.ae6454c7be187p-26, 0x1.6123c98569ba7p-33, -0x1.ae4289e803b06p-41, 0x1.8816ca16a9d84p-49};

/// Up to here the first polynomial of erf.
inline constexpr double erfBound32 = 1.25;

/// From here on erf is 1.
inline constexpr double erfIsOne32 = 4.0;

/// Up to here the first polynomial of erf.
inline constexpr double erfBound64 = 1.5;

/// From here on erf is 1.
inline constexpr double erfIsOne64 = 6.0;

/// erf(a) / a - 1, a^2 = x, for 0 to 1.562. Error 2^-29.4.
inline constexpr double erf32[] = {
    0x1.06eba80000000p-3, -0x1.8127400000000p-2,  0x1.ce2dc80000000p-4,  -0x1.b8122e0000000p-6,
    0x1.5553e40000000p-8, -0x1.b4dfba0000000p-11, 0x1.b2ab5c0000000p-14, -0x1.f89ad60000000p-18};

/// erfc(x)^(1/8), for 1.25 to 4. Error 2^-28.4.
inline constexpr double erfcRoot32[] = {
    0x1.0064e20000000p+0, -0x1.2e38600000000p-3, -0x1.d938f00000000p-5, -0x1.d076560000000p-7,
    0x1.ce5bb80000000p-7, -0x1.6610ee0000000p-9, 0x1.6bf8fa0000000p-13};

/// erf(a) / a - 1, a^2 = x, for 0 to 2.25. Error 2^-56.0.
inline constexpr double erf64[] = {
    0x1.06eba8214db68p-3,  -0x1.812746b0379cbp-2,  0x1.ce2f21a042065p-4,  -0x1.b82ce3126756ap-6,
    0x1.565bcd0b19fb4p-8,  -0x1.c02db39861e12p-11, 0x1.f9a31e8ce1fdap-14, -0x1.f4d1e2f8603b5p-17,
    0x1.b9e1ed2ca703cp-20, -0x1.5f50094a50600p-23, 0x1.fb3e19503facbp-27, -0x1.4bd840c88c017p-30,
    0x1.7ce9b8decfb02p-34, -0x1.57163b25dbbf6p-38, 0x1.60f7c3818be82p-43};

/// erfc(x)^(1/8), for 1.5 to 6. Error 2^-57.1.
inline constexpr double erfcRoot64[] = {
    0x1.ffffb82079a13p-1,   -0x1.20d546ec8bde0p-3,  -0x1.1d6c93eb35239p-4,  -0x1.0309a05d6d1f8p-9,
    0x1.a50b7a612ec71p-8,   0x1.7aaab54d61097p-12,  -0x1.55204cb0601e8p-11, 0x1.63f4bb903a9aep-13,
    -0x1.48c27d1824ed1p-15, 0x1.5361d0a2bf33dp-17,  -0x1.019959311e5a4p-19, 0x1.c02f2d5b72182p-23,
    -0x1.2bb94f242e9aep-27, -0x1.306460fcb0afcp-31, 0x1.5d533d219c217p-34,  -0x1.7e00d6b291281p-39};

/// (1 + 2 a) exp(a^2) erfc(a), x = (a - 3) / (a + 3), for -0.6 to 0.8065. Error 2^-33.1.
inline constexpr double erfcxShort[] = {
    0x1.40c522d7a3b02p+0,  -0x1.15c08485353abp-3,  -0x1.85a1575a4a671p-5,  0x1.09835c10d3073p-3,
    -0x1.e88bbcf3a1b0ap-4, 0x1.17cb5ddcaf706p-4,   -0x1.856cb90766468p-6,  0x1.4a9173eb1cfa9p-9,
    0x1.ed4c44dbf4eb4p-10, -0x1.8cd3401fafac9p-11, -0x1.8d78ee1a0c4f8p-14, 0x1.7db6d2ba774a8p-14};

/// (1 + 2 a) exp(a^2) erfc(a), x = (a - 3) / (a + 3), for -0.6 to 0.8065. Error 2^-54.5.
inline constexpr double erfcx64[] = {
    0x1.40c522d7e4987p+0,  -0x1.15c084bb9e900p-3,  -0x1.85a15c58aa23fp-5,  0x1.098366a5b4e36p-3,
    -0x1.e88b803a4e1b9p-4, 0x1.17ca2877c8b73p-4,   -0x1.8574c40a18df3p-6,  0x1.4b884ea82028dp-9,
    0x1.ef1bdbce0a33fp-10, -0x1.98db61f77ba32p-11, -0x1.b9119b0486f95p-14, 0x1.065be49a18686p-13,
    0x1.4bd0da028db37p-18, -0x1.516e69f43dd5ap-16, -0x1.7dbf357fd7e5fp-21, 0x1.d586c25faf16bp-19,
    0x1.47afc6d2d8490p-22, -0x1.5970a4ff91961p-21, -0x1.1f0ceaac55ab4p-24, 0x1.bead15be373cbp-24,
    -0x1.40a4079105d4dp-27};

/// (asin(a) - a) / a^3, a^2 = x, for 0 to 0.25. Error 2^-27.6.
inline constexpr double asin32[] = {0x1.5555c80000000p-3, 0x1.3302460000000p-4,
                                    0x1.7472120000000p-5, 0x1.8caece0000000p-6,
                                    0x1.58f4600000000p-5};

/// (asin(a) - a) / a^3, a^2 = x, for 0 to 0.25. Error 2^-55.9.
inline constexpr double asin64[] = {
    0x1.5555555555399p-3, 0x1.333333336d0c6p-4, 0x1.6db6db438bf1dp-5,  0x1.f1c72bdb3836fp-6,
    0x1.6e89fd4d337c6p-6, 0x1.1c6b575742861p-6, 0x1.c70876a6feda2p-7,  0x1.8e7ce740fc94ep-7,
    0x1.ae2946e15bc09p-8, 0x1.3e5cdb40af60fp-6, -0x1.075a90079030dp-6, 0x1.04975b2137fa3p-5};

/// (atan(a) - a) / a^3, a^2 = x, for 0 to 1. Error 2^-28.2.
inline constexpr double atan32[] = {
    -0x1.55553a0000000p-2, 0x1.9991000000000p-3,  -0x1.24177a0000000p-3,
    0x1.c0317e0000000p-4,  -0x1.5709ba0000000p-4, 0x1.d6de140000000p-5,
    -0x1.f722e60000000p-6, 0x1.5d871a0000000p-7,  -0x1.c7dc840000000p-10};

/// (atan(a) - a) / a^3, a^2 = x, for 0 to 1. Error 2^-57.3.
inline constexpr double atan64[] = {
    -0x1.555555555551dp-2, 0x1.9999999994b2ap-3,  -0x1.249249235b8ddp-3,  0x1.c71c7177f1d86p-4,
    -0x1.745d112838a0ep-4, 0x1.3b1360a94707cp-4,  -0x1.110e21d2aa6f8p-4,  0x1.e1b97f3da4f64p-5,
    -0x1.ae55096997cb9p-5, 0x1.82bb6365a8f4dp-5,  -0x1.5952abd1e9b9ep-5,  0x1.2b8aa9f506f5cp-5,
    -0x1.e7f86ec5a95ebp-6, 0x1.65cb8622058a2p-6,  -0x1.c2ff51fdfd16cp-7,  0x1.d14dfd9d85a16p-8,
    -0x1.73a83b984ef2fp-9, 0x1.aac07ebff3d86p-11, -0x1.37417a0ff51ecp-13, 0x1.af3c2a9a965ccp-17};

/// 1/3, in parts of 53, 53 bits.
inline constexpr Split thirdOf64{0x1.5555555555555p-2, 0x1.5555555555555p-56};

/// (atanh(s) - s - s^3/3) / s^5, s^2 = x, for 0 to 0.02944. Error 2^-56.2.
inline constexpr double powLog[] = {
    0x1.9999999999b44p-3, 0x1.2492492455e26p-3, 0x1.c71c722fc00a7p-4, 0x1.745ce92d82376p-4,
    0x1.3b1f0977f886bp-4, 0x1.0f7d798d40f85p-4, 0x1.0e577c1dad70ap-4};

} // namespace tessera::transform::math

#endif
