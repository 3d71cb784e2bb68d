#include "lang/tinytc/Lower.h"

using namespace tessera;
using namespace tessera::tinytc;

// Enumerations of the tree and of the dialect have the same order; Ops.cpp asserts that for
// Operators.def.
static_assert(int(Builtin::SubgroupLocalId) == int(ir::Builtin::SubgroupLocalId));
static_assert(int(Builtin::Linear) == int(ir::Axis::Linear));
static_assert(int(CheckedFlag::Both) == int(ir::Checked::Both));
static_assert(int(StoreFlag::AtomicAdd) == int(ir::StoreFlag::AtomicAdd));
static_assert(int(SubgroupOp::Min) == int(ir::Reduction::Min));
static_assert(int(SubgroupOp::Reduce) == int(ir::ReductionForm::Reduce));

void Lowering::lower(const Binary &binary, const Inst &inst) {
  mlir::Value lhs = valueOf(binary.lhs), rhs = valueOf(binary.rhs);
  bind(inst,
       ir::BinaryOp::create(builder, locationOf(inst), static_cast<ir::Binary>(binary.op), lhs, rhs)
           ->getResults());
}

void Lowering::lower(const Unary &unary, const Inst &inst) {
  bind(inst, ir::UnaryOp::create(builder, locationOf(inst), typeOf(*inst.results[0]->type),
                                 static_cast<ir::Unary>(unary.op), valueOf(unary.operand))
                 ->getResults());
}

void Lowering::lower(const Cast &cast, const Inst &inst) {
  bind(inst, ir::CastOp::create(builder, locationOf(inst), typeOf(*inst.results[0]->type),
                                valueOf(cast.operand))
                 ->getResults());
}

void Lowering::lower(const Compare &compare, const Inst &inst) {
  mlir::Value lhs = valueOf(compare.lhs), rhs = valueOf(compare.rhs);
  bind(inst, ir::CompareOp::create(builder, locationOf(inst), builder.getI1Type(),
                                   static_cast<ir::Compare>(compare.op), lhs, rhs)
                 ->getResults());
}

void Lowering::lower(const Constant &node, const Inst &inst) {
  bind(inst, constant(*node.literal, *inst.results[0]->type, locationOf(inst)));
}

void Lowering::lower(const Builtin &builtin, const Inst &inst) {
  bind(inst,
       ir::BuiltinOp::create(builder, locationOf(inst), static_cast<ir::Builtin>(builtin.kind),
                             static_cast<ir::Axis>(builtin.axis))
           ->getResults());
}

//===-- Matrices ----------------------------------------------------------===//

void Lowering::lower(const CoopLoad &load, const Inst &inst) {
  mlir::Value row = valueOf(load.row), column = valueOf(load.column);
  bind(inst, ir::CoopLoadOp::create(builder, locationOf(inst), typeOf(*inst.results[0]->type),
                                    valueOf(load.source), row, column, load.isTransposed,
                                    static_cast<ir::Checked>(load.checked))
                 ->getResults());
}

void Lowering::lower(const CoopMulAdd &product, const Inst &inst) {
  bind(inst, ir::CoopMulAddOp::create(builder, locationOf(inst), typeOf(*inst.results[0]->type),
                                      valueOf(product.a), valueOf(product.b), valueOf(product.c))
                 ->getResults());
}

void Lowering::lower(const CoopScale &scale, const Inst &inst) {
  bind(inst, ir::CoopScaleOp::create(builder, locationOf(inst), typeOf(*inst.results[0]->type),
                                     valueOf(scale.scalar), valueOf(scale.matrix))
                 ->getResults());
}

void Lowering::lower(const CoopStore &store, const Inst &inst) {
  mlir::Value row = valueOf(store.row), column = valueOf(store.column);
  bind(inst, ir::CoopStoreOp::create(
                 builder, locationOf(inst), store.type ? typeOf(*store.type->type) : mlir::Type(),
                 valueOf(store.matrix), valueOf(store.target), row, column, store.isTransposed,
                 static_cast<ir::Checked>(store.checked), static_cast<ir::StoreFlag>(store.flag))
                 ->getResults());
}

//===-- Subgroups ---------------------------------------------------------===//

void Lowering::lower(const Broadcast &broadcast, const Inst &inst) {
  mlir::Value value = valueOf(broadcast.value), lane = valueOf(broadcast.lane);
  bind(inst, ir::BroadcastOp::create(builder, locationOf(inst), value.getType(), value, lane)
                 ->getResults());
}

void Lowering::lower(const SubgroupOp &op, const Inst &inst) {
  mlir::Value operand = valueOf(op.operand);
  bind(inst, ir::SubgroupOp::create(builder, locationOf(inst), operand.getType(),
                                    static_cast<ir::Reduction>(op.op),
                                    static_cast<ir::ReductionForm>(op.form), operand)
                 ->getResults());
}
