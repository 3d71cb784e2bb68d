/// The numbers that every side of a contest reads.
#ifndef TESSERA_BENCH_INPUTS_H
#define TESSERA_BENCH_INPUTS_H

#include "Kernel.h"

namespace tessera::bench {

/// Writes FOLDER/0.npy and so on with pseudo-random numbers. False on failure.
bool writeInputs(const Shape &shape, const std::string &folder);

} // namespace tessera::bench

#endif
