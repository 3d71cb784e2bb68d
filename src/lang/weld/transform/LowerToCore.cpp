/// The dialect to core in buffer form: the function, its arguments and result, and each operation.
#include "core/Attributes.h"
#include "lang/weld/transform/CoreLowering.h"
#include "lang/weld/transform/ToCore.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::weld;

CoreLowering::CoreLowering(func::FuncOp source, core::Sites &sites)
    : source(source), sites(sites), b(source.getContext()), loc(source.getLoc()),
      pointerType(LLVM::LLVMPointerType::get(source.getContext())), i64(b.getI64Type()),
      i1(b.getI1Type()) {}

/// main(arguments, result): both are pointers, and so it is called from C.
void CoreLowering::run() {
  StringAttr name = source.getSymNameAttr();
  source.setSymName((name.getValue() + ".weld").str());
  b.setInsertionPoint(source);
  target = func::FuncOp::create(b, loc, name, b.getFunctionType({pointerType, pointerType}, {}));
  target->setAttr(core::entryAttr, name);
  target->setAttr(core::buffersAttr, b.getUnitAttr());
  b.setInsertionPointToEnd(target.addEntryBlock());

  TypeRange parameters = source.getArgumentTypes(), results = source.getResultTypes();
  auto tableOf = [&](TypeRange types) {
    auto address = typeTable(describe(types)).getDefiningOp<LLVM::AddressOfOp>();
    auto symbol = FlatSymbolRefAttr::get(address.getGlobalNameAttr().getAttr());
    address.erase();
    return Attribute(symbol);
  };
  Attribute result = tableOf(results);
  if (results.size() == 1) {
    auto address = typeTable(describe(results[0])).getDefiningOp<LLVM::AddressOfOp>();
    result = FlatSymbolRefAttr::get(address.getGlobalNameAttr().getAttr());
    address.erase();
  }
  target->setAttr(core::typesAttr, b.getArrayAttr({tableOf(parameters), result}));

  Leaves arguments = load(layoutOf(parameters), target.getArgument(0));
  ArrayRef<Value> rest = arguments;
  for (BlockArgument parameter : source.getArguments()) {
    size_t count = leafTypes(parameter.getType()).size();
    values[parameter] = Leaves(rest.take_front(count));
    rest = rest.drop_front(count);
  }
  region = createRegion();
  lowerBlock(source.front());
  Leaves returned;
  for (Value value : source.front().getTerminator()->getOperands())
    llvm::append_range(returned, leaves(value));
  store(layoutOf(results), returned, target.getArgument(1));
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
                ir::BinaryOp, ir::UnaryOp, ir::CastOp, ir::SelectOp, ir::BroadcastOp, ir::IfOp,
                ir::IterateOp, ir::ForOp, ir::NewBuilderOp, ir::MergeOp, ir::ResultOp, ir::LookupOp,
                ir::OptLookupOp, ir::KeyExistsOp, ir::LenOp, ir::SliceOp, ir::SortOp, ir::ToVecOp,
                ir::SerializeOp, ir::DeserializeOp, ir::AssertOp, ir::CudfOp>(
              [&](auto known) { return lower(known); });
  ArrayRef<Value> rest = results;
  for (Value result : op.getResults()) {
    size_t count = leafTypes(result.getType()).size();
    values[result] = Leaves(rest.take_front(count));
    rest = rest.drop_front(count);
  }
  loc = outer;
}

void weld::lowerToCore(ModuleOp module) {
  core::Sites sites(module);
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (!function.isExternal())
      CoreLowering(function, sites).run();
  sites.attach();
}
