/// Interleaved timing: what disturbs the machine disturbs every side alike.
#ifndef TESSERA_BENCH_MEASURE_H
#define TESSERA_BENCH_MEASURE_H

#include "Program.h"
#include "Row.h"
#include <functional>

namespace tessera::bench {

/// Seconds that one execution took.
using Sample = std::function<double()>;

/// Seconds of the wall clock.
double now();

/// One thread's work is timed by that thread's clock, which the work of others does not advance;
/// that of several by the wall clock. What is too short for either is repeated inside a sample.
Sample timed(std::function<void()> work, int threads = 1);

double median(std::vector<double> values);

/// Runs the samples in turn (A B A B ...), after one round to warm up; the median of each.
std::vector<double> interleave(llvm::ArrayRef<Sample> samples, unsigned rounds);

/// Relative to the largest element; infinite where one is not a number or the sizes differ: no such
/// result counts.
double differenceOf(llvm::ArrayRef<float> x, llvm::ArrayRef<float> y);

/// What a user would write instead, in this process. `result` is looked at after the last sample.
struct Peer {
  std::string name;
  double goal;
  Sample sample;
  std::function<llvm::ArrayRef<float>()> result;
};

/// `row` says what is measured, and on how many threads ours works.
std::vector<Row> compare(Row row, Call &ours, std::vector<Peer> peers);

} // namespace tessera::bench

#endif
