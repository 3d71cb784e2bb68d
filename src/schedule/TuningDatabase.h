/// Records of tuning that outlive a file and a folder: a SQLite database of the user's.
#ifndef TESSERA_SCHEDULE_TUNINGDATABASE_H
#define TESSERA_SCHEDULE_TUNINGDATABASE_H

#include "schedule/Records.h"

namespace tessera::schedule {

/// Several processes may read and write it at a time. Each step opens it anew.
class TuningDatabase {
public:
  /// $XDG_DATA_HOME/tessera/tuning.db, or in ~/.local/share; "" where there is no home.
  static std::string defaultPath();

  explicit TuningDatabase(std::string path) : path(std::move(path)) {}

  /// Those of one processor. A record of unknown sizes belongs to a source file, by its whole path;
  /// those of others are left out. A database that is not there has no records. Otherwise nothing
  /// is returned where `error` says why.
  std::optional<std::vector<Record>> read(llvm::StringRef processor, llvm::StringRef source,
                                          std::string &error) const;
  /// In place of those that are about the same. False where `error` says why.
  bool write(llvm::ArrayRef<Record> records, llvm::StringRef source, std::string &error) const;
  /// Whether `write` would be possible.
  bool isWritable(std::string &error) const;
  /// How many records there are, of all processors.
  std::optional<int64_t> count(std::string &error) const;

private:
  std::string path;
};

} // namespace tessera::schedule

#endif
