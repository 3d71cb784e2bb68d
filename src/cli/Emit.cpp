#include "cli/Compilation.h"
#include "cli/OutputFile.h"

using namespace tessera;
using namespace tessera::cli;
using core::Stage;

/// The stages that can be printed.
static constexpr Stage printable[] = {Stage::Ast,   Stage::Core, Stage::Optimized, Stage::Scheduled,
                                      Stage::Loops, Stage::Llvm, Stage::Asm};

static int listStages(Terminal &terminal) {
  for (Stage stage : printable)
    terminal.out << core::name(stage) << '\n';
  return Success;
}

static std::optional<Stage> wantedStage(const Invocation &invocation, Terminal &terminal) {
  llvm::StringRef text = invocation.text(Opt::Stage, invocation.text(Opt::To, "core"));
  std::optional<Stage> stage = core::stageNamed(text);
  if (stage && llvm::is_contained(printable, *stage))
    return stage;
  std::vector<llvm::StringRef> names;
  for (Stage candidate : printable)
    names.push_back(core::name(candidate));
  Report report = terminal.report(diag::UnknownStage, inBackticks(text), alternatives(names));
  if (llvm::StringRef near = nearestName(text, names); !near.empty())
    report.hint("did you mean `{0}`?", near);
  return std::nullopt;
}

int tessera::cli::runEmit(const Invocation &invocation, Terminal &terminal) {
  std::unique_ptr<Source> source = Source::open(invocation.file(), invocation, terminal);
  if (!source)
    return UsageError;
  if (invocation.text(Opt::Stage) == "list")
    return listStages(terminal);
  std::optional<Stage> stage = wantedStage(invocation, terminal);
  int status = UsageError;
  std::optional<CompileOptions> options;
  if (stage)
    options = compileOptions(*source->language, invocation, terminal, status);
  if (!options)
    return status;
  if (!source->check(options->language, invocation, terminal))
    return ProgramError;
  if (invocation.has(Opt::Call) && !calledFunction(*source, *options, terminal))
    return UsageError;
  Session session(*options);
  std::optional<std::string> text = session.print(*source->language, source->program, *stage);
  if (!text)
    return reportBug(session.bug(), *source, terminal);
  return writeFile(invocation.text(Opt::Output, "-"), *text, terminal) ? Success : UsageError;
}
