/// Where schedules come from besides the model: --schedule, FILE.tune, the tuning database.
#ifndef TESSERA_CLI_SCHEDULES_H
#define TESSERA_CLI_SCHEDULES_H

#include "compiler/Session.h"
#include "schedule/Records.h"

namespace tessera::cli {

class Terminal;
struct Invocation;

/// How a kernel is computed, and who said so.
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
  /// Null where the file of --schedule cannot be read; it is reported. What is wrong with records
  /// is a warning: there is the model.
  static std::shared_ptr<Schedules> open(const CompileOptions &options,
                                         const Invocation &invocation, Terminal &terminal);

  /// Chooses for the kernels of a program, which `uses` then tells.
  void choose(llvm::ArrayRef<schedule::Kernel> kernels);
  llvm::ArrayRef<ScheduleUse> uses() const { return used; }
  /// False where --schedule is not about this program; it is reported. So are records of FILE.tune
  /// that are, but that no kernel can follow.
  bool fit(Terminal &terminal) const;
  const schedule::Book &records() const { return book; }

private:
  bool readGiven(llvm::StringRef path, Terminal &terminal);
  bool readRecords(const Invocation &invocation, Terminal &terminal);
  /// Puts what FILE.tune has, if there is one, on the first shelf. Reports what cannot be read: as
  /// warnings, or as an error where all of it `isNeeded`, and returns false then.
  bool readTuneFile(llvm::StringRef path, bool isNeeded, Terminal &terminal);

  schedule::Book book;
  std::optional<SourceFile> given, tuneFile;
  std::vector<schedule::Mistake> mismatches, unusable;
  std::vector<ScheduleUse> used;
};

} // namespace tessera::cli

#endif
