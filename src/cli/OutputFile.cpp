#include "cli/OutputFile.h"
#include "cli/Terminal.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera::cli;
using llvm::StringRef;

static std::error_code lastError() {
  return {errno, std::generic_category()};
}

/// The permissions that `open` would give to a new file; an existing one keeps its own.
static mode_t permissions(const std::string &path, OutputFile::Kind kind) {
  struct stat info;
  mode_t mask = umask(0);
  umask(mask);
  mode_t fresh = (kind == OutputFile::Executable ? 0777 : 0666) & ~mask;
  bool exists = stat(path.c_str(), &info) == 0;
  mode_t executable = kind == OutputFile::Executable ? fresh & 0111 : 0;
  return exists ? (info.st_mode & 0777) | executable : fresh;
}

OutputFile::OutputFile(StringRef path, Terminal &terminal)
    : shown(path.str()), destination(path.str()), terminal(&terminal) {
  llvm::SmallString<128> real;
  if (path != "-" && !llvm::sys::fs::real_path(path, real))
    destination = real.str().str();
}

std::optional<OutputFile> OutputFile::open(StringRef path, Terminal &terminal, Kind kind) {
  OutputFile file(path, terminal);
  if (path == "-") {
    file.target = &terminal.out;
    return file;
  }
  struct stat info;
  bool exists = stat(file.destination.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return file.fail(std::make_error_code(std::errc::is_a_directory)), std::nullopt;
  bool isOpen = exists && !S_ISREG(info.st_mode) ? file.openDirectly() : file.openBeside(kind);
  if (!isOpen)
    return std::nullopt;
  return file;
}

bool OutputFile::openDirectly() {
  std::error_code error;
  owned = std::make_unique<llvm::raw_fd_ostream>(destination, error);
  target = owned.get();
  return error ? fail(error) : true;
}

bool OutputFile::openBeside(Kind kind) {
  // A file that may not be written must not be replaced either.
  if (access(destination.c_str(), F_OK) == 0 && access(destination.c_str(), W_OK) != 0)
    return fail(lastError());
  std::string name = destination + ".tessera-tmpXXXXXX";
  int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0)
    return fail(lastError());
  temporary = name;
  guard.emplace(temporary);
  fchmod(descriptor, permissions(destination, kind));
  owned = std::make_unique<llvm::raw_fd_ostream>(descriptor, /*shouldClose=*/true);
  target = owned.get();
  return true;
}

bool OutputFile::commit() {
  if (!owned)
    return true; // The owner of standard output checks it.
  owned->close();
  std::error_code error = owned->error();
  owned->clear_error(); // Otherwise it would end the process.
  owned.reset();
  if (error)
    return fail(error);
  if (!temporary.empty() && rename(temporary.c_str(), destination.c_str()) != 0)
    return fail(lastError());
  temporary.clear();
  guard.reset();
  return true;
}

bool OutputFile::fail(std::error_code error) {
  terminal->report(diag::CannotWrite, pathInBackticks(shown), error.message());
  discard();
  return false;
}

void OutputFile::discard() {
  if (owned) {
    owned->close();
    owned->clear_error();
    owned.reset();
  }
  if (!temporary.empty())
    unlink(temporary.c_str());
  temporary.clear();
  guard.reset();
}

OutputFile::~OutputFile() {
  discard();
}

bool tessera::cli::isSameFile(StringRef left, StringRef right) {
  if (llvm::sys::fs::equivalent(left, right))
    return true;
  llvm::SmallString<128> paths[] = {left, right};
  for (llvm::SmallString<128> &path : paths) {
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  }
  return paths[0] == paths[1];
}

bool tessera::cli::overwrites(StringRef path, StringRef other, Terminal &terminal) {
  bool isDevice = false;
  llvm::sys::fs::is_other(path, isDevice);
  if (path == "-" || other == "-" || isDevice || !isSameFile(path, other))
    return false;
  terminal.report(diag::Overwrites, pathInBackticks(path), pathInBackticks(other));
  return true;
}

bool tessera::cli::writeFile(StringRef path, StringRef contents, Terminal &terminal) {
  std::optional<OutputFile> file = OutputFile::open(path, terminal);
  if (!file)
    return false;
  file->stream() << contents;
  return file->commit();
}
