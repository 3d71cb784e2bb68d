#include "backend/cpu/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tessera;

namespace tessera::cpu {
#define GEN_PASS_DEF_BINDPARALLEL
#include "backend/cpu/Passes.h.inc"
} // namespace tessera::cpu

namespace {

/// Defines the functions that OutlineParallel only declared. At this point every captured value is
/// a few scalars and pointers, which are passed in a struct on the caller's stack.
struct BindParallel final : cpu::impl::BindParallelBase<BindParallel> {
  void runOnOperation() override {
    SmallVector<LLVM::LLVMFuncOp> launches;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function.isExternal() && function.getName().starts_with("parallel.") &&
          function.getName().ends_with(".launch"))
        launches.push_back(function);
    for (LLVM::LLVMFuncOp launch : launches)
      bind(launch);
  }

  void bind(LLVM::LLVMFuncOp launch) {
    StringRef name = launch.getName().drop_back(StringRef(".launch").size());
    auto body = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name);
    SmallVector<Type> captured(launch.getArgumentTypes().drop_front(2));
    auto record = LLVM::LLVMStructType::getLiteral(&getContext(), captured);
    LLVM::LLVMFuncOp chunk = makeChunk(name, body, record);
    makeLaunch(launch, chunk, record);
  }

  /// chunk(context, lo, hi): calls body(lo, hi, the captured values).
  LLVM::LLVMFuncOp makeChunk(StringRef name, LLVM::LLVMFuncOp body, LLVM::LLVMStructType record) {
    OpBuilder b(body);
    Location loc = body.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i64 = b.getI64Type();
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), {pointer, i64, i64});
    auto chunk = LLVM::LLVMFuncOp::create(b, loc, (name + ".chunk").str(), type);
    Block *block = chunk.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    SmallVector<Value> arguments{block->getArgument(1), block->getArgument(2)};
    for (auto [index, field] : llvm::enumerate(record.getBody())) {
      Value at = fieldOf(b, loc, record, block->getArgument(0), index);
      arguments.push_back(LLVM::LoadOp::create(b, loc, field, at));
    }
    LLVM::CallOp::create(b, loc, body, arguments);
    LLVM::ReturnOp::create(b, loc, ValueRange{});
    return chunk;
  }

  void makeLaunch(LLVM::LLVMFuncOp launch, LLVM::LLVMFuncOp chunk, LLVM::LLVMStructType record) {
    OpBuilder b(&getContext());
    Location loc = launch.getLoc();
    Block *block = launch.addEntryBlock(b);
    b.setInsertionPointToStart(block);
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    Value one = LLVM::ConstantOp::create(b, loc, b.getI64Type(), 1);
    Value context = LLVM::AllocaOp::create(b, loc, pointer, record, one);
    for (auto [index, argument] : llvm::enumerate(block->getArguments().drop_front(2)))
      LLVM::StoreOp::create(b, loc, argument, fieldOf(b, loc, record, context, index));
    Value function = LLVM::AddressOfOp::create(b, loc, chunk);
    LLVM::CallOp::create(
        b, loc, runtimeFunction(),
        ValueRange{function, context, block->getArgument(0), block->getArgument(1)});
    LLVM::ReturnOp::create(b, loc, ValueRange{});
  }

  static Value fieldOf(OpBuilder &b, Location loc, LLVM::LLVMStructType record, Value base,
                       int32_t index) {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    return LLVM::GEPOp::create(b, loc, pointer, record, base, ArrayRef<LLVM::GEPArg>{0, index});
  }

  LLVM::LLVMFuncOp runtimeFunction() {
    constexpr StringLiteral name = "tessera_rt_parallel_for";
    if (auto existing = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name))
      return existing;
    OpBuilder b = OpBuilder::atBlockEnd(getOperation().getBody());
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i64 = b.getI64Type();
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                            {pointer, pointer, i64, i64});
    return LLVM::LLVMFuncOp::create(b, getOperation().getLoc(), name, type);
  }
};

} // namespace
