#include "Program.h"
#include "compiler/Session.h"
#include "lang/weld/ir/Dialect.h"
#include "lang/weld/transform/ToCore.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

using namespace tessera;
using namespace tessera::tests;

namespace {

/// A language whose programs are modules of the dialect.
mlir::OwningOpRef<mlir::ModuleOp> lower(const Checked &checked, const LanguageOptions &,
                                        mlir::MLIRContext &context) {
  context.getOrLoadDialect<weld::ir::WeldDialect>();
  auto &text = *static_cast<const std::string *>(checked.program.get());
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), "f.weld");
  weld::lowerToCore(*module);
  return module;
}

} // namespace

static Language dialect() {
  Language language = {};
  language.name = "weld";
  language.lower = lower;
  return language;
}

static Checked checkedText(const std::string &text) {
  Checked checked;
  checked.program = std::make_shared<std::string>(text);
  return checked;
}

Program::Program(const std::string &text, unsigned optLevel, std::vector<jit::Foreign> foreign)
    : Program(dialect(), checkedText(text), optLevel, std::move(foreign)) {}

std::unique_ptr<Program> Program::fromWeld(const std::string &text, unsigned optLevel) {
  SourceFile file("f.weld", text);
  DiagnosticEngine diagnostics;
  const Language &language = *languageNamed("weld");
  Checked checked = language.check(file, {}, diagnostics);
  std::unique_ptr<Program> program(new Program(language, checked, optLevel, {}));
  for (const Diagnostic &diagnostic : diagnostics.sorted())
    if (!checked.isCorrect)
      program->error += diagnostic.message + "\n";
  return program;
}

Program::Program(const Language &language, const Checked &checked, unsigned optLevel,
                 std::vector<jit::Foreign> foreign) {
  if (!language.check || checked.isCorrect)
    compile(language, checked, optLevel, foreign);
  else
    error = "the program is not correct";
}

void Program::compile(const Language &language, const Checked &checked, unsigned optLevel,
                      const std::vector<jit::Foreign> &foreign) {
  CompileOptions options;
  options.target.optLevel = optLevel;
  Session session(options);
  auto object = session.compile(language, checked, Artifact::Object);
  if (!object) {
    error = session.bug().message + "\n" + session.bug().reproducer;
    return;
  }
  loaded = jit::Program::load(std::move(*object), false, error, foreign);
  if (loaded)
    entry = loaded->findProgram(checked.functions.empty() ? "main" : checked.functions.front().name,
                                error);
}

Program::~Program() {
  freeRuns();
}

void Program::freeRuns() {
  for (tessera_run *run : runs)
    tessera_run_free(run);
  runs.clear();
}

int Program::run(const void *arguments, void *result) {
  tessera_run *run = nullptr;
  int status = tessera_rt_run(entry, arguments, result, &run);
  runs.push_back(run);
  return status;
}
