#include "cli/Generators.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

static constexpr StringRef generators[] = {"rand", "zeros", "ones", "iota"};

template <typename T> static constexpr int precision = std::numeric_limits<T>::digits;
template <> constexpr int precision<runtime::Half> = 11;
template <> constexpr int precision<runtime::BFloat16> = 8;

RandomStream::RandomStream(uint64_t seed, unsigned position) : state(seed) {
  state = bits() + (uint64_t(position) << 32);
}

uint64_t RandomStream::bits() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

template <typename T> T RandomStream::next() {
  if constexpr (std::is_same_v<T, bool>)
    return bits() >> 63;
  else if constexpr (std::is_integral_v<T>)
    return ((bits() >> 32) * 10) >> 32;
  else // Each step is exact in double.
    return T(double(bits() >> (64 - precision<T>)) / (uint64_t(1) << (precision<T> - 1)) - 1.0);
}

bool cli::isGenerator(StringRef name) {
  return llvm::is_contained(generators, name);
}

void cli::generate(StringRef name, const Tensor &tensor, RandomStream random, unsigned numParts) {
  withElement(tensor.element(), [&]<typename T>(T) {
    llvm::MutableArrayRef<T> elements = tensor.elements<T>();
    if (name == "rand")
      for (T &element : elements)
        element = random.next<T>();
    for (size_t i = 0; name == "ones" && i < elements.size(); i += numParts)
      elements[i] = T(1);
    for (size_t i = 0; name == "iota" && i < elements.size(); i += numParts)
      elements[i] = static_cast<T>(i / numParts);
  });
}

uint64_t cli::largestCount(Scalar scalar) {
  switch (kindOf(scalar)) {
  case ScalarKind::Bool:
    return 1;
  case ScalarKind::Signed:
    return llvm::maxIntN(bitsOf(scalar));
  case ScalarKind::Unsigned:
    return llvm::maxUIntN(bitsOf(scalar));
  case ScalarKind::Float:
    break;
  }
  return scalar == Scalar::F16 ? 65504 : UINT64_MAX; // Others round, but reach any count.
}
