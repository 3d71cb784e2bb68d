#include "cli/Compilation.h"
#include "cli/Verify.h"
#include "llvm/Support/JSON.h"

using namespace tessera;
using namespace tessera::cli;

/// What inference found: the type of a program that is one function on data, or the kernels of a
/// file.
static void printTypes(const Source &source, bool asJson, llvm::raw_ostream &out) {
  for (const Signature &function : source.program.functions)
    if (!function.isOnData() && !function.kernel)
      continue;
    else if (!asJson)
      out << function.declaration << '\n';
    else
      out << llvm::json::Value(
                 llvm::json::Object{{"file", source.file.name()}, {"type", function.declaration}})
          << '\n';
}

static int checkFile(llvm::StringRef path, const Invocation &invocation, Terminal &terminal) {
  std::unique_ptr<Source> source = Source::open(path, invocation, terminal);
  if (!source)
    return UsageError;
  int status = Success;
  std::optional<CompileOptions> options =
      compileOptions(*source->language, invocation, terminal, status);
  if (!options)
    return status;
  if (invocation.has(Opt::Verify))
    return verifyDiagnostics(*source, options->language, invocation, terminal);
  if (invocation.has(Opt::Ranges) && !source->language->printRanges)
    return terminal.report(diag::NoRanges, source->file.name()), UsageError;
  if (!source->check(options->language, invocation, terminal))
    return source->blamesOptions ? UsageError : ProgramError;
  if (invocation.has(Opt::Ranges))
    source->language->printRanges(source->program, invocation.has(Opt::Json), terminal.out);
  printTypes(*source, invocation.has(Opt::Json), terminal.out);
  return Success;
}

int tessera::cli::runCheck(const Invocation &invocation, Terminal &terminal) {
  int worst = Success;
  for (const std::string &path : invocation.operands)
    worst = std::max(worst, checkFile(path, invocation, terminal));
  return worst;
}
