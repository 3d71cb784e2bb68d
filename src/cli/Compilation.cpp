#include "cli/Compilation.h"
#include "cli/Bug.h"
#include "cli/Input.h"
#include "cli/Interrupt.h"
#include "cli/Sizes.h"
#include "cli/Version.h"
#include "compiler/ModuleLanguage.h"
#include "jit/Cache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include <chrono>

using namespace tessera;
using namespace tessera::cli;
using llvm::StringRef;

double tessera::cli::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string tessera::cli::timeText(double seconds) {
  struct Unit {
    double size;
    const char *name;
  };
  for (Unit unit : {Unit{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}})
    if (seconds >= unit.size)
      return llvm::formatv("{0:f3} {1}", seconds / unit.size, unit.name);
  return llvm::formatv("{0:f1} ns", seconds * 1e9);
}

void tessera::cli::printTiming(const Source &source, const Invocation &invocation,
                               Terminal &terminal) {
  if (!invocation.has(Opt::Time))
    return;
  const Timing &timing = source.timing;
  llvm::json::Object line{{"check", timing.check},     {"read", timing.read},
                          {"compile", timing.compile}, {"load", timing.load},
                          {"run", timing.run},         {"cached", timing.isCached}};
  if (timing.flops > 0 && timing.run > 0)
    line["gflops"] = timing.flops / timing.run / 1e9;
  line["schedules"] = source.schedules ? toJson(source.schedules->uses()) : llvm::json::Array();
  terminal.out.flush();
  terminal.err << llvm::json::Value(std::move(line)) << '\n';
}

/// Whether the command gives values to size variables.
static bool bindsSizes(const Language &language, const Invocation &invocation) {
  bool isCall = in::Call & invocation.command->mask();
  return language.specialize && (isCall || invocation.has(Opt::Sizes));
}

static std::vector<StringRef> extensions() {
  std::vector<StringRef> all;
  for (const Language *language : languages()) {
    all.push_back(language->extension);
    llvm::append_range(all, language->otherExtensions);
  }
  return all;
}

std::unique_ptr<Source> Source::open(StringRef path, const Invocation &invocation,
                                     Terminal &terminal) {
  const Language *language = invocation.has(Opt::From)   ? &moduleLanguage
                             : invocation.has(Opt::Lang) ? languageNamed(invocation.text(Opt::Lang))
                                                         : languageOf(path);
  if (!language) {
    terminal.report(diag::UnknownLanguage, pathInBackticks(path))
        .hint("the extension decides the language: {0}; otherwise give `--lang={1}`",
              alternatives(extensions()), languageNames());
    return nullptr;
  }
  std::optional<SourceFile> file = readSource(path, terminal);
  if (!file)
    return nullptr;
  return std::unique_ptr<Source>(new Source{std::move(*file), language, {}, {}});
}

const SourceFile &Source::textOfPositions() const {
  static const SourceFile unknown("", "");
  return language == &moduleLanguage ? unknown : file;
}

/// Whether only limits of the device are exceeded: another one might accept the program.
static bool isAboutDevice(DiagnosticEngine &diagnostics) {
  return diagnostics.hasErrors() && llvm::all_of(diagnostics.sorted(), [](const Diagnostic &each) {
           return each.severity != Severity::Error || each.kind->isDeviceLimit;
         });
}

/// Definitions on the command line are separate texts.
static bool isAboutOptions(DiagnosticEngine &diagnostics, const SourceFile &file) {
  return llvm::any_of(diagnostics.sorted(), [&](const Diagnostic &each) {
    return each.severity == Severity::Error && each.file && each.file != &file;
  });
}

/// Whether all errors are due to --strict.
static bool isStrictAlone(DiagnosticEngine &diagnostics) {
  return diagnostics.hasErrors() && llvm::all_of(diagnostics.sorted(), [](const Diagnostic &each) {
           return each.severity != Severity::Error || each.kind->severity != Severity::Error;
         });
}

bool Source::check(const LanguageOptions &options, const Invocation &invocation,
                   Terminal &terminal) {
  double begin = now();
  LanguageOptions judged = options;
  judged.sizesFollow = bindsSizes(*language, invocation);
  bool isAsked = invocation.command && invocation.command->id == CommandId::Check;
  DiagnosticEngine diagnostics(/*warningsAreErrors=*/options.strict && !judged.sizesFollow,
                               /*keepsAll=*/isAsked);
  program = language->check(file, judged, diagnostics);
  program.isCorrect &= !diagnostics.hasErrors();
  if (judged.sizesFollow)
    diagnostics.keepErrors();
  timing.check = now() - begin;
  exceedsDevice = isAboutDevice(diagnostics);
  blamesOptions = isAboutOptions(diagnostics, file);
  terminal.show(diagnostics);
  return program.isCorrect;
}

bool Source::specialize(const SizeBindings &sizes, CompileOptions &options,
                        const Invocation &invocation, Terminal &terminal) {
  if (!language->specialize)
    return true;
  double begin = now();
  DiagnosticEngine diagnostics(/*warningsAreErrors=*/invocation.has(Opt::Strict));
  program =
      language->specialize(program, options.language.entry, sizes, options.language, diagnostics);
  program.isCorrect &= !diagnostics.hasErrors();
  options.sizes = sizes;
  timing.check += now() - begin;
  isForbidden = isStrictAlone(diagnostics);
  terminal.show(diagnostics);
  return program.isCorrect;
}

bool Source::readSchedules(CompileOptions &options, const Invocation &invocation,
                           Terminal &terminal) {
  schedules = Schedules::open(options, invocation, terminal);
  if (!schedules)
    return false;
  options.reschedule = [this](llvm::ArrayRef<schedule::Kernel> kernels,
                              llvm::MutableArrayRef<schedule::Contraction> chosen) {
    schedules->choose(kernels);
    for (auto [use, place] : llvm::zip_equal(schedules->uses(), chosen))
      place = use.choice.schedule;
  };
  return true;
}

static bool readStandard(const Language &language, const Invocation &invocation, Terminal &terminal,
                         LanguageOptions &options) {
  options.standard = language.standards.front().str();
  if (&language == &moduleLanguage) // Its dialects are the stages.
    options.standard = invocation.text(Opt::From).str();
  if (!invocation.has(Opt::Std))
    return true;
  options.standard = invocation.text(Opt::Std).str();
  if (llvm::is_contained(language.standards, options.standard))
    return true;
  terminal.report(diag::BadChoice, "--std", alternatives(language.standards),
                  inBackticks(options.standard));
  return false;
}

/// Reads constants from the command line, if the language has any.
static bool readDefinitions(const Language &language, const Invocation &invocation,
                            Terminal &terminal, LanguageOptions &options) {
  bool areRight = true;
  for (StringRef text : invocation.texts(Opt::Define)) {
    if (language.hasDefinitions && text.contains('='))
      options.definitions.push_back(text.str());
    else if (language.hasDefinitions)
      terminal.report(diag::DefinitionForm, inBackticks(text));
    else
      terminal.report(diag::NoConstants, language.name, inBackticks(text));
    areRight &= language.hasDefinitions && text.contains('=');
  }
  return areRight;
}

StringRef tessera::cli::stageName(core::Stage stage, const Language &language) {
  return stage == core::Stage::Dialect ? language.name : core::name(stage);
}

std::optional<core::Stage> tessera::cli::stageNamed(StringRef name,
                                                    llvm::ArrayRef<core::Stage> choices,
                                                    const Language &language, Terminal &terminal) {
  std::vector<StringRef> names;
  for (core::Stage candidate : choices) {
    names.push_back(stageName(candidate, language));
    if (names.back() == name)
      return candidate;
  }
  Report report = terminal.report(diag::UnknownStage, inBackticks(name), alternatives(names));
  if (StringRef near = nearestName(name, names); !near.empty())
    report.hint("did you mean `{0}`?", near);
  return std::nullopt;
}

/// The printed stages that are MLIR.
static constexpr core::Stage readable[] = {core::Stage::Core, core::Stage::Optimized,
                                           core::Stage::Scheduled, core::Stage::Loops};

std::optional<CompileOptions> tessera::cli::compileOptions(const Language &language,
                                                           const Invocation &invocation,
                                                           Terminal &terminal, int &status) {
  CompileOptions options;
  status = UsageError;
  options.language.strict = invocation.has(Opt::Strict);
  options.language.pedantic = invocation.has(Opt::Pedantic);
  options.language.checked = invocation.has(Opt::Checked);
  options.language.zeroBased = invocation.has(Opt::ZeroBased);
  options.language.entry = invocation.text(Opt::Call, language.mainFunction).str();
  if (!readStandard(language, invocation, terminal, options.language) ||
      !readDefinitions(language, invocation, terminal, options.language))
    return std::nullopt;
  auto from = stageNamed(invocation.text(Opt::From, "core"), readable, language, terminal);
  if (!from)
    return std::nullopt;
  options.from = *from;
  options.target.optLevel = invocation.text(Opt::Optimize, "2") == "0" ? 0 : 2;
  options.target.debugInfo = invocation.has(Opt::Debug);
  options.target.cpu =
      invocation.text(Opt::Cpu, invocation.command->id == CommandId::Build ? "x86-64-v3" : "native")
          .str();
  options.target.threads = invocation.integer(Opt::Threads, 0);
  options.target.maxMemory = invocation.integer(Opt::MaxMemory, 0);
  options.timePasses = invocation.has(Opt::TimePasses);
  options.after = invocation.text(Opt::After).str();
  options.backend = backendNamed(invocation.text(Opt::Device, "cpu"));
  if (!options.backend) {
    status = NotPossibleHere;
    terminal.report(diag::NoSuchDevice, invocation.text(Opt::Device))
        .hint("`tessera devices` lists what can execute here");
    return std::nullopt;
  }
  return options;
}

static Report reportFunction(const Source &source, StringRef name, Terminal &terminal) {
  size_t count = source.program.functions.size();
  if (!name.empty())
    return terminal.report(diag::UnknownFunction, source.file.name(), inBackticks(name));
  if (count == 0)
    return terminal.report(diag::UnknownFunction, source.file.name(), "to call");
  return terminal.report(diag::FunctionNeeded, source.file.name(), count);
}

const Signature *tessera::cli::calledFunction(const Source &source, CompileOptions &options,
                                              Terminal &terminal) {
  const std::string &name = options.language.entry;
  llvm::ArrayRef<Signature> functions = source.program.functions;
  const Signature *found = source.program.find(name);
  if (!found && name == source.language->mainFunction && functions.size() == 1)
    found = &functions.front();
  if (found) {
    options.language.entry = found->name;
    return found;
  }
  Report report = reportFunction(source, name, terminal);
  std::vector<StringRef> names;
  for (const Signature &signature : functions)
    names.push_back(signature.name);
  if (StringRef near = nearestName(name, names); !near.empty())
    report.hint("did you mean `{0}`?", near);
  else if (!names.empty())
    report.hint("its functions are {0}", llvm::join(names, ", "));
  return nullptr;
}

bool tessera::cli::specializeByOption(Source &source, CompileOptions &options,
                                      const Invocation &invocation, Terminal &terminal) {
  if (!invocation.has(Opt::Sizes))
    return true;
  const Signature *function = calledFunction(source, options, terminal);
  if (!function)
    return false;
  Sizes sizes(*function);
  return sizes.readOptions(invocation, terminal) && sizes.areKnown(terminal) &&
         source.specialize(sizes.bindings(), options, invocation, terminal);
}

std::string tessera::cli::whyNoProgram(const Signature &function, const Language &language) {
  if (function.isOnData())
    return "its result is a value, not an exit status; build a `.o`, `.a` or `.so`";
  if (language.mainFunction.empty())
    return "its language has no `main`; build a `.o`, `.a` or `.so`";
  if (function.name != language.mainFunction)
    return "a program starts in `" + language.mainFunction.str() + "`";
  if (!function.parameters.empty())
    return "it takes arguments";
  bool isStatus = function.results.empty() ||
                  (function.results.size() == 1 && !function.results.front().isTensor &&
                   function.results.front().element == Scalar::I32);
  return isStatus ? "" : "its result is not an exit status, which is an int32";
}

/// Identifies this compiler: every build is a different one.
static std::string compilerIdentity() {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status("/proc/self/exe", status))
    return version.str();
  return llvm::formatv("{0}-{1}-{2}", version, status.getSize(),
                       status.getLastModificationTime().time_since_epoch().count())
      .str();
}

/// The operations with schedules of a program that was compiled before.
static std::optional<std::vector<schedule::Kernel>> cachedKernels(const jit::Cache &cache,
                                                                  StringRef key) {
  std::optional<std::string> text = cache.find(key, jit::Cache::Entry::Kernels);
  if (!text)
    return std::nullopt;
  SourceFile file("", std::move(*text));
  std::optional<schedule::Mistake> mistake;
  std::vector<schedule::Kernel> kernels;
  for (schedule::GivenKernel &each : schedule::parseSchedules(file, mistake))
    kernels.push_back(std::move(each.kernel));
  return mistake ? std::nullopt : std::optional(std::move(kernels));
}

/// The key of an object: its program and the schedules that were chosen for it.
static std::string objectKey(StringRef program, llvm::ArrayRef<ScheduleUse> uses) {
  std::string chosen = llvm::formatv("{0}", llvm::json::Value(toJson(uses)));
  return jit::Cache::keyOf({program, chosen});
}

static void remember(const jit::Cache &cache, StringRef program, llvm::ArrayRef<ScheduleUse> uses,
                     StringRef object) {
  std::vector<schedule::Kernel> kernels;
  for (const ScheduleUse &use : uses)
    kernels.push_back(use.kernel);
  cache.store(program, schedule::printSchedules(kernels), jit::Cache::Entry::Kernels);
  cache.store(objectKey(program, uses), object);
}

static std::optional<std::string> findObject(Source &source, const jit::Cache &cache,
                                             StringRef program) {
  auto kernels = cachedKernels(cache, program);
  if (!kernels)
    return std::nullopt;
  source.schedules->choose(*kernels);
  return cache.find(objectKey(program, source.schedules->uses()));
}

static std::optional<std::string> compileObject(Source &source, const CompileOptions &options,
                                                Terminal &terminal, int &status) {
  CrashGuard guard(source.file);
  Session session(options);
  auto object = session.compile(*source.language, source.program, Artifact::Object);
  if (!object)
    status = reportBug(session.bug(), source, terminal);
  return object;
}

std::unique_ptr<jit::Program> tessera::cli::loadProgram(Source &source,
                                                        const CompileOptions &options,
                                                        llvm::ArrayRef<jit::Foreign> foreign,
                                                        Terminal &terminal, int &status) {
  jit::Cache cache = jit::Cache::open();
  std::string print = fingerprint(options);
  std::string key = jit::Cache::keyOf(
      {compilerIdentity(), source.language->name, source.file.name(), source.file.text(), print});
  double begin = now();
  std::optional<std::string> object;
  if (!options.timePasses)
    object = findObject(source, cache, key);
  source.timing.isCached = object.has_value();
  if (!object) {
    object = compileObject(source, options, terminal, status);
    if (!object)
      return nullptr;
    remember(cache, key, source.schedules->uses(), *object);
  }
  if (!source.schedules->fit(terminal)) {
    status = UsageError;
    return nullptr;
  }
  source.timing.compile = now() - begin;
  begin = now();
  std::string error;
  auto program = jit::Program::load(std::move(*object), options.target.debugInfo, error, foreign);
  source.timing.load = now() - begin;
  if (!program)
    status = reportBug({error, ""}, source, terminal);
  return program;
}
