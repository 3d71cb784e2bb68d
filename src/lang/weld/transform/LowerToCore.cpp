/// From the dialect to core in buffer form: the function, its arguments and result, and each
/// operation.
#include "core/Attributes.h"
#include "lang/weld/transform/CoreLowering.h"
#include "lang/weld/transform/ToCore.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

#include "lang/weld/transform/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tessera::weld::transform {
#define GEN_PASS_DEF_LOWERTOCORE
#include "lang/weld/transform/Passes.h.inc"
} // namespace tessera::weld::transform

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

CoreLowering::CoreLowering(func::FuncOp source, core::Sites &sites)
    : source(source), sites(sites), b(source.getContext()), loc(source.getLoc()),
      pointerType(LLVM::LLVMPointerType::get(source.getContext())), i64(b.getI64Type()),
      i1(b.getI1Type()) {}

/// The name of a table of types.
Attribute CoreLowering::tableOf(ArrayRef<int32_t> words) {
  auto address = typeTable(words).getDefiningOp<LLVM::AddressOfOp>();
  Attribute name = FlatSymbolRefAttr::get(address.getGlobalNameAttr().getAttr());
  address.erase();
  return name;
}

static Attribute namesOf(func::FuncOp source) {
  SmallVector<Attribute> names;
  for (unsigned index = 0; index < source.getNumArguments(); ++index)
    if (Attribute name = source.getArgAttr(index, core::nameAttr))
      names.push_back(name);
  bool areComplete = names.size() == source.getNumArguments();
  return ArrayAttr::get(source.getContext(), areComplete ? names : ArrayRef<Attribute>());
}

/// main(arguments, result): both are pointers, so that C can call it.
void CoreLowering::declare(StringAttr name) {
  b.setInsertionPoint(source);
  target = func::FuncOp::create(b, loc, name, b.getFunctionType({pointerType, pointerType}, {}));
  b.setInsertionPointToEnd(target.addEntryBlock());
  Attribute types[] = {tableOf(describe(source.getArgumentTypes())),
                       tableOf(describe(source.getResultTypes()[0]))};
  Attribute entry = source->getAttr(core::entryAttr);
  target->setAttr(core::entryAttr, entry ? entry : name);
  target->setAttr(core::buffersAttr, b.getUnitAttr());
  target->setAttr(core::typesAttr, b.getArrayAttr(types));
  target->setAttr(core::namesAttr, namesOf(source));
}

void CoreLowering::bindParameters() {
  Leaves arguments = load(layoutOf(source.getArgumentTypes()), target.getArgument(0));
  ArrayRef<Value> rest = arguments;
  for (BlockArgument parameter : source.getArguments()) {
    size_t count = leafTypes(parameter.getType()).size();
    values[parameter] = Leaves(rest.take_front(count));
    rest = rest.drop_front(count);
  }
}

void CoreLowering::run() {
  StringAttr name = source.getSymNameAttr();
  source.setSymName((name.getValue() + ".weld").str());
  declare(name);
  bindParameters();
  region = createRegion();
  lowerBlock(source.front());
  Value result = source.front().getTerminator()->getOperand(0);
  store(layoutOf(result.getType()), leaves(result), target.getArgument(1));
  func::ReturnOp::create(b, loc);
  source.erase();
}

Leaves &CoreLowering::leaves(Value value) {
  return values.find(value)->second;
}

void CoreLowering::lowerBlock(mlir::Block &block) {
  for (Operation &op : block.without_terminator())
    lowerOp(op);
}

Leaves CoreLowering::yielded(mlir::Block &block) {
  lowerBlock(block);
  Leaves all;
  for (Value value : block.getTerminator()->getOperands())
    llvm::append_range(all, leaves(value));
  return all;
}

void CoreLowering::lowerOp(Operation &op) {
  Location outer = loc;
  loc = op.getLoc();
  Leaves results =
      llvm::TypeSwitch<Operation *, Leaves>(&op)
          .Case<ir::ConstantOp, ir::StringOp, ir::MakeVecOp, ir::MakeStructOp, ir::FieldOp,
                ir::BinaryOp, ir::CompareOp, ir::UnaryOp, ir::CastOp, ir::SelectOp, ir::BroadcastOp,
                ir::IfOp, ir::IterateOp, ir::ForOp, ir::NewBuilderOp, ir::MergeOp, ir::ResultOp,
                ir::LookupOp, ir::OptLookupOp, ir::KeyExistsOp, ir::LenOp, ir::SliceOp, ir::SortOp,
                ir::ToVecOp, ir::SerializeOp, ir::DeserializeOp, ir::AssertOp, ir::CudfOp>(
              [&](auto known) { return lower(known); });
  loc = outer;
  if (op.getNumResults() == 1) { // A loop may carry more for a builder than its leaves.
    values[op.getResult(0)] = results;
    return;
  }
  ArrayRef<Value> rest = results;
  for (Value result : op.getResults()) {
    size_t count = leafTypes(result.getType()).size();
    values[result] = Leaves(rest.take_front(count));
    rest = rest.drop_front(count);
  }
}

void weld::lowerToCore(ModuleOp module) {
  core::Sites sites(module);
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (!function.isExternal())
      CoreLowering(function, sites).run();
  sites.attach();
}

namespace {

struct LowerToCore final : transform::impl::LowerToCoreBase<LowerToCore> {
  void runOnOperation() override { lowerToCore(getOperation()); }
};

} // namespace
