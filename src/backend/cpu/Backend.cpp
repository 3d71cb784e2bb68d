#include "backend/Backend.h"
#include "backend/cpu/Entries.h"
#include "backend/cpu/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/AMX/Transforms.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

using namespace mlir;

/// Interfaces for the generic conversion to LLVM and for the translation to LLVM IR.
static void registerDialects(DialectRegistry &registry) {
  registry.insert<amx::AMXDialect>();
  registerConvertAMXToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace tessera {
extern const Backend cpuBackend;
const Backend cpuBackend = {
    .name = "cpu",
    .summary = "this machine's processor",
    .registerDialects = registerDialects,
    .hasFma = [](const Target &target) { return cpu::machineOf(target).vectorBytes > 0; },
    .addSchedulePasses = cpu::addSchedulePasses,
    .addLoopPasses = cpu::addLoopPasses,
    .addLoweringPasses = cpu::addLoweringPasses,
    .passes = cpu::passes,
    .emit = cpu::emit,
    .exportedName = cpu::exportedName,
    .fingerprint = cpu::fingerprint,
    .machine = cpu::machineOf,
    .processor = cpu::processor,
};
} // namespace tessera
