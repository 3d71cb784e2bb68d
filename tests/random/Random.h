/// Random numbers that are the same on every machine.
#ifndef TESSERA_TESTS_RANDOM_RANDOM_H
#define TESSERA_TESTS_RANDOM_RANDOM_H

#include <cstddef>
#include <cstdint>

namespace tessera {

/// SplitMix64: neighboring seeds give unrelated sequences.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int64_t below(int64_t bound) { return next() % bound; }
  int64_t between(int64_t first, int64_t last) { return first + below(last - first + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename Sequence> auto &pick(Sequence &&from) { return from[below(from.size())]; }
  template <typename T, size_t n> const T &pick(const T (&from)[n]) { return from[below(n)]; }

private:
  uint64_t state;
};

} // namespace tessera

#endif
