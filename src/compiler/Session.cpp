#include "compiler/Session.h"
#include "compiler/Dialects.h"
#include "compiler/Pipeline.h"
#include "compiler/Snapshot.h"
#include "core/Attributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "schedule/FindKernels.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tessera;
using core::Stage;

struct Session::State {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  Snapshot snapshot;
  DefaultTimingManager timing; // Its destructor prints.
  TimingScope total;

  State(const DialectRegistry &registry, const CompileOptions &options)
      : context(registry, MLIRContext::Threading::DISABLED), snapshot(options.after) {
    timing.setEnabled(options.timePasses);
    total = timing.getRootScope();
  }
};

Session::Session(CompileOptions given) : options(std::move(given)) {
  if (!options.backend)
    options.backend = backends().front();
  options.language.optLevel = options.target.optLevel;
  DialectRegistry registry;
  registerDialects(registry, *options.backend);
  state = std::make_unique<State>(registry, options);
  state->context.loadAllAvailableDialects();
}

Session::~Session() = default;

llvm::ArrayRef<std::string> Session::passes() const {
  return state->snapshot.passes();
}

/// Advances one stage. Returns false if a pass fails or the result breaks the stage's contract.
bool Session::step(Stage from, Stage to) {
  PassManager pm(&state->context);
  pm.enableVerifier(false); // Only at the end of the stage: see settleSizes in the pipeline.
  if (!options.after.empty())
    pm.addInstrumentation(state->snapshot.instrument());
  TimingScope timing = state->total.nest(core::name(to));
  pm.enableTiming(timing);
  buildPipeline(pm, options, from, to);
  return succeeded(pm.run(*state->module)) && succeeded(mlir::verify(*state->module)) &&
         succeeded(core::verify(*state->module, to));
}

static LineColumn placeOf(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  return place ? LineColumn{place.getLine(), place.getColumn()} : LineColumn();
}

static void setSchedule(linalg::LinalgOp op, const schedule::Contraction &schedule) {
  op->setAttr(schedule::scheduleAttr, schedule.toAttribute(*op->getContext()));
}

/// Lets the caller override the model's choices.
void Session::reschedule() {
  if (!options.reschedule)
    return;
  std::vector<schedule::Kernel> kernels;
  std::vector<schedule::Contraction> schedules;
  auto found = schedule::kernelsOf(*state->module);
  for (auto &[op, kernel] : found) {
    kernels.push_back(kernel);
    schedules.push_back(kernel.model);
  }
  options.reschedule(kernels, schedules);
  for (auto [place, choice] : llvm::zip_equal(found, schedules))
    setSchedule(place.first, choice);
}

/// `text` holds the messages if a step fails.
bool Session::advanceFrom(Stage from, Stage to, std::string &text) {
  auto fail = [&](std::string where) {
    failure.message = where + ": " + text;
    llvm::raw_string_ostream(failure.reproducer) << *state->module;
    return false;
  };
  if (failed(core::verify(*state->module, from)))
    return fail("at stage `" + core::name(from).str() + "`");
  for (Stage stage = from; stage < to; stage = Stage(int(stage) + 1)) {
    Stage next = Stage(int(stage) + 1);
    if (!step(stage, next))
      return fail("from stage `" + core::name(stage).str() + "` to `" + core::name(next).str() +
                  "`");
    if (next == Stage::Scheduled)
      reschedule();
  }
  return true;
}

/// Runs the passes up to a stage. MLIR's messages are kept: the program was correct, so they
/// describe a compiler bug.
bool Session::advance(Stage from, Stage to) {
  std::string text;
  llvm::raw_string_ostream out(text);
  ScopedDiagnosticHandler handler(&state->context, [&](mlir::Diagnostic &diagnostic) {
    if (text.empty())
      failure.place = placeOf(diagnostic.getLocation());
    out << diagnostic << '\n';
    return success();
  });
  if (from == Stage::Scheduled && options.from == from)
    reschedule();
  return advanceFrom(from, to, text);
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module << '\n';
  return text;
}

static std::string sourceOf(ModuleOp module, const LanguageDialect &dialect) {
  std::string text;
  llvm::raw_string_ostream out(text);
  dialect.print(module, out);
  return text;
}

std::optional<std::string> Session::finish(Stage stage, Artifact artifact) {
  if (stage <= Stage::Loops)
    return textOf(*state->module);
  TimingScope timing = state->total.nest("emit");
  std::string error;
  auto result = options.backend->emit(*state->module, options.target, artifact, error);
  if (!result)
    failure.message = error;
  return result;
}

static Artifact artifactOf(Stage stage) {
  return stage == Stage::Llvm  ? Artifact::Llvm
         : stage == Stage::Asm ? Artifact::Assembly
                               : Artifact::Object;
}

/// The source language is recorded, so that it is still known when the module is printed and read
/// again.
Stage Session::lower(const Language &language, const Checked &program) {
  options.dialect = language.dialect;
  state->module = language.lower(program, options.language, state->context);
  Operation *module = *state->module;
  if (!module->hasAttr(core::languageAttr))
    module->setAttr(core::languageAttr, StringAttr::get(&state->context, language.name));
  return language.dialect ? Stage::Ast : options.from;
}

std::optional<std::string> Session::print(const Language &language, const Checked &program,
                                          Stage stage) {
  if (stage == Stage::Ast) {
    std::string text;
    llvm::raw_string_ostream out(text);
    language.printTree(program, out);
    return text;
  }
  Stage from = lower(language, program);
  if (!advance(from, std::min(stage, Stage::Llvm)))
    return std::nullopt;
  ModuleOp module = options.after.empty() ? *state->module : state->snapshot.module();
  if (!module)
    return std::nullopt;
  if (stage == Stage::Dialect)
    return sourceOf(module, *options.dialect);
  return options.after.empty() ? finish(stage, artifactOf(stage)) : textOf(module);
}

std::optional<std::string> Session::compile(const Language &language, const Checked &program,
                                            Artifact artifact) {
  Stage from = lower(language, program);
  if (!advance(from, Stage::Llvm))
    return std::nullopt;
  return finish(Stage::Object, artifact);
}

std::optional<std::vector<schedule::Kernel>> Session::schedule(const Language &language,
                                                               const Checked &program) {
  Stage from = lower(language, program);
  std::vector<schedule::Kernel> kernels;
  if (from > Stage::Scheduled)
    return kernels;
  if (!advance(from, Stage::Scheduled))
    return std::nullopt;
  for (auto &[op, kernel] : schedule::kernelsOf(*state->module))
    kernels.push_back(kernel);
  return kernels;
}

std::optional<std::string> Session::compileWith(llvm::ArrayRef<schedule::Contraction> schedules) {
  OwningOpRef<ModuleOp> original = std::move(state->module);
  state->module = original->clone();
  for (auto [place, choice] : llvm::zip_equal(schedule::kernelsOf(*state->module), schedules))
    setSchedule(place.first, choice);
  std::optional<std::string> object;
  if (advance(Stage::Scheduled, Stage::Llvm))
    object = finish(Stage::Object, Artifact::Object);
  state->module = std::move(original);
  return object;
}

std::string tessera::fingerprint(const CompileOptions &options) {
  const LanguageOptions &language = options.language;
  std::string sizes = llvm::join(language.definitions, ";");
  for (const auto &[name, value] : options.sizes)
    sizes += llvm::formatv("{0}={1};", name, value);
  return llvm::formatv(
             "{0}|{1}|{2}|{3}|{4}|{5}|O{6}|g{7}|{8}|{9}|{10}|{11}", language.strict,
             language.pedantic, language.checked, language.standard, language.entry,
             options.backend ? options.backend->name : "cpu", options.target.optLevel,
             options.target.debugInfo, core::name(options.from),
             (options.backend ? options.backend : backends().front())->fingerprint(options.target),
             language.zeroBased, sizes)
      .str();
}
