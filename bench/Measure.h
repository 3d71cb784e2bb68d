/// Interleaved timing: a disturbance of the machine affects every side alike.
#ifndef TESSERA_BENCH_MEASURE_H
#define TESSERA_BENCH_MEASURE_H

#include "Program.h"
#include "Row.h"
#include <functional>

namespace tessera::bench {

/// The seconds of one execution.
using Sample = std::function<double()>;

/// Wall-clock seconds.
double now();

/// One thread is timed by its CPU clock, which other processes do not advance; several by the wall
/// clock. Work that is too short for its clock is repeated inside a sample.
Sample timed(std::function<void()> work, int threads = 1);

double median(std::vector<double> values);

/// Runs the samples in turn (A B A B ...) after a warm-up; returns the median of each.
std::vector<double> interleave(llvm::ArrayRef<Sample> samples, unsigned rounds);

/// The difference relative to the largest element; infinite for NaN or different sizes, so that the
/// result does not count.
double differenceOf(llvm::ArrayRef<float> x, llvm::ArrayRef<float> y);

/// What a user would write instead, in this process. `result` is compared after the last sample.
struct Peer {
  std::string name;
  double goal;
  Sample sample;
  std::function<llvm::ArrayRef<float>()> result;
};

/// `row` says what is measured, and with how many threads of ours.
std::vector<Row> compare(Row row, Call &ours, std::vector<Peer> peers);

} // namespace tessera::bench

#endif
