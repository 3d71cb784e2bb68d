#include "cli/Bug.h"
#include "cli/Compilation.h"
#include "cli/Foreign.h"
#include "cli/OutputFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::cli;
using core::Stage;
using llvm::StringRef;

/// The stages that can be printed.
static std::vector<Stage> printableStages(const Language &language) {
  std::vector<Stage> stages = {Stage::Ast};
  if (language.dialect)
    stages.push_back(Stage::Dialect);
  llvm::append_values(stages, Stage::Core, Stage::Optimized, Stage::Scheduled, Stage::Loops,
                      Stage::Llvm, Stage::Asm);
  return stages;
}

static int listStages(const Language &language, Terminal &terminal) {
  for (Stage stage : printableStages(language))
    terminal.out << stageName(stage, language) << '\n';
  return Success;
}

/// A pass may be anywhere between the first and the last stage, unless a stage is named.
static std::optional<Stage> wantedStage(const Invocation &invocation, const Language &language,
                                        Terminal &terminal) {
  StringRef standard = invocation.has(Opt::After)           ? "llvm"
                       : invocation.has(Opt::OnlySchedules) ? "scheduled"
                                                            : "core";
  StringRef text = invocation.text(Opt::Stage, invocation.text(Opt::To, standard));
  if (StringRef other = invocation.text(Opt::To, text); other != text)
    return terminal.report(diag::TwoStages, text, other), std::nullopt;
  return stageNamed(text, printableStages(language), language, terminal);
}

/// Reports that nothing was printed: the pass did not run, or there is a bug in tessera.
static int reportNothing(const Session &session, const Source &source, StringRef after,
                         Terminal &terminal) {
  if (!session.bug().message.empty())
    return reportBug(session.bug(), source, terminal);
  Report report = terminal.report(diag::PassDidNotRun, inBackticks(after));
  std::vector<StringRef> names(session.passes().begin(), session.passes().end());
  if (StringRef near = nearestName(after, names); !near.empty())
    report.hint("did you mean `{0}`?", near);
  else if (names.empty())
    report.hint("no pass runs before this stage; choose a later `--stage`");
  else
    report.hint("these passes ran: {0}", llvm::join(names, ", "));
  return UsageError;
}

/// One function, if it is named, has sizes or is a program; otherwise all.
static bool chooseFunctions(Source &source, CompileOptions &options, const Invocation &invocation,
                            Terminal &terminal) {
  if (invocation.has(Opt::Sizes))
    return specializeByOption(source, options, invocation, terminal);
  if (invocation.has(Opt::Call))
    return calledFunction(source, options, terminal) != nullptr;
  bool isLibrary = invocation.command->id == CommandId::Build;
  if (isLibrary || !source.program.find(options.language.entry))
    options.language.entry = "*";
  return true;
}

/// The schedules in use, in the format that --schedule reads.
static std::string schedulesOf(const Source &source) {
  std::vector<schedule::Kernel> kernels;
  for (const ScheduleUse &use : source.schedules->uses()) {
    kernels.push_back(use.kernel);
    kernels.back().model = use.choice.schedule;
  }
  return schedule::printSchedules(kernels);
}

int tessera::cli::emitProgram(Source &source, const CompileOptions &options,
                              const Invocation &invocation, Terminal &terminal) {
  std::optional<Stage> stage = wantedStage(invocation, *source.language, terminal);
  if (!stage)
    return UsageError;
  if (invocation.has(Opt::From) && *stage < options.from)
    return terminal.report(diag::BackwardStage, core::name(options.from), core::name(*stage)),
           UsageError;
  double begin = now();
  CrashGuard guard(source.file);
  Session session(options);
  std::optional<std::string> text = session.print(*source.language, source.program, *stage);
  if (!text)
    return reportNothing(session, source, options.after, terminal);
  source.timing.compile = now() - begin;
  if (!source.schedules->fit(terminal))
    return UsageError;
  if (invocation.has(Opt::OnlySchedules))
    text = schedulesOf(source);
  if (!writeFile(invocation.text(Opt::Output, "-"), *text, terminal))
    return UsageError;
  printTiming(source, invocation, terminal);
  return Success;
}

int tessera::cli::runEmit(const Invocation &invocation, Terminal &terminal) {
  std::unique_ptr<Source> source = Source::open(invocation.file(), invocation, terminal);
  if (!source)
    return UsageError;
  if (invocation.text(Opt::Stage) == "list")
    return listStages(*source->language, terminal);
  if (!wantedStage(invocation, *source->language, terminal) ||
      overwrites(invocation.text(Opt::Output, "-"), invocation.file(), terminal))
    return UsageError;
  int status = UsageError;
  auto options = compileOptions(*source->language, invocation, terminal, status);
  if (!options)
    return status;
  if (!source->check(options->language, invocation, terminal))
    return source->failure();
  if (!hasForeign(*source, invocation, terminal, status))
    return status;
  if (!chooseFunctions(*source, *options, invocation, terminal) ||
      !source->readSchedules(*options, invocation, terminal))
    return source->refusal();
  return emitProgram(*source, *options, invocation, terminal);
}
