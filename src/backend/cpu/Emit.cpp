/// Translates the LLVM dialect to LLVM IR, optimizes it, and emits text or object code.
#include "backend/cpu/Entries.h"
#include "backend/cpu/KnownMasks.h"
#include "backend/cpu/Passes.h"
#include "backend/cpu/PressLanes.h"
#include "backend/cpu/StraightLines.h"
#include "backend/cpu/UniformLoops.h"
#include "backend/cpu/VectorVariants.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace tessera;
using llvm::StringRef;

namespace {

/// Scatter instructions are slower than scalar stores on every CPU that has them.
constexpr llvm::StringLiteral tuning = "+prefer-no-scatter";

/// LLVM's name of the CPU and, for "native", its features one by one: a virtual machine may hide
/// some that the name implies.
struct CpuChoice {
  std::string name, features;
};

CpuChoice choose(const Target &target) {
  if (target.cpu != "native")
    return {target.cpu, tuning.str()};
  std::string features = tuning.str();
  for (auto &feature : cpu::hostFeatures())
    features += std::string(feature.second ? ",+" : ",-") + feature.first().str();
  return {llvm::sys::getHostCPUName().str(), features};
}

bool hostHas(StringRef level) {
  llvm::SmallVector<StringRef, 64> features;
  llvm::X86::getFeaturesForCPU(level, features);
  const llvm::StringMap<bool> &host = cpu::hostFeatures();
  return llvm::all_of(
      features, [&](StringRef feature) { return !host.contains(feature) || host.lookup(feature); });
}

/// The level that the runtime compares with the processor. For "native" it is the highest level
/// that the processor includes; JIT code needs no comparison.
std::string levelToCheck(const Target &target, Artifact artifact) {
  if (target.cpu != "native")
    return target.cpu;
  if (artifact == Artifact::Object)
    return "";
  for (StringRef level : {"x86-64-v4", "x86-64-v3", "x86-64-v2"})
    if (hostHas(level))
      return level.str();
  return "x86-64";
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Target &target, bool isJit) {
  static const bool isReady = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    return true;
  }();
  (void)isReady;
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  CpuChoice cpu = choose(target);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard; // Scalar code is never contracted.
  auto level = target.optLevel == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  return std::unique_ptr<llvm::TargetMachine>(found->createTargetMachine(
      triple, cpu.name, cpu.features, options, llvm::Reloc::PIC_, std::nullopt, level, isJit));
}

/// Functions that set their own target CPU keep it. LLVM prefers 256-bit vectors on some
/// processors, which suits mostly scalar code; here 512-bit vectors pay off.
void compileFor(const Target &target, llvm::Module &module) {
  CpuChoice cpu = choose(target);
  bool isWide = cpu::machineOf(target).vectorBytes == 64;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute("target-cpu"))
      continue;
    function.addFnAttr("target-cpu", cpu.name);
    function.addFnAttr("target-features", cpu.features);
    if (isWide)
      function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

/// LLVM recognizes C's math functions and replaces some calls by others, which may differ in the
/// last place. With this information removed, results are equal at every optimization level.
llvm::TargetLibraryInfoImpl libraryWithoutMath(const llvm::Triple &triple) {
  llvm::TargetLibraryInfoImpl library(triple);
  for (StringRef name : cpu::libraryFunctions()) {
    llvm::LibFunc function;
    if (library.getLibFunc(name, function))
      library.setUnavailable(function);
  }
  return library;
}

struct InlineVariants : llvm::PassInfoMixin<InlineVariants> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    cpu::inlineVectorVariants(module);
    return llvm::PreservedAnalyses::none();
  }
};

bool hasStraightVectors(const llvm::Any &unit) {
  const auto *function = llvm::any_cast<const llvm::Function *>(&unit);
  return !function || !(cpu::carriesMany(**function) || cpu::mayGatherStored(**function));
}

/// LLVM's analysis managers, in the order in which they must be destroyed.
struct PassRunner {
  PassRunner(llvm::TargetMachine &machine) : builder(&machine, options(), {}, &callbacks) {
    unoptimized.registerCallbacks(callbacks);
    callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, const llvm::Any &unit) {
      // Jump threading would route iterations at a tensor's border around related guards and leave
      // a loop that cannot be vectorized.
      if (pass == "JumpThreadingPass")
        return false;
      return pass != "SLPVectorizerPass" || hasStraightVectors(unit);
    });
    functions.registerPass([&] { return llvm::PassInstrumentationAnalysis(&callbacks); });
    functions.registerPass(
        [&] { return llvm::TargetLibraryAnalysis(libraryWithoutMath(machine.getTargetTriple())); });
    builder.registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager &pm, llvm::OptimizationLevel) {
          pm.addPass(cpu::SkipUniformLoops());
        });
    builder.registerOptimizerLastEPCallback(
        [](llvm::ModulePassManager &pm, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
          pm.addPass(InlineVariants());
        });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
  }

  static llvm::PipelineTuningOptions options() {
    llvm::PipelineTuningOptions options;
    options.SLPVectorization = true;
    return options;
  }

  llvm::PassInstrumentationCallbacks callbacks;
  llvm::OptNoneInstrumentation unoptimized{/*DebugLogging=*/false};
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
};

/// Tuned loops are optimized when they are emitted and need few passes here.
llvm::FunctionPassManager kernelPasses() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  return passes;
}

llvm::SmallVector<llvm::Function *> kernelsOf(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> kernels;
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(cpu::kernelAttr))
      kernels.push_back(&function);
  return kernels;
}

constexpr llvm::Attribute::AttrKind untouched[] = {llvm::Attribute::OptimizeNone,
                                                   llvm::Attribute::NoInline};

/// The full pipeline would spend most of the compile time on tuned loops without improving them.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, unsigned level) {
  PassRunner runner(machine);
  if (level == 0) {
    runner.builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0).run(module, runner.modules);
    return;
  }
  for (llvm::Function *kernel : kernelsOf(module))
    for (llvm::Attribute::AttrKind attribute : untouched)
      kernel->addFnAttr(attribute);
  runner.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, runner.modules);
  llvm::FunctionPassManager passes = kernelPasses();
  for (llvm::Function *kernel : kernelsOf(module)) {
    for (llvm::Attribute::AttrKind attribute : untouched)
      kernel->removeFnAttr(attribute);
    passes.run(*kernel, runner.functions);
  }
}

/// Drops LLVM's warnings about loops that it could not unroll or vectorize as requested: users
/// cannot act on them.
struct Silence final : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    return llvm::isa<llvm::DiagnosticInfoOptimizationBase>(info);
  }
};

std::string print(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

std::optional<std::string> generate(llvm::Module &module, llvm::TargetMachine &machine,
                                    llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr, type))
    return std::nullopt;
  passes.run(module);
  return std::string(bytes.data(), bytes.size());
}

} // namespace

bool cpu::canSum(mlir::Type element) {
  return element.isF32() || element.isF64() || element.isSignlessInteger();
}

std::string cpu::fingerprint(const Target &target) {
  CpuChoice cpu = choose(target);
  schedule::Machine machine = machineOf(target);
  return llvm::formatv("{0};{1};{2};{3};{4}", cpu.name, cpu.features, machine.l1, machine.l2,
                       machine.l3);
}

std::string cpu::processor(const Target &target) {
  return llvm::formatv("{0}/{1}", choose(target).name, machineOf(target).vectorBytes);
}

std::optional<std::string> cpu::emit(mlir::ModuleOp module, const Target &target, Artifact artifact,
                                     std::string &error) {
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Silence>());
  std::unique_ptr<llvm::Module> code = mlir::translateModuleToLLVMIR(module, context);
  if (!code) {
    error = "translation to LLVM IR failed";
    return std::nullopt;
  }
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine(target, artifact == Artifact::Object);
  code->setDataLayout(machine->createDataLayout());
  code->setTargetTriple(machine->getTargetTriple());
  addSites(module, *code);
  addEntries(module, *code, target, levelToCheck(target, artifact), artifact);
  if (target.optLevel > 0 && artifact != Artifact::Llvm)
    addVectorVariants(*code, std::max<int64_t>(machineOf(target).vectorBytes, 16) * 8);
  compileFor(target, *code);
  if (artifact == Artifact::Llvm)
    return print(*code);
  optimize(*code, *machine, target.optLevel);
  storeKnownLanes(*code);
  if (machineOf(target).vectorBytes == 32)
    pressLanes(*code);
  bool isText = artifact == Artifact::Assembly;
  auto result =
      generate(*code, *machine,
               isText ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile);
  if (!result)
    error = "code generation failed";
  return result;
}
