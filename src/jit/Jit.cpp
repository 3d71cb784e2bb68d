#include "jit/Jit.h"
#include "jit/RuntimeSymbols.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

using namespace tessera;
using namespace tessera::jit;
using namespace llvm;

struct Program::State {
  std::unique_ptr<orc::LLJIT> jit;
};

Program::Program(std::unique_ptr<State> state) : state(std::move(state)) {}
Program::~Program() = default;

/// Generated code sees only these functions.
static Error defineRuntime(orc::LLJIT &jit, ArrayRef<Foreign> foreign) {
  orc::SymbolMap symbols;
  for (const Foreign &function : foreign)
    symbols[jit.mangleAndIntern(function.name)] = {orc::ExecutorAddr::fromPtr(function.address),
                                                   JITSymbolFlags::Exported};
  for (const RuntimeSymbol &symbol : runtimeSymbols())
    symbols[jit.mangleAndIntern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                 JITSymbolFlags::Exported};
  return jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)));
}

static Expected<std::unique_ptr<orc::LLJIT>> makeJit() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  orc::JITTargetMachineBuilder target{Triple("x86_64-unknown-linux-gnu")};
  return orc::LLJITBuilder()
      .setJITTargetMachineBuilder(std::move(target))
      .setLinkProcessSymbolsByDefault(false)
      .setPlatformSetUp(orc::setUpInactivePlatform) // No static constructors, no TLS.
      .create();
}

/// LLVM's own enableDebuggerSupport needs the symbols of the process, which generated code must not
/// see.
static Error tellDebugger(orc::LLJIT &jit) {
  auto *layer = dyn_cast<orc::ObjectLinkingLayer>(&jit.getObjLinkingLayer());
  if (!layer)
    return createStringError("this linking layer knows no debugger");
  Error error = Error::success();
  auto plugin = std::make_unique<orc::ELFDebugObjectPlugin>(
      jit.getExecutionSession(), /*RequireDebugSections=*/false, /*AutoRegisterCode=*/true, error);
  if (!error)
    layer->addPlugin(std::move(plugin));
  return error;
}

static Error loadInto(Expected<std::unique_ptr<orc::LLJIT>> &jit, std::string object,
                      bool forDebugger, ArrayRef<Foreign> foreign) {
  if (!jit)
    return jit.takeError();
  if (Error error = defineRuntime(**jit, foreign))
    return error;
  if (forDebugger)
    if (Error error = tellDebugger(**jit))
      return error;
  return (*jit)->addObjectFile(MemoryBuffer::getMemBufferCopy(object));
}

std::unique_ptr<Program> Program::load(std::string object, bool forDebugger, std::string &error,
                                       ArrayRef<Foreign> foreign) {
  auto jit = makeJit();
  if (Error failure = loadInto(jit, std::move(object), forDebugger, foreign)) {
    error = toString(std::move(failure));
    return nullptr;
  }
  auto state = std::make_unique<State>();
  state->jit = std::move(*jit);
  return std::unique_ptr<Program>(new Program(std::move(state)));
}

void *Program::lookUp(std::string symbol, std::string &error) {
  // The session's own messages are more specific than the failed look-up.
  state->jit->getExecutionSession().setErrorReporter(
      [&](Error reported) { error += toString(std::move(reported)); });
  auto address = state->jit->lookup(symbol);
  if (address)
    return address->toPtr<void *>();
  error += toString(address.takeError());
  return nullptr;
}

const tessera_signature *Program::find(StringRef entry, std::string &error) {
  return static_cast<const tessera_signature *>(
      lookUp(("tessera_signature." + entry).str(), error));
}

const tessera_program *Program::findProgram(StringRef entry, std::string &error) {
  return static_cast<const tessera_program *>(lookUp(("tessera_program." + entry).str(), error));
}

const tessera_kernel *Program::findKernel(StringRef entry, std::string &error) {
  return static_cast<const tessera_kernel *>(lookUp(("tessera_kernel." + entry).str(), error));
}
