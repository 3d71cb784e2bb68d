#include "peers.h"
#include <Eigen/Core>
#include <thread>
#include <vector>

/// Calls work(begin, end) for one part for each thread, at the same time.
template <typename Work> static void inParts(int64_t count, int32_t threads, Work work) {
  std::vector<std::thread> others;
  for (int32_t part = 1; part < threads; ++part)
    others.emplace_back([=] { work(count * part / threads, count * (part + 1) / threads); });
  work(0, count / threads);
  for (std::thread &other : others)
    other.join();
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
  // The fastest way to write it: `state = state * factor + term` is three times slower.
  for (int32_t i = 0; i < steps; ++i) {
    Matrix next = state.lazyProduct(factor) + term;
    state = next;
  }
  Eigen::Map<Matrix>{out} = state;
}
