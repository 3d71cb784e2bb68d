/// A peer's side: a process that answers each line with a line.
///
/// PROGRAM KERNEL FOLDER THREADS VARIANT: the inputs are FOLDER/0.npy and so on. Its first
/// line is `ready`, perhaps with more words, or `none` and the reason. Then it answers
/// `run` with the seconds of one call, and `save FILE` with `saved` after it has written its result
/// as 32-bit floats. It ends at the end of its input.
#ifndef TESSERA_BENCH_PEERS_SERVE_H
#define TESSERA_BENCH_PEERS_SERVE_H

#include "Kernel.h"
#include <functional>

namespace tessera::bench {

/// Inputs, and zeroed memory for the results, on huge pages like the runtime's own large blocks.
/// Each begins at a different offset in its page: with equal offsets, stores stall loads (4 KiB
/// aliasing).
struct Operands {
  std::vector<void *> inputs, results;

  template <typename T = float> T *in(int i) const { return static_cast<T *>(inputs[i]); }
  template <typename T = float> T *out(int i = 0) const { return static_cast<T *>(results[i]); }
};

void *allocate(int64_t bytes);
inline float *allocateFloats(int64_t count) {
  return static_cast<float *>(allocate(count * sizeof(float)));
}

struct Request {
  const Kernel &kernel;
  Shape shape;
  Operands operands;
  int threads;
  std::string variant;
};

struct Answer {
  std::function<void()> work = {};                 ///< One call; empty if the peer cannot do it.
  std::string failure = {};                        ///< Why it cannot.
  std::function<void()> finish = {};               ///< Brings the result into row-major order.
  std::function<double()> timed = {};              ///< Instead of `work`: the seconds of a call.
  std::string remark = {};                         ///< Follows `ready`.
  std::function<std::vector<float>()> result = {}; ///< If it is not just the first result.
};

/// `prepare` may be called only if `supports` returned true.
struct PeerProgram {
  bool (*supports)(Family family);
  Answer (*prepare)(Request &request);
  bool needsOperands = true;
};
int serve(int argc, char **argv, const PeerProgram &program);

/// Calls work(part) for each thread at the same time, on threads that spin for a while, so that no
/// peer loses time by being woken up.
void inParallel(int threads, const std::function<void(int part)> &work);
/// The same for ranges of 0...count.
void inRanges(int64_t count, int threads,
              const std::function<void(int64_t begin, int64_t end)> &work);

} // namespace tessera::bench

#endif
