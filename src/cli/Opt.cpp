/// `tessera opt`, for developers of the compiler.
#include "compiler/Opt.h"
#include "cli/Commands.h"
#include "cli/Input.h"
#include "cli/OutputFile.h"

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

static bool knowsPasses(const Invocation &invocation, Terminal &terminal) {
  std::vector<std::string> names = passNames();
  std::vector<StringRef> candidates(names.begin(), names.end());
  bool knowsAll = true;
  for (StringRef pass : invocation.passes) {
    StringRef name = pass.split('=').first;
    if (llvm::is_contained(candidates, name))
      continue;
    knowsAll = false;
    Report report = terminal.report(diag::UnknownPass, inBackticks(name));
    if (StringRef near = nearestName(name, candidates); !near.empty())
      report.hint("did you mean `--{0}`?", near);
  }
  return knowsAll;
}

int tessera::cli::runOpt(const Invocation &invocation, Terminal &terminal) {
  if (!knowsPasses(invocation, terminal))
    return UsageError;
  std::optional<SourceFile> file = readSource(invocation.file(), terminal);
  if (!file)
    return UsageError;
  DiagnosticEngine diagnostics;
  std::string badOption;
  auto text = runPasses({*file, invocation.passes, invocation.has(Opt::TimePasses)}, diagnostics,
                        badOption);
  terminal.show(diagnostics);
  if (!badOption.empty())
    return terminal.report(diag::BadPassOption, badOption), UsageError;
  if (!text)
    return ProgramError;
  return writeFile(invocation.text(Opt::Output, "-"), *text, terminal) ? Success : UsageError;
}
