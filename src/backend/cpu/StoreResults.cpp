#include "backend/cpu/Passes.h"
#include "core/Attributes.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_STORERESULTS
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

struct StoreResults final : cpu::impl::StoreResultsBase<StoreResults> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(core::entryAttr) && function.getNumResults() > cpu::mostReturned &&
          function.getBody().hasOneBlock() &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        store(function);
  }

  /// Stores each result where it is computed: at the end they would be one block of thousands of
  /// stores.
  void store(func::FuncOp function) {
    Block &body = function.front();
    SmallVector<Value> results(body.getTerminator()->getOperands());
    LLVMTypeConverter converter(&getContext());
    SmallVector<Type> types;
    for (Value result : results)
      types.push_back(converter.convertType(result.getType()));
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type = LLVM::LLVMStructType::getLiteral(&getContext(), types);
    (void)function.insertArgument(0, pointer, {}, function.getLoc());
    OpBuilder b(&getContext());
    for (auto [number, result] : llvm::enumerate(results)) {
      Location loc = result.getLoc();
      b.setInsertionPointAfterValue(result);
      Value value = UnrealizedConversionCastOp::create(b, loc, types[number], result).getResult(0);
      auto field = LLVM::GEPOp::create(b, loc, pointer, type, body.getArgument(0),
                                       ArrayRef<LLVM::GEPArg>{0, int32_t(number)});
      LLVM::StoreOp::create(b, loc, value, field);
    }
    body.getTerminator()->setOperands({});
    (void)function.eraseResults(BitVector(results.size(), true));
  }
};

} // namespace
