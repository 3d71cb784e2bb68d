/// Where `tune` writes what it finds: FILE.tune and the tuning database.
#ifndef TESSERA_CLI_TUNERECORDS_H
#define TESSERA_CLI_TUNERECORDS_H

#include "schedule/Records.h"
#include "schedule/TuningDatabase.h"

namespace tessera::cli {

class Terminal;

class TuneRecords {
public:
  /// For a source file. Reports places that cannot be written; nothing is returned where none can.
  static std::optional<TuneRecords> open(llvm::StringRef source, Terminal &terminal);

  /// In place of those that are about the same. A reader sees all of them or none. What goes wrong
  /// is reported once.
  void write(llvm::ArrayRef<schedule::Record> records, Terminal &terminal);
  /// Files that are written.
  std::vector<std::string> files() const;

private:
  explicit TuneRecords(llvm::StringRef source);
  bool writeFile(llvm::ArrayRef<schedule::Record> records, std::string &error) const;
  void drop(std::string &path, llvm::StringRef why, Terminal &terminal);

  std::string source, tuneFile, database; ///< "": not written.
};

} // namespace tessera::cli

#endif
