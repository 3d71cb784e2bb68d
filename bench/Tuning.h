/// `tessera tune`, for the kernels of the table.
#ifndef TESSERA_BENCH_TUNING_H
#define TESSERA_BENCH_TUNING_H

#include "Kernel.h"

namespace tessera::bench {

struct TuningTask {
  const Kernel &kernel;
  int threads;
  double budget; ///< Seconds.
};

/// The file of records that it leaves in `folder`, which has the inputs; none go to the user's
/// database. There is no such file where there is nothing to tune.
std::string tune(const TuningTask &task, const std::string &folder);

/// The best that long searches found, kept with the sources.
std::string searchFile();
/// Tunes, and puts what was found in place of what the file has about the same. False on failure.
bool search(const TuningTask &task);

} // namespace tessera::bench

#endif
