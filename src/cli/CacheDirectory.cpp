#include "cli/CacheDirectory.h"
#include "jit/Cache.h"
#include "schedule/TuningDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace tessera;
using namespace tessera::cli;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// A directory that does not exist can be made where the nearest one above it can be written to.
static bool isWritable(llvm::StringRef directory) {
  while (!directory.empty() && !fs::exists(directory))
    directory = path::parent_path(directory);
  return !directory.empty() && access(directory.str().c_str(), W_OK | X_OK) == 0;
}

CacheState tessera::cli::cacheState() {
  CacheState state;
  state.path = jit::Cache::open().directory().str();
  state.exists = fs::is_directory(state.path);
  state.isWritable = isWritable(state.path);
  std::error_code error;
  for (fs::recursive_directory_iterator at(state.path, error, /*follow_symlinks=*/false), end;
       at != end && !error; at.increment(error)) {
    auto status = at->status();
    if (status && status->type() == fs::file_type::regular_file) {
      ++state.numFiles;
      state.numBytes += status->getSize();
    }
  }
  return state;
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
