/// Values of Weld as arguments: from words of the command line into memory.
#ifndef TESSERA_CLI_DATA_VALUES_H
#define TESSERA_CLI_DATA_VALUES_H

#include "cli/Terminal.h"
#include "cli/data/Csv.h"
#include "cli/data/Memory.h"

namespace tessera::cli {
struct Invocation;
}

namespace tessera::cli::data {

/// Options about how values are read.
struct ReadOptions {
  uint64_t seed = 0;
  CsvOptions csv;

  /// Reports what does not fit.
  static std::optional<ReadOptions> read(const Invocation &invocation, Terminal &terminal);
};

/// The parameter or result whose value is read, and its memory.
struct Target {
  llvm::StringRef noun, name; ///< "parameter", "x".
  const DataType &type;
  void *slot; ///< Cleared, with C's layout.
  Memory &memory;
  unsigned position = 0; ///< `rand` depends on it.

  std::string subject() const { return (noun + " `" + name + "`").str(); }
};

/// Reads one VALUE in any of its forms. Reports why it cannot be read or does not fit.
bool readValue(llvm::StringRef text, const Target &target, const ReadOptions &options,
               Terminal &terminal);

/// A file of columns: "FILE.csv", "FILE.csv:COLUMN", "FILE.csv:A,B".
bool readCsvFile(llvm::StringRef path, const Target &target, const CsvOptions &options,
                 Terminal &terminal);

/// Whether a file fits into this machine's memory; otherwise that is reported.
bool isReadable(llvm::StringRef path, const Target &target, Terminal &terminal);

} // namespace tessera::cli::data

#endif
