#include "cli/TemporaryFile.h"
#include "cli/Terminal.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace tessera::cli;
using llvm::StringRef;

TemporaryFile::TemporaryFile(StringRef path)
    : name(std::make_unique<std::string>(path)), guard(path) {}

TemporaryFile::~TemporaryFile() {
  if (name)
    llvm::sys::fs::remove(*name);
}

std::optional<TemporaryFile> TemporaryFile::create(StringRef extension, Terminal &terminal) {
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("tessera", extension, path)) {
    terminal.report(diag::CannotWrite, "a temporary file", error.message());
    return std::nullopt;
  }
  return TemporaryFile(path);
}

bool TemporaryFile::write(StringRef contents, Terminal &terminal) {
  std::error_code error;
  llvm::raw_fd_ostream out(*name, error);
  if (!error) {
    out << contents;
    out.close();
    error = out.error();
    out.clear_error(); // Otherwise it would end the process.
  }
  if (error)
    terminal.report(diag::CannotWrite, pathInBackticks(*name), error.message());
  return !error;
}
