#include "lang/tinytc/Lower.h"

using namespace tessera;
using namespace tessera::tinytc;
using llvm::ArrayRef;
using llvm::SmallVector;

//===-- Instructions and regions ------------------------------------------===//

void Lowering::lower(const Inst &inst) {
  std::visit([&](const auto &node) { lower(node, inst); }, inst.node);
}

/// Results without names have no uses.
void Lowering::bind(const Inst &inst, mlir::ValueRange results) {
  for (auto [value, result] : llvm::zip(inst.results, results))
    values[value] = result;
}

void Lowering::bind(ArrayRef<Value *> variables, mlir::ValueRange arguments) {
  for (auto [variable, argument] : llvm::zip_equal(variables, arguments)) {
    argument.setLoc(locationOf(variable->name.range, variable));
    values[variable] = argument;
  }
}

/// Leaves the insertion point after the body.
void Lowering::lowerBody(const Region &region, mlir::Region &into) {
  builder.setInsertionPointToEnd(&into.front());
  if (!into.front().empty())
    builder.setInsertionPoint(&into.front().back());
  for (const Inst *inst : region.body)
    lower(*inst);
}

//===-- Loops and branches ------------------------------------------------===//

void Lowering::lower(const Foreach &loop, const Inst &inst) {
  auto op =
      ir::ForeachOp::create(builder, locationOf(inst), valuesOf(loop.from), valuesOf(loop.to));
  mlir::OpBuilder::InsertionGuard guard(builder);
  bind(loop.variables, op.getVariables());
  lowerBody(*loop.body, op.getBody());
}

void Lowering::lower(const Parallel &parallel, const Inst &inst) {
  auto op = ir::ParallelOp::create(builder, locationOf(inst));
  mlir::OpBuilder::InsertionGuard guard(builder);
  lowerBody(*parallel.body, op.getBody());
}

/// -1: never, 0: all iterations, otherwise the number of iterations.
static int64_t unrollOf(const Attr &unroll) {
  if (unroll.kind == Attr::Bool)
    return unroll.integer ? 0 : -1;
  return unroll.integer;
}

void Lowering::lower(const For &loop, const Inst &inst) {
  SmallVector<mlir::Value> initials;
  SmallVector<Value *> variables{loop.variable};
  for (const Carried &carried : loop.carried) {
    initials.push_back(valueOf(carried.initial));
    variables.push_back(carried.value);
  }
  mlir::Value from = valueOf(loop.from), to = valueOf(loop.to);
  auto op = ir::ForOp::create(builder, locationOf(inst), from, to,
                              loop.step ? valueOf(*loop.step) : mlir::Value(), initials);
  if (const Attr *unroll = loop.attributes ? loop.attributes->find("unroll") : nullptr)
    op.setUnroll(unrollOf(*unroll));
  bind(inst, op.getResults());
  mlir::OpBuilder::InsertionGuard guard(builder);
  bind(variables, op.getBody().getArguments());
  lowerBody(*loop.body, op.getBody());
}

void Lowering::lower(const If &branch, const Inst &inst) {
  SmallVector<mlir::Type> types;
  for (const TypeRef &type : branch.types)
    types.push_back(typeOf(*type.type));
  auto op = ir::IfOp::create(builder, locationOf(inst), types, valueOf(branch.condition),
                             branch.elseRegion != nullptr);
  bind(inst, op.getResults());
  mlir::OpBuilder::InsertionGuard guard(builder);
  lowerBody(*branch.thenRegion, op.getThenRegion());
  if (branch.elseRegion)
    lowerBody(*branch.elseRegion, op.getElseRegion());
}

/// Regions without results already have their `yield`.
void Lowering::lower(const Yield &yield, const Inst &inst) {
  if (!yield.values.empty())
    ir::YieldOp::create(builder, locationOf(inst), valuesOf(yield.values));
}

void Lowering::lower(const Barrier &barrier, const Inst &inst) {
  ir::BarrierOp::create(builder, locationOf(inst), barrier.isGlobal, barrier.isLocal);
}

void Lowering::lower(const Broken &, const Inst &) {
  llvm_unreachable("not in a checked program");
}
