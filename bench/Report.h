/// The table and its summary.
#ifndef TESSERA_BENCH_REPORT_H
#define TESSERA_BENCH_REPORT_H

#include "Contest.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::bench {

void printHeader(const Machine &machine, llvm::raw_ostream &out);
void printRow(const Row &row, llvm::raw_ostream &out);
/// Geometric means of the families, and compile times.
void printSummary(llvm::ArrayRef<Row> rows, llvm::raw_ostream &out);

/// Prints one object per line: the machine, then each row.
void printJson(const Machine &machine, llvm::raw_ostream &out);
void printJson(const Row &row, llvm::raw_ostream &out);

} // namespace tessera::bench

#endif
