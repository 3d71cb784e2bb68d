/// Sources of schedules besides the model: --schedule, FILE.tune, the tuning database.
#ifndef TESSERA_CLI_SCHEDULES_H
#define TESSERA_CLI_SCHEDULES_H

#include "compiler/Session.h"
#include "schedule/Records.h"

namespace tessera::cli {

class Terminal;
struct Invocation;

/// How an operation is computed, and where its schedule comes from.
struct ScheduleUse {
  schedule::Kernel kernel;
  schedule::Choice choice;
};
llvm::json::Array toJson(llvm::ArrayRef<ScheduleUse> uses);

/// FILE.tune for FILE; "" for standard input.
std::string tuneFileOf(llvm::StringRef path);
/// TESSERA_TUNING=off: no records are read.
bool usesTuning();

class Schedules {
public:
  /// Null if the file of --schedule cannot be read, which is reported. Mistakes in records are
  /// warnings, because the model remains.
  static std::shared_ptr<Schedules> open(const CompileOptions &options,
                                         const Invocation &invocation, Terminal &terminal);

  /// Chooses schedules for the operations of a program; `uses` then returns them.
  void choose(llvm::ArrayRef<schedule::Kernel> kernels);
  llvm::ArrayRef<ScheduleUse> uses() const { return used; }
  /// False if --schedule does not fit this program, which is reported; so are records of FILE.tune
  /// that fit but are impossible.
  bool fit(Terminal &terminal) const;
  const schedule::Book &records() const { return book; }

private:
  bool readGiven(llvm::StringRef path, Terminal &terminal);
  bool readRecords(const Invocation &invocation, Terminal &terminal);
  /// Puts the records of FILE.tune, if it exists, on the first shelf. Reports what cannot be read:
  /// as warnings, or, if all of it `isNeeded`, as an error, and then returns false.
  bool readTuneFile(llvm::StringRef path, bool isNeeded, Terminal &terminal);

  schedule::Book book;
  std::optional<SourceFile> given, tuneFile;
  std::vector<schedule::Mistake> mismatches, unusable;
  std::vector<ScheduleUse> used;
};

} // namespace tessera::cli

#endif
