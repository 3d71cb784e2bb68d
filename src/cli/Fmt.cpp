#include "cli/Compilation.h"
#include "cli/OutputFile.h"

using namespace tessera;
using namespace tessera::cli;

/// Differences in line ends are invisible.
static void reportUnformatted(const SourceFile &file, Terminal &terminal) {
  Report report = terminal.report(diag::NotFormatted, file.name());
  if (file.text().contains("\r\n"))
    report.hint("its lines end with CR and LF; `tessera fmt` writes LF alone");
}

static int formatFile(llvm::StringRef path, const Invocation &invocation, Terminal &terminal) {
  std::unique_ptr<Source> source = Source::open(path, invocation, terminal);
  if (!source)
    return UsageError;
  DiagnosticEngine diagnostics;
  std::optional<std::string> text = source->language->format(source->file, diagnostics);
  terminal.show(diagnostics);
  if (!text)
    return ProgramError;
  bool isFormatted = *text == source->file.text();
  if (invocation.has(Opt::FormatCheck)) {
    if (!isFormatted)
      reportUnformatted(source->file, terminal);
    return isFormatted ? Success : ProgramError;
  }
  if (isFormatted && path != "-")
    return Success;
  return writeFile(path, *text, terminal) ? Success : UsageError;
}

int tessera::cli::runFmt(const Invocation &invocation, Terminal &terminal) {
  int worst = Success;
  for (const std::string &path : invocation.operands)
    worst = std::max(worst, formatFile(path, invocation, terminal));
  return worst;
}
