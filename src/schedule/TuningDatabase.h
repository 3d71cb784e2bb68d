/// The user's SQLite database of tuning records, which outlives files and folders.
#ifndef TESSERA_SCHEDULE_TUNINGDATABASE_H
#define TESSERA_SCHEDULE_TUNINGDATABASE_H

#include "schedule/Records.h"

namespace tessera::schedule {

/// Several processes may use it at a time. Each operation opens it anew.
class TuningDatabase {
public:
  /// $XDG_DATA_HOME/tessera/tuning.db, or that file in ~/.local/share; "" without a home directory.
  static std::string defaultPath();

  explicit TuningDatabase(std::string path) : path(std::move(path)) {}

  /// Reads the records of one processor. Records with unknown sizes belong to a source file,
  /// identified by its full path; those of other files are skipped. A missing database has no
  /// records. Returns nullopt and sets `error` on failure.
  std::optional<std::vector<Record>> read(llvm::StringRef processor, llvm::StringRef source,
                                          std::string &error) const;
  /// Replaces records with the same key. Returns false and sets `error` on failure.
  bool write(llvm::ArrayRef<Record> records, llvm::StringRef source, std::string &error) const;
  /// Whether `write` would be possible.
  bool isWritable(std::string &error) const;
  /// The number of records, for all processors.
  std::optional<int64_t> count(std::string &error) const;

private:
  std::string path;
};

} // namespace tessera::schedule

#endif
