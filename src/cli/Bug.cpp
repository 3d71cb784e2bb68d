#include "cli/Bug.h"
#include "cli/Input.h"
#include "compiler/ModuleDiagnostics.h"
#include "compiler/ModuleLanguage.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <algorithm>

using namespace tessera::cli; // Not `tessera`: both have a table `diag`.
using llvm::StringRef;

/// For MLIR given as text, only the contract of its stage was checked; other mistakes are its
/// author's.
static int rejectModule(const tessera::CompilerBug &bug, const tessera::SourceFile &file,
                        Terminal &terminal) {
  uint32_t line = std::clamp(bug.place.line, 1u, file.numLines());
  uint32_t column = std::clamp<uint32_t>(bug.place.column, 1, file.line(line).size() + 1);
  uint32_t at = file.lineStart(line) + column - 1;
  tessera::DiagnosticEngine diagnostics;
  diagnostics.report(&file, {at, at}, tessera::diag::CannotCompile, StringRef(bug.message).rtrim());
  terminal.show(diagnostics);
  return ProgramError;
}

std::string tessera::cli::writeReproducer(StringRef contents) {
  llvm::SmallString<128> elsewhere;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, elsewhere);
  for (StringRef folder : {StringRef(), elsewhere.str()}) {
    llvm::SmallString<128> model(folder), path;
    llvm::sys::path::append(model, "tessera-bug-%%%%%%.txt");
    int descriptor;
    if (llvm::sys::fs::createUniqueFile(model, descriptor, path))
      continue;
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << contents;
    return path.str().str();
  }
  return "";
}

int tessera::cli::reportBug(const tessera::CompilerBug &bug, const Source &source,
                            Terminal &terminal) {
  if (source.language == &tessera::moduleLanguage)
    return rejectModule(bug, source.file, terminal);
  StringRef message = StringRef(bug.message).rtrim();
  std::string path = writeReproducer(
      ("// " + message + "\n\n" + source.file.text() + "\n\n" + bug.reproducer).str());
  tessera::Report report = terminal.report(diag::CompilerBug, source.file.name(), message);
  report.hint(path.empty() ? "please report it" : "please report it, with the file `{0}`", path);
  return Bug;
}

/// Where a crash saves a program that was read from standard input; "" for files.
static std::string placeOfCopy(StringRef file) {
  if (file != standardInputName)
    return "";
  llvm::SmallString<128> path;
  if (llvm::sys::fs::access(".", llvm::sys::fs::AccessMode::Write))
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  llvm::sys::path::append(path, "tessera-bug-" + llvm::Twine(llvm::sys::Process::getProcessId()) +
                                    ".txt");
  return path.str().str();
}

static std::string crashText(StringRef file, StringRef copy) {
  std::string report = copy.empty() ? "that file" : ("the file `" + copy + "`").str();
  return ("tessera: error: a bug in tessera: it crashed while compiling `" + file +
          "` [cli.bug.1]\n     = note: please report it, with " + report + "\n")
      .str();
}

CrashGuard::CrashGuard(const tessera::SourceFile &file)
    : copy(placeOfCopy(file.name())), text(crashText(file.name(), copy)),
      words{text.c_str(), Bug, copy.empty() ? nullptr : copy.c_str(), file.text()}, guard(words) {}
