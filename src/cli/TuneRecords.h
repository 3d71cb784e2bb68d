/// Where `tune` writes what it finds: FILE.tune and the tuning database.
#ifndef TESSERA_CLI_TUNERECORDS_H
#define TESSERA_CLI_TUNERECORDS_H

#include "schedule/Records.h"
#include "schedule/TuningDatabase.h"

namespace tessera::cli {

class Terminal;

class TuneRecords {
public:
  /// Opens the files for a source file. Reports those that cannot be written; returns nullopt if
  /// none can.
  static std::optional<TuneRecords> open(llvm::StringRef source, Terminal &terminal);

  /// Replaces records of the same operations. A reader sees either all or none of the new ones.
  /// Each failure is reported once.
  void write(llvm::ArrayRef<schedule::Record> records, Terminal &terminal);
  /// The files that are written.
  std::vector<std::string> files() const;

private:
  explicit TuneRecords(llvm::StringRef source);
  bool writeFile(llvm::ArrayRef<schedule::Record> records, std::string &error) const;
  void drop(std::string &path, llvm::StringRef why, Terminal &terminal);

  std::string source, tuneFile, database; ///< "": not written.
};

/// The tuning database, which is not a cache.
struct TuningState {
  std::string path;
  int64_t numRecords = 0;
  std::string error; ///< Why it cannot be read; "" if it can, or does not exist.
};
TuningState tuningState();
/// "3 records", or why the number is unknown.
std::string recordsText(const TuningState &state);

} // namespace tessera::cli

#endif
