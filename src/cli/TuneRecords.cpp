#include "cli/TuneRecords.h"
#include "cli/Schedules.h"
#include "cli/Terminal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;
using schedule::Record;

namespace {

/// Locks a folder, so that two tuners do not lose each other's lines. Without the lock, this is
/// unlikely.
class FolderLock {
public:
  explicit FolderLock(StringRef file) {
    std::string folder = llvm::sys::path::parent_path(file).str();
    descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0)
      flock(descriptor, LOCK_EX);
  }
  ~FolderLock() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

private:
  int descriptor;
};

/// The records of a file as it is now; nullopt if it cannot be parsed.
std::optional<std::vector<Record>> recordsIn(StringRef path, std::string &error) {
  if (!llvm::sys::fs::exists(path))
    return std::vector<Record>();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer) {
    error = buffer.getError().message();
    return std::nullopt;
  }
  SourceFile file(path.str(), (*buffer)->getBuffer().str());
  std::vector<schedule::Mistake> mistakes;
  std::vector<Record> records = schedule::parseRecords(file, mistakes);
  if (mistakes.empty())
    return records;
  auto &[range, text] = mistakes.front();
  error = llvm::formatv("line {0}: {1}", file.position(range.begin).line, text);
  return std::nullopt;
}

bool isWritable(StringRef file, std::string &error) {
  std::string folder = llvm::sys::path::parent_path(file).str();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0)
    return true;
  error = strerror(errno);
  return false;
}

} // namespace

TuneRecords::TuneRecords(StringRef source)
    : source(source.str()), tuneFile(tuneFileOf(source)),
      database(schedule::TuningDatabase::defaultPath()) {}

void TuneRecords::drop(std::string &path, StringRef why, Terminal &terminal) {
  terminal.report(diag::UnwritableRecords, path, why);
  path.clear();
}

std::optional<TuneRecords> TuneRecords::open(StringRef source, Terminal &terminal) {
  TuneRecords records(source);
  struct Place {
    std::string &path;
    std::string error = "";
  };
  Place places[] = {{records.tuneFile}, {records.database}};
  isWritable(records.tuneFile, places[0].error);
  schedule::TuningDatabase(records.database).isWritable(places[1].error);
  if (llvm::none_of(places, [](const Place &p) { return !p.path.empty() && p.error.empty(); })) {
    std::vector<std::string> reasons;
    for (const Place &place : places)
      if (!place.path.empty())
        reasons.push_back(llvm::formatv("`{0}` cannot be written: {1}", place.path, place.error));
    terminal.report(diag::NowhereToRemember, llvm::join(reasons, "; "));
    return std::nullopt;
  }
  for (Place &place : places)
    if (!place.path.empty() && !place.error.empty())
      records.drop(place.path, place.error, terminal);
  return records;
}

bool TuneRecords::writeFile(llvm::ArrayRef<Record> records, std::string &error) const {
  FolderLock lock(tuneFile);
  std::optional<std::vector<Record>> all = recordsIn(tuneFile, error);
  if (!all)
    return false;
  for (const Record &record : records) {
    auto old = llvm::find_if(*all, [&](const Record &each) { return each.isAbout(record); });
    if (old == all->end())
      all->push_back(record);
    else
      *old = record;
  }
  auto write = [&](llvm::raw_ostream &out) {
    out << schedule::printRecords(*all);
    return llvm::Error::success();
  };
  if (llvm::Error failure = llvm::writeToOutput(tuneFile, write)) {
    error = toString(std::move(failure));
    return false;
  }
  return true;
}

void TuneRecords::write(llvm::ArrayRef<Record> records, Terminal &terminal) {
  if (records.empty())
    return;
  std::string error;
  if (!tuneFile.empty() && !writeFile(records, error))
    drop(tuneFile, error, terminal);
  error.clear();
  if (!database.empty() && !schedule::TuningDatabase(database).write(records, source, error))
    drop(database, error, terminal);
}

std::vector<std::string> TuneRecords::files() const {
  std::vector<std::string> files;
  for (const std::string &path : {tuneFile, database})
    if (!path.empty())
      files.push_back(path);
  return files;
}

TuningState tessera::cli::tuningState() {
  TuningState state;
  state.path = schedule::TuningDatabase::defaultPath();
  state.numRecords = schedule::TuningDatabase(state.path).count(state.error).value_or(0);
  return state;
}

std::string tessera::cli::recordsText(const TuningState &state) {
  if (!state.error.empty())
    return "cannot be read: " + state.error;
  return llvm::formatv("{0} tuning record{1}", state.numRecords, state.numRecords == 1 ? "" : "s");
}
