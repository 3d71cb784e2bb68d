#include "compiler/ModuleLanguage.h"
#include "backend/Backend.h"
#include "compiler/Dialects.h"
#include "compiler/ModuleDiagnostics.h"
#include "compiler/ModuleTypes.h"
#include "core/Attributes.h"
#include "core/Entry.h"
#include "core/Kernel.h"
#include "core/Stage.h"
#include "mlir/Parser/Parser.h"
#include "schedule/FindKernels.h"

using namespace mlir;
using namespace tessera;

namespace {

/// The text has been parsed once to check it; each compilation parses it again in its own context.
struct ModuleText {
  SourceFile file;
};

OwningOpRef<ModuleOp> parse(const SourceFile &file, MLIRContext &context) {
  return parseSourceString<ModuleOp>(file.text(), ParserConfig(&context), file.name());
}

/// The row of Scalars.def with this name.
std::optional<Scalar> scalarNamed(StringRef text) {
#define TESSERA_SCALAR(id, spelling, kind, bits)                                                   \
  if (text == spelling)                                                                            \
    return Scalar::id;
#include "lang/Scalars.def"
  return std::nullopt;
}

std::optional<Parameter> parameterOf(const core::EntryValue &value) {
  std::optional<Scalar> scalar;
  if (value.element)
    scalar = scalarNamed(core::name(*value.element));
  auto shaped = dyn_cast<ShapedType>(value.type);
  if (!scalar || (shaped && !shaped.hasRank()))
    return std::nullopt;
  Parameter parameter;
  parameter.name = value.name.str();
  parameter.element = *scalar;
  parameter.isInitial = value.isInitial;
  if (!shaped || !shaped.getRank()) // Callers see a tensor of rank 0 as a scalar.
    return parameter;
  parameter.isTensor = true;
  for (int64_t size : shaped.getShape())
    parameter.shape.push_back(ShapedType::isDynamic(size) ? dynamicSize : size);
  for (StringRef name : value.sizes)
    parameter.sizeNames.push_back(name.str());
  return parameter;
}

/// The same for a kernel's parameter.
Parameter parameterOf(const core::KernelParameter &from) {
  KernelType type;
  type.kind = KernelType::Kind(from.kind);
  type.element = *scalarNamed(core::name(from.element));
  type.isComplex = from.isComplex;
  type.shape = from.shape; // Dynamic sizes have the same encoding in both.
  type.strides = from.strides;
  type.count = from.count;
  type.offset = from.offset;
  type.alignment = from.alignment;
  type.shapeDivisors = from.shapeDivisors;
  type.strideDivisors = from.strideDivisors;
  Parameter parameter;
  parameter.name = from.name;
  parameter.kernel = std::move(type);
  return parameter;
}
static_assert(core::KernelParameter::dynamic == dynamicSize);

/// Reads one entry, if callers can use all of its types.
class EntryReader {
public:
  EntryReader(func::FuncOp function, const SourceFile &file, tessera::DiagnosticEngine &diagnostics)
      : function(function), file(file), diagnostics(diagnostics) {
    signature.name = function->getAttrOfType<StringAttr>(core::entryAttr).str();
    signature.symbol = function.getSymName().str();
    signature.declaration = "func.func @" + signature.symbol;
    auto module = function->getParentOfType<ModuleOp>();
    auto language = module->getAttrOfType<StringAttr>(core::languageAttr);
    signature.language = (language ? language.getValue() : moduleLanguage.name).str();
  }

  std::optional<Signature> read() {
    if (auto parameters = core::kernelParameters(function))
      return readKernel(*parameters);
    if (function->hasAttr(core::buffersAttr))
      return readOnData();
    for (unsigned index = 0; index < function.getNumArguments(); ++index)
      add(signature.parameters, core::entryParameter(function, index));
    for (unsigned index = 0; index < function.getNumResults(); ++index) {
      core::EntryValue result = core::entryResult(function, index);
      result.name = result.name.empty() ? "result" : result.name;
      add(signature.results, result);
    }
    return isGood ? std::optional(signature) : std::nullopt;
  }

private:
  Signature readKernel(llvm::ArrayRef<core::KernelParameter> parameters) {
    signature.kernel = KernelShape();
    for (const core::KernelParameter &parameter : parameters)
      signature.parameters.push_back(parameterOf(parameter));
    return signature;
  }

  /// Tables describe the struct of the arguments and the result.
  std::optional<Signature> readOnData() {
    auto module = function->getParentOfType<ModuleOp>();
    auto tables = function->getAttrOfType<ArrayAttr>(core::typesAttr);
    auto names = function->getAttrOfType<ArrayAttr>(core::namesAttr);
    auto arguments = dataTypeOf(module, cast<FlatSymbolRefAttr>(tables[0]));
    auto result = dataTypeOf(module, cast<FlatSymbolRefAttr>(tables[1]));
    bool isGood = arguments && arguments->isStruct() && result;
    if (!isGood || (names ? names.size() : 0) != arguments->fields().size()) {
      diagnostics.report(&file, rangeIn(file, function.getLoc()), diag::InvalidTables,
                         signature.name);
      return std::nullopt;
    }
    for (auto [index, type] : llvm::enumerate(arguments->fields()))
      addOnData(signature.parameters, cast<StringAttr>(names[index]).str(), type);
    addOnData(signature.results, "", *result);
    return signature;
  }

  static void addOnData(std::vector<Parameter> &list, std::string name, const DataType &type) {
    Parameter parameter;
    parameter.name = std::move(name);
    parameter.data = type;
    list.push_back(std::move(parameter));
  }

  void add(std::vector<Parameter> &list, const core::EntryValue &value) {
    if (std::optional<Parameter> parameter = parameterOf(value))
      return list.push_back(*parameter);
    isGood = false;
    std::string text;
    llvm::raw_string_ostream(text) << value.type;
    diagnostics.report(&file, rangeIn(file, function.getLoc()), diag::UnknownType, signature.name,
                       text);
  }

  func::FuncOp function;
  const SourceFile &file;
  tessera::DiagnosticEngine &diagnostics;
  Signature signature;
  bool isGood = true;
};

/// Schedules may have been edited, so they must be checked.
LogicalResult checkSchedules(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    auto attribute = op->getAttrOfType<DictionaryAttr>(schedule::scheduleAttr);
    std::string error;
    if (!attribute || schedule::Contraction::fromAttribute(attribute, error))
      return WalkResult::advance();
    op->emitOpError() << "has an invalid schedule: " << error;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The C functions that a Weld program calls. Other functions without a body belong to the runtime
/// or have names that are not valid in C.
std::vector<ForeignFunction> foreignFunctions(ModuleOp module, const SourceFile &file) {
  std::vector<ForeignFunction> functions;
  auto language = module->getAttrOfType<StringAttr>(core::languageAttr);
  if (!language || language.getValue() != "weld")
    return functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal() && !function.getSymName().starts_with("tessera_") &&
        !function.getSymName().contains('.'))
      functions.push_back({function.getSymName().str(), rangeIn(file, function.getLoc()), {}});
  return functions;
}

/// `options.standard` is the stage of the text, whose contract is checked.
Checked check(const SourceFile &file, const LanguageOptions &options,
              tessera::DiagnosticEngine &diagnostics) {
  DialectRegistry registry;
  registerDialects(registry, *backends().front());
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ModuleDiagnostics handler(context, file, diagnostics);
  OwningOpRef<ModuleOp> module = parse(file, context);
  Checked checked;
  std::optional<core::Stage> stage = core::stageNamed(options.standard);
  if (!module || (stage && failed(core::verify(*module, *stage))) ||
      failed(checkSchedules(*module)))
    return checked;
  for (auto function : module->getOps<func::FuncOp>())
    if (function->hasAttrOfType<StringAttr>(core::entryAttr))
      if (auto signature = EntryReader(function, file, diagnostics).read())
        checked.functions.push_back(std::move(*signature));
  checked.foreign = foreignFunctions(*module, file);
  checked.isCorrect = !diagnostics.hasErrors();
  checked.program = std::make_shared<ModuleText>(file);
  return checked;
}

const SourceFile &fileOf(const Checked &program) {
  return static_cast<const ModuleText *>(program.program.get())->file;
}

constexpr StringRef standards[] = {"core", "optimized", "scheduled", "loops", "llvm"};

} // namespace

std::vector<schedule::GivenKernel>
tessera::scheduledKernels(const SourceFile &file, tessera::DiagnosticEngine &diagnostics) {
  DialectRegistry registry;
  registerDialects(registry, *backends().front());
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ModuleDiagnostics handler(context, file, diagnostics);
  OwningOpRef<ModuleOp> module = parse(file, context);
  std::vector<schedule::GivenKernel> kernels;
  if (!module || failed(checkSchedules(*module)))
    return kernels;
  for (auto &[op, kernel] : schedule::kernelsOf(*module))
    kernels.push_back({kernel, rangeIn(file, op->getLoc())});
  return kernels;
}

namespace tessera {
const Language moduleLanguage = {
    .name = "mlir",
    .extension = ".mlir",
    .summary = "MLIR, the compiler's own representation",
    .standards = standards,
    .diagnostics = {},
    .rules = "",
    .registerDialects = [](DialectRegistry &) {},
    .check = check,
    .lower = [](const Checked &program, const LanguageOptions &,
                MLIRContext &context) { return parse(fileOf(program), context); },
    .printTree = [](const Checked &program,
                    llvm::raw_ostream &out) { out << fileOf(program).text(); },
    .format = nullptr,
    .mainFunction = "main",
};
} // namespace tessera
