#include "cli/Schedules.h"
#include "cli/Arguments.h"
#include "cli/Input.h"
#include "cli/Terminal.h"
#include "compiler/ModuleLanguage.h"
#include "runtime/CpuCount.h"
#include "schedule/TuningDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

llvm::json::Array cli::toJson(llvm::ArrayRef<ScheduleUse> uses) {
  llvm::json::Array array;
  for (const ScheduleUse &use : uses) {
    llvm::json::Object object = use.kernel.toJson();
    object["schedule"] = use.choice.schedule.toJson();
    object["origin"] = schedule::name(use.choice.origin);
    array.push_back(std::move(object));
  }
  return array;
}

std::string cli::tuneFileOf(StringRef path) {
  return path == "-" ? "" : (path + ".tune").str();
}

bool cli::usesTuning() {
  return llvm::sys::Process::GetEnv("TESSERA_TUNING").value_or("on") != "off";
}

/// Lines of schedules, or a whole program printed by `emit --stage=scheduled`.
bool Schedules::readGiven(StringRef path, Terminal &terminal) {
  given = readSource(path, terminal);
  if (!given)
    return false;
  DiagnosticEngine diagnostics;
  std::optional<schedule::Mistake> mistake;
  if (schedule::hasScheduleLines(given->text()))
    book.given = schedule::parseSchedules(*given, mistake);
  else
    book.given = scheduledKernels(*given, diagnostics);
  if (mistake)
    diagnostics.report(&*given, mistake->range, diag::BadSchedule, mistake->text);
  bool isGood = !diagnostics.hasErrors();
  terminal.show(diagnostics);
  return isGood;
}

bool Schedules::readTuneFile(StringRef path, bool isNeeded, Terminal &terminal) {
  book.shelves.emplace_back();
  if (path.empty() || !llvm::sys::fs::exists(path))
    return true;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    terminal.report(isNeeded ? diag::NeedsTuneFile : diag::UnreadableTuneFile, path,
                    buffer.getError().message());
    return !isNeeded;
  }
  tuneFile.emplace(path.str(), (*buffer)->getBuffer().str());
  std::vector<schedule::Mistake> mistakes;
  book.shelves[0] = schedule::parseRecords(*tuneFile, mistakes);
  DiagnosticEngine diagnostics;
  for (auto &[range, text] : mistakes)
    if (isNeeded)
      diagnostics.report(&*tuneFile, range, diag::NeedsTuneFile, path, text);
    else
      diagnostics.report(&*tuneFile, range, diag::UnusedRecord, text);
  terminal.show(diagnostics);
  return mistakes.empty() || !isNeeded;
}

bool Schedules::readRecords(const Invocation &invocation, Terminal &terminal) {
  StringRef source = invocation.file();
  bool isNeeded = invocation.command->id == CommandId::Tune;
  if (!readTuneFile(tuneFileOf(source), isNeeded, terminal))
    return false;
  std::string path = schedule::TuningDatabase::defaultPath(), error;
  auto records = schedule::TuningDatabase(path).read(book.processor, source, error);
  if (records)
    book.shelves.push_back(std::move(*records));
  else
    terminal.report(diag::UnreadableDatabase, path, error);
  return true;
}

std::shared_ptr<Schedules> Schedules::open(const CompileOptions &options,
                                           const Invocation &invocation, Terminal &terminal) {
  auto schedules = std::make_shared<Schedules>();
  schedules->book.processor = options.backend->processor(options.target);
  schedules->book.threads = invocation.integer(Opt::Threads, runtime::defaultThreads());
  if (invocation.has(Opt::Schedule) &&
      !schedules->readGiven(invocation.text(Opt::Schedule), terminal))
    return nullptr;
  // A program that was printed with schedules keeps them.
  if (options.from < core::Stage::Scheduled && options.target.optLevel > 0 && usesTuning() &&
      !schedules->readRecords(invocation, terminal))
    return nullptr;
  return schedules;
}

void Schedules::choose(llvm::ArrayRef<schedule::Kernel> kernels) {
  used.clear();
  for (const schedule::Kernel &kernel : kernels)
    used.push_back({kernel, book.choose(kernel)});
  mismatches = book.mismatches(kernels);
  if (tuneFile)
    unusable = book.unusable(/*shelf=*/0, kernels);
}

bool Schedules::fit(Terminal &terminal) const {
  DiagnosticEngine diagnostics;
  for (const schedule::Mistake &mistake : mismatches)
    diagnostics.report(&*given, mistake.range, diag::UnfitSchedule, mistake.text);
  for (const schedule::Mistake &mistake : unusable)
    diagnostics.report(&*tuneFile, mistake.range, diag::UnusedRecord, mistake.text);
  terminal.show(diagnostics);
  return mismatches.empty();
}
