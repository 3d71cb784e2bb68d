#include "peers.h"
#include <Eigen/Core>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

/// Calls work(begin, end) for as many parts as there are threads, at the same time.
template <typename Work> static void inParts(int64_t count, int32_t threads, Work work) {
  std::vector<std::thread> others;
  for (int32_t part = 1; part < threads; ++part)
    others.emplace_back([=] { work(count * part / threads, count * (part + 1) / threads); });
  work(0, count / threads);
  for (std::thread &other : others)
    other.join();
}

static double now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/// The shortest of a few times; of one thread's own clock, where one works.
template <typename Work> static double secondsOf(int32_t threads, Work work) {
  clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  double best = 1e9;
  for (int i = 0; i < 7; ++i) {
    double begin = now(clock);
    work();
    best = std::min(best, now(clock) - begin);
  }
  return best;
}

void peer_chain_threads(const float *a, const float *b, const float *c, float *out, int64_t count,
                        int32_t threads) {
  inParts(count, threads, [=](int64_t begin, int64_t end) {
    peer_chain(a + begin, b + begin, c + begin, out + begin, end - begin);
  });
}

using Matrix = Eigen::Matrix<float, 4, 4, Eigen::RowMajor>;

void peer_recurrence_eigen(const float *p, const float *a, const float *b, float *out,
                           int32_t steps) {
  Matrix state = Eigen::Map<const Matrix>(p), factor = Eigen::Map<const Matrix>(a),
         term = Eigen::Map<const Matrix>(b);
  // Of the ways to write it, the one that the compiler likes best: `state = state * factor + term`
  // is three times slower.
  for (int32_t i = 0; i < steps; ++i) {
    Matrix next = state.lazyProduct(factor) + term;
    state = next;
  }
  Eigen::Map<Matrix>{out} = state;
}

using Lanes = float __attribute__((vector_size(64)));
static constexpr int numChains = 16; // Enough to hide the latency of a fused multiply-add.
static constexpr int64_t fmaSteps = 4000000;
static volatile float sink;

static void multiplyAndAdd() {
#pragma clang fp contract(fast)
  Lanes chains[numChains] = {}, factor = Lanes{} + 0.5f + sink * 0, term = Lanes{} + 1.0f;
  for (int64_t i = 0; i < fmaSteps; ++i)
    for (Lanes &chain : chains)
      chain = chain * factor + term;
  Lanes sum = {};
  for (Lanes &chain : chains)
    sum += chain;
  sink = sum[0] * 0;
}

double peer_flops_per_second(int32_t threads) {
  double flops = 2.0 * sizeof(Lanes) / sizeof(float) * numChains * fmaSteps * threads;
  return flops / secondsOf(threads, [=] {
           inParts(threads, threads, [](int64_t, int64_t) { multiplyAndAdd(); });
         });
}

static void readAll(const float *from, int64_t count) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < count / 2; ++i) {
    uint64_t word;
    memcpy(&word, from + 2 * i, sizeof word);
    bits |= word;
  }
  sink = bits == 1;
}

double peer_bytes_read_per_second(const float *from, int64_t count, int32_t threads) {
  return count * sizeof(float) / secondsOf(threads, [=] {
           inParts(count, threads,
                   [=](int64_t begin, int64_t end) { readAll(from + begin, end - begin); });
         });
}

double peer_bytes_copied_per_second(const float *from, float *to, int64_t count, int32_t threads) {
  return 2 * count * sizeof(float) / secondsOf(threads, [=] {
           inParts(count, threads, [=](int64_t begin, int64_t end) {
             memcpy(to + begin, from + begin, (end - begin) * sizeof(float));
           });
         });
}
