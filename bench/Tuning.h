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

/// Returns the file of records that it writes to `folder`, which has the inputs. The user's
/// database stays unchanged. The file does not exist if there is nothing to tune.
std::string tune(const TuningTask &task, const std::string &folder);

/// The best results of long searches, kept with the sources.
std::string searchFile();
/// Tunes, and replaces the records of the same kernels in the file. False on failure.
bool search(const TuningTask &task);

} // namespace tessera::bench

#endif
