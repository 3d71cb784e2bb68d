#include "compiler/Session.h"
#include "compiler/Dialects.h"
#include "compiler/Pipeline.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tessera;
using core::Stage;

struct Session::State {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;

  explicit State(const DialectRegistry &registry) : context(registry, MLIRContext::Threading::DISABLED) {}
};

Session::Session(CompileOptions given) : options(std::move(given)) {
  if (!options.backend)
    options.backend = backends().front();
  DialectRegistry registry;
  registerDialects(registry, *options.backend);
  state = std::make_unique<State>(registry);
  state->context.loadAllAvailableDialects();
}

Session::~Session() = default;

/// Runs the passes between two stages, and checks the contract of each stage on the way. What MLIR
/// says is kept: the program was correct, so it describes a bug of ours.
bool Session::advance(Stage from, Stage to) {
  std::string text;
  llvm::raw_string_ostream out(text);
  ScopedDiagnosticHandler handler(&state->context, [&](mlir::Diagnostic &diagnostic) {
    out << diagnostic << '\n';
    return success();
  });
  ModuleOp module = *state->module;
  for (Stage stage = from; stage < to; stage = Stage(int(stage) + 1)) {
    Stage next = Stage(int(stage) + 1);
    PassManager pm(&state->context);
    if (options.timePasses)
      pm.enableTiming();
    buildPipeline(pm, options, stage, next);
    if (failed(pm.run(module)) || failed(core::verify(module, next))) {
      failure.message = "from stage `" + core::name(stage).str() + "` to `" + core::name(next).str() + "`: " + text;
      llvm::raw_string_ostream reproducer(failure.reproducer);
      module.print(reproducer);
      return false;
    }
  }
  return true;
}

std::optional<std::string> Session::finish(Stage stage, Artifact artifact) {
  if (stage <= Stage::Loops) {
    std::string text;
    llvm::raw_string_ostream out(text);
    state->module->print(out);
    return text;
  }
  std::string error;
  auto result = options.backend->emit(*state->module, options.target, artifact, error);
  if (!result)
    failure.message = error;
  return result;
}

static Artifact artifactOf(Stage stage) {
  return stage == Stage::Llvm ? Artifact::Llvm : stage == Stage::Asm ? Artifact::Assembly : Artifact::Object;
}

std::optional<std::string> Session::print(const Language &language, const Checked &program, Stage stage) {
  if (stage == Stage::Ast) {
    std::string text;
    llvm::raw_string_ostream out(text);
    language.printTree(program, out);
    return text;
  }
  state->module = language.lower(program, options.language, state->context);
  if (!advance(Stage::Core, std::min(stage, Stage::Llvm)))
    return std::nullopt;
  return finish(stage, artifactOf(stage));
}

std::optional<std::string> Session::compile(const Language &language, const Checked &program, Artifact artifact) {
  state->module = language.lower(program, options.language, state->context);
  if (!advance(Stage::Core, Stage::Llvm))
    return std::nullopt;
  return finish(Stage::Object, artifact);
}

std::optional<std::string> Session::printFrom(StringRef mlirText, StringRef fileName, Stage from, Stage to) {
  state->module = parseSourceString<ModuleOp>(mlirText, ParserConfig(&state->context), fileName);
  if (!state->module || !advance(from, std::min(to, Stage::Llvm)))
    return std::nullopt;
  return finish(to, artifactOf(to));
}

std::string tessera::fingerprint(const CompileOptions &options) {
  const LanguageOptions &language = options.language;
  return llvm::formatv("{0}|{1}|{2}|{3}|{4}|{5}|O{6}|g{7}|{8}", language.strict, language.pedantic, language.checked,
                       language.standard, language.entry, options.backend ? options.backend->name : "cpu",
                       options.target.optLevel, options.target.debugInfo,
                       (options.backend ? options.backend : backends().front())->fingerprint(options.target))
      .str();
}
