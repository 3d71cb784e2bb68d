/// `tessera build`: compiles ahead of time.
#include "cli/Bug.h"
#include "cli/Commands.h"
#include "cli/Compilation.h"
#include "cli/Foreign.h"
#include "cli/Header.h"
#include "cli/Link.h"
#include "cli/OutputFile.h"
#include "cli/kernels/Header.h"
#include "runtime/Version.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

namespace {

struct Extension {
  StringRef text;
  OutputKind kind;
};
constexpr Extension outputExtensions[] = {{".o", OutputKind::Object},
                                          {".a", OutputKind::Archive},
                                          {".so", OutputKind::SharedLibrary},
                                          {".out", OutputKind::Executable},
                                          {"", OutputKind::Executable}};

/// Extensions of devices that this build has no back end for.
constexpr StringRef elsewhere[] = {".ptx", ".spv"};

std::optional<OutputKind> outputKind(StringRef path, Terminal &terminal, int &status) {
  StringRef extension = llvm::sys::path::extension(path);
  status = UsageError;
  for (const Extension &known : outputExtensions)
    if (known.text == extension && path != "-")
      return known.kind;
  if (llvm::is_contained(elsewhere, extension)) {
    status = NotPossibleHere;
    terminal.report(diag::NoSuchOutput, extension)
        .hint("`tessera devices` lists what programs can be compiled for");
    return std::nullopt;
  }
  terminal.report(diag::UnknownOutput, pathInBackticks(path));
  return std::nullopt;
}

/// Whether limits are given that only an executable can have; reports them.
bool limitsProgram(const Invocation &invocation, Terminal &terminal) {
  if (invocation.has(Opt::Threads))
    terminal.report(diag::ProgramsAlone, "--threads", invocation.text(Opt::Output))
        .hint("`tessera_set_threads` and TESSERA_NUM_THREADS set the threads of a library");
  if (invocation.has(Opt::MaxMemory))
    terminal.report(diag::ProgramsAlone, "--max-memory", invocation.text(Opt::Output));
  return invocation.has(Opt::Threads) || invocation.has(Opt::MaxMemory);
}

/// The functions to compile: all, or the one that --call names; `main` for an executable.
std::vector<const Signature *> wantedFunctions(const Source &source, const Invocation &invocation,
                                               CompileOptions &options, OutputKind kind,
                                               Terminal &terminal) {
  std::vector<const Signature *> functions;
  bool isExecutable = kind == OutputKind::Executable;
  if (!invocation.has(Opt::Call) && !invocation.has(Opt::Sizes) && !isExecutable) {
    options.language.entry = "*";
    for (const Signature &function : source.program.functions)
      functions.push_back(&function);
    if (functions.empty())
      terminal.report(diag::UnknownFunction, source.file.name(), "to compile");
    return functions;
  }
  if (isExecutable && invocation.text(Opt::Call, "main") != "main")
    return terminal.report(diag::NeedsMain, inBackticks(options.language.entry)), functions;
  const Signature *function = calledFunction(source, options, terminal);
  if (!function)
    return functions;
  std::string why = isExecutable ? whyNoProgram(*function, *source.language) : "";
  if (why.empty())
    functions.push_back(function);
  else
    terminal.report(diag::NotAProgram, function->name, why);
  return functions;
}

std::vector<std::string> exportedNames(llvm::ArrayRef<const Signature *> functions,
                                       const Backend &backend) {
  std::vector<std::string> names;
  for (const Signature *function : functions)
    names.push_back(backend.exportedName(function->language, function->name));
  return names;
}

/// Notes renamed functions, except `main`, which is renamed in every library.
void noteRenames(llvm::ArrayRef<const Signature *> functions, const Language &language,
                 const Backend &backend, Terminal &terminal) {
  for (const Signature *function : functions)
    if (std::string name = backend.exportedName(function->language, function->name);
        name != function->name && function->name != language.mainFunction)
      terminal.report(diag::Renamed, function->name, name);
}

OutputFile::Kind fileKind(OutputKind kind) {
  bool isRunnable = kind == OutputKind::Executable || kind == OutputKind::SharedLibrary;
  return isRunnable ? OutputFile::Executable : OutputFile::Plain;
}

bool isFortran(StringRef header) {
  return header.ends_with(".f90");
}

/// The module that generated modules share; it is in the folder of the header.
std::string sharedModulePath(StringRef header) {
  llvm::SmallString<128> path(llvm::sys::path::parent_path(header));
  llvm::sys::path::append(path, kernels::fortranRuntimeFile);
  return path.str().str();
}

/// Whether a file to be written would overwrite the program or another such file; reports it.
bool losesFile(const Invocation &invocation, Terminal &terminal) {
  StringRef output = invocation.text(Opt::Output), header = invocation.text(Opt::Header, "-");
  std::string shared = isFortran(header) ? sharedModulePath(header) : "-";
  return overwrites(output, invocation.file(), terminal) ||
         overwrites(header, invocation.file(), terminal) || overwrites(header, output, terminal) ||
         overwrites(shared, header, terminal) || overwrites(shared, output, terminal);
}

/// Whether the shared module is to be written. An up-to-date file keeps its time, so that `make`
/// does not compile it again.
bool needsSharedModule(const Invocation &invocation) {
  StringRef header = invocation.text(Opt::Header);
  if (!isFortran(header))
    return false;
  auto present = llvm::MemoryBuffer::getFile(sharedModulePath(header));
  return !present || (*present)->getBuffer() != kernels::fortranRuntime();
}

std::optional<OutputFile> openIf(bool isWanted, StringRef path, Terminal &terminal) {
  return isWanted ? OutputFile::open(path, terminal) : std::nullopt;
}

/// The files to be written: opened before anything is compiled, moved into place together.
struct Outputs {
  std::optional<OutputFile> main, header, sharedModule;
  bool areOpen; ///< False if one could not be opened, which is reported.

  Outputs(const Invocation &invocation, OutputKind kind, Terminal &terminal)
      : Outputs(invocation, kind, needsSharedModule(invocation), terminal) {}
  /// A header that describes no library would mislead more than a library without a header.
  bool commit() {
    return main->commit() && (!sharedModule || sharedModule->commit()) &&
           (!header || header->commit());
  }

private:
  Outputs(const Invocation &invocation, OutputKind kind, bool needsModule, Terminal &terminal)
      : main(OutputFile::open(invocation.text(Opt::Output), terminal, fileKind(kind))),
        header(openIf(invocation.has(Opt::Header), invocation.text(Opt::Header), terminal)),
        sharedModule(openIf(needsModule, sharedModulePath(invocation.text(Opt::Header)), terminal)),
        areOpen(main && (header || !invocation.has(Opt::Header)) &&
                (sharedModule || !needsModule)) {
    if (sharedModule)
      sharedModule->stream() << kernels::fortranRuntime();
  }
};

/// The text of the header, by its extension.
std::string interfaceText(StringRef path, llvm::ArrayRef<const Signature *> functions,
                          llvm::ArrayRef<ForeignFunction> foreign, const Backend &backend) {
  return isFortran(path) ? kernels::fortranModule(path, functions, backend)
                         : headerText(path, functions, foreign, backend);
}

/// Only kernels have interfaces for Fortran; reports another function.
bool hasInterface(const Invocation &invocation, llvm::ArrayRef<const Signature *> functions,
                  Terminal &terminal) {
  if (!isFortran(invocation.text(Opt::Header)))
    return true;
  for (const Signature *function : functions)
    if (!function->kernel)
      return terminal.report(diag::NoFortran, invocation.text(Opt::Header), function->name), false;
  return true;
}

/// The bytes of the output. Reports why there are none.
std::optional<std::string> make(Source &source, const CompileOptions &options, LinkJob job,
                                Terminal &terminal, int &status) {
  double begin = now();
  CrashGuard guard(source.file);
  Session session(options);
  Artifact artifact = job.kind == OutputKind::Executable ? Artifact::Program : Artifact::Library;
  auto object = session.compile(*source.language, source.program, artifact);
  if (!object) {
    status = reportBug(session.bug(), source, terminal);
    return std::nullopt;
  }
  status = UsageError;
  if (!source.schedules->fit(terminal))
    return std::nullopt;
  status = NotPossibleHere;
  job.object = *object;
  std::optional<std::string> bytes = link(job, terminal);
  source.timing.compile = now() - begin;
  return bytes;
}

} // namespace

int tessera::cli::runBuild(const Invocation &invocation, Terminal &terminal) {
  if (!invocation.has(Opt::Output))
    return terminal.report(diag::NoOutput), UsageError;
  if (invocation.has(Opt::To)) // Writes a text, whose name may end in anything.
    return runEmit(invocation, terminal);
  StringRef output = invocation.text(Opt::Output);
  int status = UsageError;
  std::optional<OutputKind> kind = outputKind(output, terminal, status);
  if (!kind)
    return status;
  if (*kind == OutputKind::Executable && invocation.has(Opt::Header))
    return terminal.report(diag::NoHeader), UsageError;
  if (*kind != OutputKind::Executable && limitsProgram(invocation, terminal))
    return UsageError;
  if (losesFile(invocation, terminal))
    return UsageError;
  std::unique_ptr<Source> source = Source::open(invocation.file(), invocation, terminal);
  if (!source)
    return UsageError;
  auto options = compileOptions(*source->language, invocation, terminal, status);
  if (!options)
    return status;
  if (!source->check(options->language, invocation, terminal))
    return source->failure();
  if (!hasForeign(*source, invocation, terminal, status))
    return status;
  if (!specializeByOption(*source, *options, invocation, terminal))
    return source->refusal();
  auto functions = wantedFunctions(*source, invocation, *options, *kind, terminal);
  if (functions.empty() || !hasInterface(invocation, functions, terminal))
    return UsageError;
  if (!source->readSchedules(*options, invocation, terminal))
    return UsageError;
  Outputs outputs(invocation, *kind, terminal);
  if (!outputs.areOpen)
    return UsageError;
  options->target.runtimeSymbol = runtime::versionSymbol;
  LinkJob job{*kind, "", output, exportedNames(functions, *options->backend)};
  for (StringRef library : invocation.texts(Opt::Load))
    job.libraries.push_back(linkWord(library));
  auto bytes = make(*source, *options, std::move(job), terminal, status);
  if (!bytes)
    return status;
  outputs.main->stream() << *bytes;
  if (outputs.header)
    outputs.header->stream() << interfaceText(invocation.text(Opt::Header), functions,
                                              source->program.foreign, *options->backend);
  if (*kind != OutputKind::Executable)
    noteRenames(functions, *source->language, *options->backend, terminal);
  if (!outputs.commit())
    return UsageError;
  printTiming(*source, invocation, terminal);
  return Success;
}
