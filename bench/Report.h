/// The table, and what the machine reaches at best.
#ifndef TESSERA_BENCH_REPORT_H
#define TESSERA_BENCH_REPORT_H

#include "Row.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::bench {

/// What 1 and 2 threads reach.
struct Machine {
  struct Rates {
    double flops, bytesRead, bytesCopied; ///< A second.
  };
  Rates rates[2];
  double load; ///< Average of the last minute, before this process adds to it.

  const Rates &with(int threads) const { return rates[threads - 1]; }
  /// Keeps the higher rates: what lowers them is other people's work.
  void update(const Machine &other);
};

Machine probeMachine();

void printTable(const Machine &machine, llvm::ArrayRef<Row> rows, llvm::raw_ostream &out);
/// One object a line: the machine, then each row.
void printJson(const Machine &machine, llvm::ArrayRef<Row> rows, llvm::raw_ostream &out);

} // namespace tessera::bench

#endif
