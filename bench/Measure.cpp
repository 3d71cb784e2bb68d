#include "Measure.h"
#include <algorithm>
#include <cmath>
#include <ctime>

using namespace tessera::bench;
using llvm::ArrayRef;

static constexpr unsigned numRounds = 11;
static constexpr double shortestSample = 0.005;

static double secondsOf(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

double tessera::bench::now() {
  return secondsOf(CLOCK_MONOTONIC);
}

Sample tessera::bench::timed(std::function<void()> work, int threads) {
  clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  work();
  double begin = secondsOf(clock);
  work();
  auto repeats = std::clamp(int(shortestSample / (secondsOf(clock) - begin)), 1, 1 << 20);
  return [work = std::move(work), clock, repeats] {
    double start = secondsOf(clock);
    for (int i = 0; i < repeats; ++i)
      work();
    return (secondsOf(clock) - start) / repeats;
  };
}

double tessera::bench::median(std::vector<double> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> tessera::bench::interleave(ArrayRef<Sample> samples, unsigned rounds) {
  std::vector<std::vector<double>> times(samples.size());
  for (unsigned round = 0; round <= rounds; ++round)
    for (size_t side = 0; side < samples.size(); ++side)
      if (double seconds = samples[side](); round > 0)
        times[side].push_back(seconds);
  std::vector<double> medians;
  for (std::vector<double> &side : times)
    medians.push_back(median(std::move(side)));
  return medians;
}

double tessera::bench::differenceOf(ArrayRef<float> x, ArrayRef<float> y) {
  if (x.size() != y.size())
    return INFINITY;
  float largest = 0, difference = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i] - y[i]))
      return INFINITY;
    largest = std::max(largest, std::fabs(y[i]));
    difference = std::max(difference, std::fabs(x[i] - y[i]));
  }
  return difference == 0 ? 0 : difference / largest;
}

std::vector<Row> tessera::bench::compare(Row row, Call &ours, std::vector<Peer> peers) {
  tessera_set_threads(row.threads);
  if (!ours.run()) {
    row.failure = ours.error();
    return {row};
  }
  std::vector<Sample> samples = {timed([&ours] { ours.run(); }, row.threads)};
  for (Peer &peer : peers)
    samples.push_back(peer.sample);
  std::vector<double> medians = interleave(samples, numRounds);
  row.ours = medians[0];
  for (size_t i = 0; i < peers.size(); ++i)
    row.rivals.push_back({peers[i].name, peers[i].goal, medians[i + 1],
                          differenceOf(ours.result(), peers[i].result())});
  return {row};
}
