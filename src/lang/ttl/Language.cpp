#include "lang/Language.h"
#include "lang/ttl/Check.h"
#include "lang/ttl/Format.h"
#include "lang/ttl/Lower.h"
#include "lang/ttl/Parser.h"
#include "lang/ttl/PrintTree.h"

using namespace tessera;
using namespace tessera::ttl;

static constexpr llvm::StringLiteral languageName = "ttl";

static Parameter parameterOf(llvm::StringRef name, const Type &type) {
  Parameter parameter{name.str(),
                      type.elementKind() == Type::Float ? Scalar::F32 : Scalar::I32,
                      type.isMatrix(),
                      {}};
  parameter.shape.assign(type.sizes.begin(), type.sizes.end());
  return parameter;
}

static std::string declarationOf(const Function &function) {
  std::string text = "function " + function.returnType.str() + " " + function.name.text.str() + "(";
  for (const ParameterDecl &parameter : function.parameters)
    text += (&parameter == &*function.parameters.begin() ? "" : ", ") + parameter.type.str() + " " +
            parameter.name.text.str();
  return text + ")";
}

static Signature signatureOf(const Function &function) {
  Signature signature{function.name.text.str(),
                      ("entry." + function.name.text).str(),
                      {},
                      {},
                      declarationOf(function),
                      languageName.str()};
  for (const ParameterDecl &parameter : function.parameters)
    signature.parameters.push_back(parameterOf(parameter.name.text, parameter.type));
  if (function.returnType.kind != Type::Void)
    signature.results.push_back(parameterOf("result", function.returnType));
  return signature;
}

static Checked checkProgram(const SourceFile &file, const LanguageOptions &options,
                            DiagnosticEngine &diagnostics) {
  std::shared_ptr<Program> program =
      parse(file, {.emptyBodies = options.standard == "reference"}, diagnostics);
  Checker(*program, options, diagnostics).checkProgram();
  Checked checked;
  checked.isCorrect = !diagnostics.hasErrors();
  for (const Function *function : program->functions)
    checked.functions.push_back(signatureOf(*function));
  checked.program = std::move(program);
  return checked;
}

static const Program &programOf(const Checked &checked) {
  return *static_cast<const Program *>(checked.program.get());
}

static mlir::OwningOpRef<mlir::ModuleOp>
lowerProgram(const Checked &checked, const LanguageOptions &options, mlir::MLIRContext &context) {
  return lower(programOf(checked), options, context);
}

static void printProgram(const Checked &checked, llvm::raw_ostream &out) {
  printTree(programOf(checked), out);
}

static const DiagnosticKind diagnosticTable[] = {
#define TTL_DIAGNOSTIC(name, severity, rule, text) {#name, rule, Severity::severity, text},
#include "lang/ttl/Diagnostics.def"
};

static const llvm::StringRef standards[] = {"seed", "reference"};

#include "lang/ttl/Rules.inc" // ttlRules: docs/languages/ttl.md

namespace tessera {
extern const Language ttlLanguage;
const Language ttlLanguage = {
    .name = languageName,
    .extension = ".ttl",
    .summary = "Toy Tensor Language: functions over matrices with value semantics",
    .standards = standards,
    .diagnostics = diagnosticTable,
    .rules = llvm::StringRef(reinterpret_cast<const char *>(ttlRules), sizeof(ttlRules)),
    .registerDialects = [](mlir::DialectRegistry &) {},
    .check = checkProgram,
    .lower = lowerProgram,
    .printTree = printProgram,
    .format = ttl::format,
    .mainFunction = "main",
};
} // namespace tessera
