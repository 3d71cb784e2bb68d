#include "lang/tinytc/Check.h"

using namespace tessera;
using namespace tessera::tinytc;

//===-- Memory of matrices ------------------------------------------------===//

void Checker::checkMatrixMemory(Operand &memory, Operand &row, Operand &column, Inst &inst) {
  bool isMemref = wantsMemref(memory, {inst, "the memory"});
  wantsType(row, {inst, "the row"}, types.index());
  wantsType(column, {inst, "the column"}, types.index());
  if (isMemref && memory.type->order() != 2)
    report(memory.range, diag::CoopMemory, spelling(inst), program.excerpt(memory.range),
           spelling(*memory.type));
}

/// Checks that elements in memory have the matrix's component type.
void Checker::wantsComponent(const Operand &memory, const Type &matrix, SourceRange range,
                             Inst &inst) {
  if (memory.type->isMemref() && memory.type->scalar != matrix.scalar)
    report(range, diag::CoopElement, spelling(inst), spelling(matrix.scalar),
           spelling(memory.type->scalar));
}

void Checker::rejectCoopResult(const TypeRef &type, Inst &inst) {
  if (type.type->kind != Type::Invalid)
    report(type.range, diag::CoopResult, spelling(inst), spelling(*type.type));
  hideResult(inst);
}

void Checker::check(CoopLoad &load, Inst &inst) {
  checkMatrixMemory(load.source, load.row, load.column, inst);
  setResult(inst, load.type);
  if (load.type.type->isCoop())
    wantsComponent(load.source, *load.type.type, load.type.range, inst);
  else
    rejectCoopResult(load.type, inst);
}

void Checker::check(CoopStore &store, Inst &inst) {
  bool isMatrix = wantsCoop(store.matrix, {inst, "the matrix"});
  checkMatrixMemory(store.target, store.row, store.column, inst);
  if (isMatrix)
    wantsComponent(store.target, *store.matrix.type, store.matrix.range, inst);
  if (!store.type)
    return;
  setResult(inst, *store.type);
  wantsResult(*store.type, store.matrix.type, inst);
}

//===-- Products ----------------------------------------------------------===//

void Checker::check(CoopMulAdd &product, Inst &inst) {
  setResult(inst, product.type);
  bool areMatrices = wantsCoop(product.a, {inst, "A"});
  areMatrices &= wantsCoop(product.b, {inst, "B"});
  areMatrices &= wantsCoop(product.c, {inst, "C"});
  const Type &d = *product.type.type;
  if (!d.isCoop())
    rejectCoopResult(product.type, inst);
  if (!areMatrices || !d.isCoop())
    return;
  const Type &a = *product.a.type, &b = *product.b.type, &c = *product.c.type;
  auto wantsUse = [&](SourceRange range, llvm::StringRef name, const Type &type, MatrixUse use) {
    if (type.use != use)
      report(range, diag::CoopUse, name, spelling(inst), spelling(use), spelling(type.use));
  };
  wantsUse(product.a.range, "A", a, MatrixUse::A);
  wantsUse(product.b.range, "B", b, MatrixUse::B);
  wantsUse(product.c.range, "C", c, MatrixUse::Acc);
  wantsUse(product.type.range, "the result", d, MatrixUse::Acc);
  if (a.columns() != b.rows())
    report(product.b.range, diag::CoopInner, spelling(a), spelling(b));
  else if (c.rows() != a.rows() || c.columns() != b.columns())
    report(product.c.range, diag::CoopOutput, "C", a.rows(), b.columns(), spelling(c));
  else if (d.shape != c.shape)
    report(product.type.range, diag::CoopOutput, "the result", c.rows(), c.columns(), spelling(d));
  checkComponents(product, inst);
  if (!isCastable(c.scalar, d.scalar))
    report(product.type.range, diag::CastComplex, spelling(c), spelling(d));
}

/// promote(A, B) <= C.
void Checker::checkComponents(const CoopMulAdd &product, Inst &inst) {
  ScalarType a = product.a.type->scalar, b = product.b.type->scalar, c = product.c.type->scalar;
  std::optional<ScalarType> common = promote(a, b);
  if (!common) {
    report(product.b.range, diag::NoPromotion, spelling(inst), spelling(a), spelling(b));
    return;
  }
  if (!promotes(*common, c))
    report(product.c.range, diag::NotPromotable, "the product", spelling(inst), spelling(*common),
           "C", spelling(c));
  warnIfInexact(product.a.range, "A", a, *common);
  warnIfInexact(product.b.range, "B", b, *common);
  warnIfInexact(product.a.range, "the product", *common, c);
}

void Checker::check(CoopScale &scale, Inst &inst) {
  setResult(inst, scale.type);
  bool isMatrix = wantsCoop(scale.matrix, {inst, "the matrix"});
  const Type *component = isMatrix ? types.scalar(scale.matrix.type->scalar) : types.invalid();
  wantsType(scale.scalar, {inst, "the scalar"}, component);
  if (isMatrix)
    wantsResult(scale.type, scale.matrix.type, inst);
}

//===-- Subgroups ---------------------------------------------------------===//

void Checker::check(Broadcast &broadcast, Inst &inst) {
  setResult(inst, broadcast.type);
  bool isScalar = wantsScalar(broadcast.value, {inst, "the value"}, broadcast.type.type);
  wantsType(broadcast.lane, {inst, "the lane"}, types.scalar(ScalarType::I32));
  if (isScalar)
    wantsResult(broadcast.type, broadcast.value.type, inst);
}

void Checker::check(SubgroupOp &op, Inst &inst) {
  setResult(inst, op.type);
  if (!wantsScalar(op.operand, {inst, "the operand"}, op.type.type))
    return;
  if (op.op != SubgroupOp::Add && op.operand.type->isScalar(NumberKind::Complex))
    report(op.operand.range, diag::SubgroupComplex, spelling(inst), spelling(*op.operand.type));
  wantsResult(op.type, op.operand.type, inst);
}
