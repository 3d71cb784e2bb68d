#include "cli/Link.h"
#include "cli/TemporaryFile.h"
#include "cli/Terminal.h"
#include "runtime/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::MemoryBuffer;
using llvm::StringRef;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

llvm::ArrayRef<LinkTool> tessera::cli::linkTools() {
  static constexpr LinkTool table[] = {
      {"cc", "gcc", true}, {"clang-22", "clang-22", true}, {"ld.lld-22", "lld-22", false}};
  return table;
}

namespace {

using Words = std::vector<std::string>;

/// The inputs and outputs of a tool, as paths.
struct Plan {
  const LinkJob &job;
  Words inputs;
  std::string versionScript;
};

/// Whether the archive contains the runtime that this compiler was built with; false if it is
/// unreadable.
bool isOurRuntime(StringRef archive) {
  auto buffer = MemoryBuffer::getFile(archive, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return false;
  auto members = llvm::object::Archive::create((*buffer)->getMemBufferRef());
  if (!members)
    return llvm::consumeError(members.takeError()), false;
  auto member = (*members)->findSym(runtime::versionSymbol);
  if (!member)
    return llvm::consumeError(member.takeError()), false;
  return member->has_value();
}

/// Relative to the binary, so that an installed tree can be moved.
std::optional<std::string> findRuntime(Terminal &terminal) {
  llvm::SmallString<128> found;
  if (fs::real_path("/proc/self/exe", found))
    found = "tessera";
  path::remove_filename(found);
  path::append(found, "..", "lib", "libtessera_runtime.a");
  path::remove_dots(found, /*remove_dot_dot=*/true);
  if (!fs::exists(found))
    return terminal.report(diag::RuntimeMissing, found), std::nullopt;
  if (!isOurRuntime(found))
    return terminal.report(diag::RuntimeDiffers, found), std::nullopt;
  return found.str().str();
}

/// The functions of tessera/runtime.h.
constexpr StringRef publicFunctions[] = {
    "tessera_last_error",  "tessera_free",     "tessera_check_result", "tessera_set_threads",
    "tessera_num_threads", "tessera_run_free", "tessera_dict_length",  "tessera_dict_entries"};

/// Two libraries in one process must not share parts of a runtime, let alone two versions of one.
std::string versionScript(const LinkJob &job) {
  return "{ global: " + llvm::join(llvm::ArrayRef(publicFunctions), "; ") + "; " +
         llvm::join(job.entries, "; ") + "; local: *; };\n";
}

/// Loaded code must stay: threads of the runtime execute it. All public functions are linked in,
/// because the program that loads the library may use those that the object does not.
Words sharedOptions(const Plan &plan) {
  Words words = {"-z",
                 "nodelete",
                 "-soname",
                 path::filename(plan.job.output).str(),
                 "--version-script",
                 plan.versionScript};
  for (StringRef name : publicFunctions)
    llvm::append_values(words, "-u", name.str());
  return words;
}

Words compilerWords(const Plan &plan) {
  Words words;
  if (plan.job.kind == OutputKind::SharedLibrary) {
    words.push_back("-shared");
    for (const std::string &option : sharedOptions(plan))
      llvm::append_values(words, "-Xlinker", option);
  }
  llvm::append_range(words, plan.inputs);
  llvm::append_values(words, "-lpthread", "-lm");
  return words;
}

/// The folder of the C library's start files; "" if it is not installed for development.
std::string startFileFolder() {
  for (StringRef folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64"})
    if (fs::exists(folder + "/Scrt1.o"))
      return folder.str();
  return "";
}

std::optional<Words> linkerWords(const Plan &plan) {
  std::string folder = startFileFolder();
  if (folder.empty())
    return std::nullopt;
  Words words = {"--eh-frame-hdr", "-L" + folder};
  if (plan.job.kind == OutputKind::SharedLibrary) {
    words.push_back("-shared");
    llvm::append_range(words, sharedOptions(plan));
  } else {
    llvm::append_values(words, "-pie", "-dynamic-linker", "/lib64/ld-linux-x86-64.so.2",
                        folder + "/Scrt1.o");
  }
  words.push_back(folder + "/crti.o");
  llvm::append_range(words, plan.inputs);
  llvm::append_values(words, "-lpthread", "-lm", "-lc", folder + "/crtn.o");
  return words;
}

struct ToolCommand {
  std::string program;
  Words words;
};

/// The first tool that exists and can link.
std::optional<ToolCommand> chooseTool(const Plan &plan, Terminal &terminal) {
  for (const LinkTool &tool : linkTools()) {
    llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(tool.name);
    if (!program)
      continue;
    std::optional<Words> words = tool.isCompiler ? compilerWords(plan) : linkerWords(plan);
    if (words)
      return ToolCommand{*program, std::move(*words)};
  }
  std::vector<StringRef> packages;
  for (const LinkTool &tool : linkTools())
    packages.push_back(tool.package);
  terminal.report(diag::NoLinker, llvm::join(packages, ", "))
      .hint("each of them also needs the package libc6-dev");
  return std::nullopt;
}

/// The output of the tool goes to `log`: users have not written its command line.
int execute(const ToolCommand &command, StringRef log) {
  std::vector<StringRef> words = {command.program};
  llvm::append_range(words, command.words);
  std::optional<StringRef> redirects[] = {"", log, log};
  return llvm::sys::ExecuteAndWait(command.program, words, std::nullopt, redirects);
}

/// The line of a linker's output that names the error.
std::string firstComplaint(const TemporaryFile &log) {
  auto buffer = MemoryBuffer::getFile(log.path());
  StringRef text = buffer ? (*buffer)->getBuffer().trim() : "";
  for (StringRef line : llvm::split(text, '\n'))
    if (line.contains("error") || line.contains("undefined") || line.contains("cannot"))
      return line.trim().str();
  return text.empty() ? "it gave no reason" : text.split('\n').first.str();
}

std::optional<std::string> runLinker(const LinkJob &job, StringRef runtime, Terminal &terminal) {
  auto object = TemporaryFile::create("o", terminal),
       output = TemporaryFile::create("out", terminal),
       log = TemporaryFile::create("log", terminal),
       script = TemporaryFile::create("map", terminal);
  if (!object || !output || !log || !script || !object->write(job.object, terminal) ||
      !script->write(versionScript(job), terminal))
    return std::nullopt;
  Words inputs = {"-o", output->path().str(), object->path().str(), runtime.str()};
  llvm::append_range(inputs, job.libraries);
  std::optional<ToolCommand> command = chooseTool({job, inputs, script->path().str()}, terminal);
  if (!command)
    return std::nullopt;
  int status = execute(*command, log->path());
  auto bytes = MemoryBuffer::getFile(output->path(), /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (status == 0 && bytes)
    return (*bytes)->getBuffer().str();
  terminal.report(diag::LinkFailed, path::filename(command->program), job.output,
                  firstComplaint(*log));
  return std::nullopt;
}

llvm::Expected<std::string> makeArchive(const LinkJob &job, StringRef runtime) {
  auto buffer = MemoryBuffer::getFile(runtime, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::errorCodeToError(buffer.getError());
  auto members = llvm::object::Archive::create((*buffer)->getMemBufferRef());
  if (!members)
    return members.takeError();
  std::string name = (path::stem(job.output) + ".o").str();
  std::vector<llvm::NewArchiveMember> all;
  all.emplace_back(llvm::MemoryBufferRef(job.object, name));
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : (*members)->children(error)) {
    auto member = llvm::NewArchiveMember::getOldMember(child, /*Deterministic=*/true);
    if (!member)
      return llvm::joinErrors(member.takeError(), std::move(error));
    all.push_back(std::move(*member));
  }
  if (error)
    return error;
  auto result = llvm::writeArchiveToBuffer(all, llvm::SymtabWritingMode::NormalSymtab,
                                           llvm::object::Archive::K_GNU, /*Deterministic=*/true,
                                           /*Thin=*/false);
  if (!result)
    return result.takeError();
  return (*result)->getBuffer().str();
}

} // namespace

std::optional<std::string> tessera::cli::link(const LinkJob &job, Terminal &terminal) {
  if (job.kind == OutputKind::Object)
    return job.object.str();
  std::optional<std::string> runtime = findRuntime(terminal);
  if (!runtime)
    return std::nullopt;
  if (job.kind != OutputKind::Archive)
    return runLinker(job, *runtime, terminal);
  llvm::Expected<std::string> bytes = makeArchive(job, *runtime);
  if (bytes)
    return std::move(*bytes);
  terminal.report(diag::LinkFailed, "tessera", job.output, llvm::toString(bytes.takeError()));
  return std::nullopt;
}
