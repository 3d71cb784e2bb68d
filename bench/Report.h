/// The table, and what it comes to.
#ifndef TESSERA_BENCH_REPORT_H
#define TESSERA_BENCH_REPORT_H

#include "Contest.h"
#include "llvm/Support/raw_ostream.h"

namespace tessera::bench {

void printHeader(const Machine &machine, llvm::raw_ostream &out);
void printRow(const Row &row, llvm::raw_ostream &out);
/// Geometric means of families, and the time that compiling took.
void printSummary(llvm::ArrayRef<Row> rows, llvm::raw_ostream &out);

/// One object a line: the machine, then each row.
void printJson(const Machine &machine, llvm::raw_ostream &out);
void printJson(const Row &row, llvm::raw_ostream &out);

} // namespace tessera::bench

#endif
