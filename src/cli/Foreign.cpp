#include "cli/Foreign.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <dlfcn.h>

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

/// A file of this name takes precedence over the system's library.
static std::string pathOf(StringRef library) {
  bool isHere = !library.contains('/') && llvm::sys::fs::exists(library);
  return (isHere ? "./" : "") + library.str();
}

/// Libraries stay loaded: compiled code refers to them.
static void *loadLibrary(StringRef path, std::string &problem) {
  std::string name = pathOf(path);
  void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    problem = dlerror();
  return library;
}

static std::optional<std::vector<void *>> loadLibraries(const Invocation &invocation,
                                                        Terminal &terminal) {
  std::vector<void *> libraries;
  bool isCorrect = true;
  for (StringRef path : invocation.texts(Opt::Load)) {
    std::string problem;
    libraries.push_back(loadLibrary(path, problem));
    if (!libraries.back())
      terminal.report(diag::CannotLoad, inBackticks(path), problem);
    isCorrect &= libraries.back() != nullptr;
  }
  return isCorrect ? std::optional(std::move(libraries)) : std::nullopt;
}

static void *findIn(llvm::ArrayRef<void *> libraries, const char *name) {
  for (void *library : libraries)
    if (void *address = dlsym(library, name))
      return address;
  return dlsym(RTLD_DEFAULT, name);
}

std::optional<std::vector<jit::Foreign>> cli::findForeign(const Source &source,
                                                          const Invocation &invocation,
                                                          Terminal &terminal, int &status) {
  status = UsageError;
  std::optional<std::vector<void *>> libraries = loadLibraries(invocation, terminal);
  if (!libraries)
    return std::nullopt;
  std::vector<jit::Foreign> found;
  DiagnosticEngine diagnostics;
  for (const ForeignFunction &function : source.program.foreign) {
    void *address = findIn(*libraries, function.name.c_str());
    if (address)
      found.push_back({function.name, address});
    else
      diagnostics.report(&source.file, function.range, diag::UnknownForeign, function.name)
          .hint("load a library that has it with `--load LIB.so`; functions in C++ must be "
                "`extern \"C\"`");
  }
  if (!diagnostics.hasErrors())
    return found;
  status = ProgramError;
  terminal.show(diagnostics);
  return std::nullopt;
}

bool cli::hasForeign(const Source &source, const Invocation &invocation, Terminal &terminal,
                     int &status) {
  return !invocation.has(Opt::Load) ||
         findForeign(source, invocation, terminal, status).has_value();
}

std::string cli::linkWord(StringRef library) {
  std::string path = pathOf(library);
  return StringRef(path).contains('/') ? path : "-l:" + path;
}
